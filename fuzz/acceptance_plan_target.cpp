#include "apps/cli/landmarks/acceptance/acceptance_plan.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

FUZZ_TARGET(acceptance_plan, input) {
  const cli::AcceptancePlan plan = cli::read_acceptance_plan("plan.json", text_of(input));
  const std::string written = cli::json_text(cli::to_json(plan));
  const cli::AcceptancePlan again = cli::read_acceptance_plan("again.json", written);
  demand(again == plan, "a plan that was written reads equal");
  demand(selection::guarantee_of(cli::changes_since(plan, again, {})).kind == Guarantee::Kind::fdr,
         "nothing changed");
}

}  // namespace
}  // namespace caos::fuzz
