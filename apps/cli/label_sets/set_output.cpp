#include "apps/cli/label_sets/set_output.hpp"

#include <fmt/format.h>

#include "caos/error.hpp"
#include "caos/io/write_whole.hpp"

namespace caos::cli {
namespace {

double mean_size(const SetLevel& level, std::size_t count) {
  return count == 0 ? 0 : static_cast<double>(level.total_size) / static_cast<double>(count);
}

}  // namespace

void add_set_outputs(Command& command, std::string& out, std::string& format) {
  add_output(command, out, "Where to write the sets, .csv or .jsonl; '-' is standard output")
      ->default_str("-");
  command
      .add_option("--format", format,
                  "csv or jsonl, if the file name does not show it; jsonl on standard output")
      ->group("Output")
      ->offers({"csv", "jsonl"})
      ->type_name("NAME")
      ->group("Output");  // elsewhere --format is that of landmark files
}

RowFormat row_format_of(const std::string& out, const std::string& format) {
  const auto is = [&](std::string_view name) {
    return format.empty() ? out.ends_with("." + std::string(name)) : format == name;
  };
  if (is("csv")) return RowFormat::csv;
  const bool by_default = out == "-" && format.empty();
  require(by_default || is("jsonl") || is("ndjson"), ErrorKind::invalid_input, [&] {
    return format.empty()
               ? fmt::format("--output {}: must end in .csv or .jsonl, or give --format", out)
               : fmt::format("--format {}: must be csv or jsonl", format);
  });
  return RowFormat::jsonl;
}

std::string joined_names(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += '|';
    for (const char c : names[i]) {
      if (c == '|' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text;
}

void write_rows(const std::string& out, const std::function<void(const PutText& put)>& rows) {
  if (out == "-") {
    rows([](const std::string& text) { print(text); });
    return finish_printing();
  }
  io::write_whole(
      out, [&](io::Sink& sink) { rows([&](const std::string& text) { sink.write(text); }); });
}

SetLevel::SetLevel(const Miscoverage& at, const Guarantee& what, bool is_feasible)
    : alpha(at.text()), alpha_value(at.value()), guarantee(what.text()), feasible(is_feasible) {}

void SetLevel::add(std::size_t set_size) {
  total_size += set_size;
  if (set_size == 1) ++singletons;
  if (set_size == 0) ++empty;
}

Json to_json(const std::vector<SetLevel>& levels, std::size_t count) {
  Json list = Json::array();
  for (const SetLevel& level : levels) {
    list.push_back({{"alpha", level.alpha_value},
                    {"guarantee", level.guarantee},
                    {"feasible", level.feasible},
                    {"mean_set_size", mean_size(level, count)},
                    {"singletons", level.singletons},
                    {"empty", level.empty}});
  }
  return list;
}

std::string to_text(const std::vector<SetLevel>& levels, std::size_t count) {
  std::string text;
  for (const SetLevel& level : levels) {
    text += fmt::format("alpha {}: mean size {:.2f}; of one label {}, empty {}; guarantee {}\n",
                        level.alpha, mean_size(level, count), level.singletons, level.empty,
                        level.guarantee);
  }
  return text;
}

void print_summary(const CommonOptions& common, const std::string& out, const Json& json,
                   std::string text) {
  if (out != "-") {
    return print_result(
        common, [&] { return json; }, [&] { return text; });
  }
  text.pop_back();
  note(common, text);
}

}  // namespace caos::cli
