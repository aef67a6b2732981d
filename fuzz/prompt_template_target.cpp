#include "caos/text/prompt_template.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

FUZZ_TARGET(prompt_template, input) {
  const auto prompt = text::PromptTemplate::parse(text_of(input), "template.txt");
  const auto again = text::PromptTemplate::parse(prompt.source(), "again.txt");
  demand(again.source() == prompt.source(), "the template is the same when written and read");
  const std::string whole = prompt.prompt("{text}", "b", "{reference_label}");
  demand(whole == again.prompt("{text}", "b", "{reference_label}"), "so is what it makes");
  demand(whole.starts_with(prompt.opening("{text}", "b")), "a prompt begins with its opening");
}

}  // namespace
}  // namespace caos::fuzz
