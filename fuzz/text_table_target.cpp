#include "caos/error.hpp"
#include "caos/io/utf8.hpp"
#include "caos/text/text_table.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

void read(const std::string& path, const text::Columns& columns) {
  const text::TextTable table = text::read_text_table(path, columns);
  demand(table.ids.size() == table.size() && table.lines.size() == table.size(),
         "every row has an id and a line");
  for (const std::string& text : table.texts) demand(text::is_utf8(text), "texts are UTF-8");
  if (!columns.label.empty()) (void)text::labeled_texts(table, text::labels_in(table));
}

/// CSV or JSON Lines: the first character tells.
FUZZ_TARGET(text_table, input) {
  const std::string path = file_of(input, "table");
  try {
    read(path, {.text = {"text", "title"}, .label = "label", .id = "id"});
  } catch (const Error&) {  // fewer columns may be there
  }
  read(path, {.label = "label"});
}

}  // namespace
}  // namespace caos::fuzz
