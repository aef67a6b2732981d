#include "apps/cli/verify/verify_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "caos/evaluation/table.hpp"
#include "caos/kernels/dispatch.hpp"
#include "caos/version.hpp"

namespace caos::cli {
namespace {

constexpr const char* shows =
    "Random splits of your examples are exchangeable whatever the examples are, so this tests the "
    "program on this machine and the stated properties of the scores. It does not show that new "
    "examples will be like these.";

bool has_guarantee(const CoverageCheck& check) {
  return check.guarantee.kind != Guarantee::Kind::none;
}

// For programs.

Json coverage_json(const CoverageCheck& check) {
  Json json = {{"method", check.method},
               {"alpha", check.alpha.value()},
               {"guarantee", check.guarantee.text()},
               {"splits", check.splits},
               {"coverage", check.coverage},
               {"coverage_standard_error", json_number(check.standard_error)},
               {"expected", has_guarantee(check) ? Json(check.expected) : Json(nullptr)},
               {"chance", has_guarantee(check) ? Json(check.chance) : Json(nullptr)},
               {"verdict", verdict_name(check.verdict)}};
  if (!check.why_not_judged.empty()) json["why"] = check.why_not_judged;
  return json;
}

Json identity_json(const IdentityCheck& check) {
  Json json = {{"identity", check.name},
               {"statement", check.statement},
               {"compared", check.compared},
               {"broken", check.broken},
               {"verdict", verdict_name(check.verdict())}};
  if (check.broken > 0) json["first_broken"] = check.first_broken;
  if (check.compared == 0) json["why"] = check.why_not_checked;
  return json;
}

Json part_json(const Verification& part) {
  Json json = {{"part", part.part},       {"source", part.source}, {"examples", part.examples},
               {"labeled", part.labeled}, {"tested", part.tested}, {"splits", part.splits},
               {"seed", part.seed},       {"k", part.k},           {"notes", part.notes}};
  json["coverage"] = Json::array();
  for (const CoverageCheck& check : part.coverage) json["coverage"].push_back(coverage_json(check));
  json["identities"] = Json::array();
  for (const IdentityCheck& check : part.identities) {
    json["identities"].push_back(identity_json(check));
  }
  return json;
}

// For people.

std::string error_text(const CoverageCheck& check) {
  return check.standard_error ? fmt::format("{:.4f}", *check.standard_error) : "-";
}

std::string verdict_text(const CoverageCheck& check) {
  return std::string(has_guarantee(check) ? verdict_name(check.verdict) : "no guarantee");
}

Table coverage_table(const Verification& part) {
  Table table({"method", "alpha", "guaranteed", "expected", "coverage", "std. error", "verdict"});
  for (const CoverageCheck& check : part.coverage) {
    const bool guaranteed = has_guarantee(check);
    table.add({check.method, check.alpha.text(),
               guaranteed ? fmt::format("{:.3f}", 1 - check.alpha.value()) : "none",
               guaranteed ? fmt::format("{:.4f}", check.expected) : "-",
               fmt::format("{:.4f}", check.coverage), error_text(check), verdict_text(check)});
  }
  return table;
}

Table identity_table(const Verification& part) {
  Table table({"identity", "compared", "broken", "verdict"});
  for (const IdentityCheck& check : part.identities) {
    table.add({check.name, fmt::format("{}", check.compared), fmt::format("{}", check.broken),
               std::string(verdict_name(check.verdict()))});
  }
  return table;
}

/// One line for each identity that does not simply hold.
std::string identity_lines(const Verification& part) {
  std::string text;
  for (const IdentityCheck& check : part.identities) {
    if (check.verdict() == IdentityVerdict::broken) {
      text += fmt::format("{} is broken: {}. First where: {}.\n", check.name, check.statement,
                          check.first_broken);
    } else if (check.verdict() == IdentityVerdict::not_checked) {
      text += fmt::format("{} is not checked: {}.\n", check.name, check.why_not_checked);
    }
  }
  return text;
}

std::string part_text(const Verification& part) {
  std::string text = fmt::format(
      "{}: {}\n{} examples; {} splits from seed {} on, {} labeled and {} tested in each; k = {}\n",
      part.part, part.source, part.examples, part.splits, part.seed, part.labeled, part.tested,
      part.k);
  for (const std::string& note : part.notes) text += note + "\n";
  text += "\n" + coverage_table(part).text() + "\n" + identity_table(part).text();
  const std::string lines = identity_lines(part);
  return text + (lines.empty() ? "" : "\n" + lines) + "\n";
}

struct Counts {
  std::size_t judged = 0;
  std::size_t contradicted = 0;
  std::size_t checked = 0;
  std::size_t broken = 0;
  std::size_t not_checked = 0;
};

Counts count(const VerifyOutput& output) {
  Counts counts;
  for (const Verification& part : output.parts) {
    for (const CoverageCheck& check : part.coverage) {
      counts.judged += check.verdict == CoverageVerdict::not_judged ? 0 : 1;
      counts.contradicted += check.verdict == CoverageVerdict::contradicts ? 1 : 0;
    }
    for (const IdentityCheck& check : part.identities) {
      counts.checked += check.compared > 0 ? 1 : 0;
      counts.broken += check.broken > 0 ? 1 : 0;
      counts.not_checked += check.compared > 0 ? 0 : 1;
    }
  }
  return counts;
}

std::string verdict_line(const Counts& counts) {
  const std::string unchecked =
      counts.not_checked > 0 ? fmt::format(" ({} not checked)", counts.not_checked) : "";
  const std::string identities =
      counts.broken > 0
          ? fmt::format("{} of {} identities broken{}", counts.broken, counts.checked, unchecked)
          : fmt::format("All {} identities hold{}", counts.checked, unchecked);
  const std::string coverages =
      counts.judged == 0 ? "no coverage was tested"
      : counts.contradicted > 0
          ? fmt::format("{} of {} coverages contradict 1 - alpha", counts.contradicted,
                        counts.judged)
          : fmt::format("none of {} coverages contradicts 1 - alpha", counts.judged);
  return fmt::format("{}; {}.", identities, coverages);
}

std::string rule_line(const Counts& counts) {
  return fmt::format(
      "A coverage contradicts if it lies more than {:g} standard errors below 1 - alpha, and with "
      "fewer than {} splits only if chance cannot explain it: {} comparisons, each of which is a "
      "false alarm at most about once in a thousand runs.",
      standard_errors_allowed, splits_for_an_error, counts.judged);
}

}  // namespace

bool VerifyOutput::contradicts() const {
  return std::ranges::any_of(parts, &Verification::contradicts);
}

Json to_json(const VerifyOutput& output) {
  Json parts = Json::array();
  for (const Verification& part : output.parts) parts.push_back(part_json(part));
  return {{"version", version()},
          {"instruction_set", kernels::instruction_set()},
          {"parts", std::move(parts)},
          {"verdict", output.contradicts() ? "contradicts" : "agrees"},
          {"summary", verdict_line(count(output))},
          {"shows", shows}};
}

std::string to_text(const VerifyOutput& output) {
  std::string text;
  for (const Verification& part : output.parts) text += part_text(part);
  const Counts counts = count(output);
  return text + fmt::format("{}\n{}\n{}\n", rule_line(counts), shows, verdict_line(counts));
}

}  // namespace caos::cli
