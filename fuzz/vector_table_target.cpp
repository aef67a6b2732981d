#include "caos/classification/label_list.hpp"
#include "caos/classification/vector_table.hpp"
#include "caos/error.hpp"
#include "caos/io/utf8.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

using classification::LabelColumn;

void demand_labels(const LabelColumn& column) {
  for (const std::string& label : column.labels) {
    demand(!label.empty() && text::is_utf8(label), "labels are texts in UTF-8");
  }
  const classification::LabelList list = classification::labels_of_train(column);
  for (const Label label : classification::numbers_of(column, list)) {
    demand(label < list.size(), "every label is in the list of all");
  }
}

/// An array or CSV with labels beside it or in it: the first characters tell.
FUZZ_TARGET(vector_table, input) {
  for (const char* label : {"label", ""}) {
    try {
      const auto table = classification::read_vector_table(
          io::MappedFile::of_bytes(copy_of(input), "input"), {.label = label});
      demand(table.ids.size() == table.vectors.rows(), "every vector has an id");
      demand(table.features.empty() || table.features.size() == table.vectors.cols(),
             "every column has a name");
      if (table.labels) demand_labels(*table.labels);
    } catch (const Error&) {  // it may be labels alone
    }
  }
  for (const bool lines : {false, true}) {
    try {
      demand_labels(classification::read_label_column(
          io::MappedFile::of_bytes(copy_of(input), "input"), lines));
    } catch (const Error&) {  // or not
    }
  }
}

}  // namespace
}  // namespace caos::fuzz
