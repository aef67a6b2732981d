#include "apps/cli/landmarks/acceptance/acceptance_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "caos/error.hpp"

namespace caos::cli {
namespace {

constexpr const char* plan_kind = "caos acceptance plan";
constexpr int plan_format = 1;

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw Error(ErrorKind::bad_format,
              fmt::format("{}: not a plan of 'caos landmarks accept': {}", file, why));
}

Json parse(const std::string& file, std::string_view text) {
  constexpr int max_depth = 4;
  const auto not_too_deep = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > max_depth) refuse(file, "nested too deeply");
    return true;
  };
  Json json = Json::parse(text, not_too_deep, false);
  if (!json.is_object() || json.value("kind", Json()) != plan_kind) {
    refuse(file, "expected a JSON object of that kind");
  }
  if (json.value("format", Json()) != plan_format) {
    refuse(file, fmt::format("its format is {}; this version reads {}",
                             json_text(json.value("format", Json())), plan_format));
  }
  return json;
}

std::string text_in(const std::string& file, const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string()) {
    refuse(file, fmt::format("'{}' must be a text", key));
  }
  return found->get<std::string>();
}

std::vector<std::string> names_in(const std::string& file, const Json& json, const char* key) {
  const auto found = json.find(key);
  const auto is_text = [](const Json& item) { return item.is_string(); };
  if (found == json.end() || !found->is_array() || !std::ranges::all_of(*found, is_text)) {
    refuse(file, fmt::format("'{}' must be a list of names", key));
  }
  return found->get<std::vector<std::string>>();
}

}  // namespace

Json to_json(const AcceptancePlan& plan) {
  return {{"kind", plan_kind},
          {"format", plan_format},
          {"tolerance", plan.tolerance},
          {"scales", plan.scales},
          {"fdr", plan.fdr},
          {"labeled", plan.labeled},
          {"proposals", plan.proposals},
          {"candidates", plan.candidates},
          {"contents", plan.contents}};
}

AcceptancePlan read_acceptance_plan(const std::string& file, std::string_view text) {
  const Json json = parse(file, text);
  return {.tolerance = text_in(file, json, "tolerance"),
          .fdr = text_in(file, json, "fdr"),
          .scales = text_in(file, json, "scales"),
          .labeled = text_in(file, json, "labeled"),
          .proposals = text_in(file, json, "proposals"),
          .candidates = names_in(file, json, "candidates"),
          .contents = text_in(file, json, "contents")};
}

selection::History changes_since(const AcceptancePlan& planned, const AcceptancePlan& now,
                                 std::span<const std::string> labeled) {
  return {.tolerance_changed = planned.tolerance != now.tolerance || planned.scales != now.scales,
          .q_changed = planned.fdr != now.fdr,
          .candidate_reviewed = std::ranges::any_of(labeled,
                                                    [&](const std::string& name) {
                                                      return std::ranges::count(planned.candidates,
                                                                                name) > 0;
                                                    }),
          .candidates_changed =
              planned.candidates != now.candidates || planned.contents != now.contents,
          .examples_changed = planned.labeled != now.labeled,
          .proposals_changed = planned.proposals != now.proposals};
}

}  // namespace caos::cli
