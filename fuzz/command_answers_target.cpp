#include <fmt/format.h>

#include "caos/text/models/command_model.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

/// The lines that a program of the user's writes.
FUZZ_TARGET(command_answers, input) {
  const std::string path = file_of(input, "answers.jsonl");
  const auto model = text::make_command_model(
      fmt::format("cat {}", path),
      {.prompt = text::PromptTemplate::paper(), .labels = text::LabelSpace({"yes", "no"})});
  const std::vector<std::string> texts{"b", "c"};
  const auto scored = model->score({.text = "a", .label = 0}, texts);
  demand(scored.size() == 2 && scored[0].labels.size() == 2, "every label has a likelihood");
}

}  // namespace
}  // namespace caos::fuzz
