#include "apps/cli/scores/evaluation_files.hpp"

#include <fmt/format.h>

#include "apps/cli/options.hpp"
#include "apps/cli/scores/evaluation_page.hpp"
#include "caos/io/csv.hpp"
#include "caos/io/write_whole.hpp"

namespace caos::cli {
namespace {

void write_per_example(const std::string& path, const std::vector<MethodResult>& results,
                       const std::vector<std::string>& labels) {
  io::write_whole(path, [&](io::Sink& sink) {
    sink.write("example,label,method,alpha,covered,set_size\n");
    for (const MethodResult& result : results) {
      for (std::size_t t = 0; t < labels.size(); ++t) {
        const Outcome& outcome = result.outcomes[t];
        const std::vector<std::string> fields = {fmt::format("{}", t),
                                                 labels[t],
                                                 std::string(method_name(result.method)),
                                                 result.alpha.text(),
                                                 fmt::format("{}", outcome.covered),
                                                 fmt::format("{}", outcome.size)};
        sink.write(io::csv_row(fields));
      }
    }
  });
}

}  // namespace

void add_evaluation_files(Command& command, EvaluationFiles& files) {
  add_path(command, "--per-example", files.per_example, "Write one CSV row per example and result");
  add_path(command, "--report", files.report, "Write a page with the table and plots (HTML)");
}

void write_files(const EvaluationFiles& files, const EvaluationReport& output,
                 const std::vector<std::string>& labels) {
  if (!files.per_example.empty()) write_per_example(files.per_example, output.results, labels);
  if (!files.report.empty()) {
    io::write_whole(files.report, [&](io::Sink& sink) { sink.write(evaluation_page(output)); });
  }
}

}  // namespace caos::cli
