#include "caos/io/csv.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

FUZZ_TARGET(csv, input) {
  const io::CsvTable table = io::parse_csv(text_of(input), "input.csv");
  std::string text = io::csv_row(table.header);
  for (const auto& row : table.rows) {
    demand(row.size() == table.header.size(), "rows are as long as the header");
    text += io::csv_row(row);
  }
  const io::CsvTable again = io::parse_csv(text, "again.csv");
  demand(again.header == table.header && again.rows == table.rows,
         "the table is the same when written and read");
}

}  // namespace
}  // namespace caos::fuzz
