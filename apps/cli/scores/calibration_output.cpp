#include "apps/cli/scores/calibration_output.hpp"

#include <fmt/format.h>

#include <cmath>

#include "caos/evaluation/table.hpp"
#include "caos/method.hpp"
#include "caos/miscoverage.hpp"

namespace caos::cli {
namespace {

std::string guarantee_text(Grouping::Kind grouping) {
  return guarantee_of(Method::caos, grouping).text();
}

std::string levels_text(const CalibrationOutput& output) {
  Table table({"alpha", "rank", "threshold"});
  for (const auto& level : output.levels) {
    table.add({level.alpha, fmt::format("{} of {}", level.rank, output.n),
               std::isfinite(level.threshold) ? fmt::format("{:.6g}", level.threshold)
                                              : "inf (every label)"});
  }
  return table.text();
}

std::string groups_text(const CalibrationOutput& output) {
  Table table({"group", "n", "smallest feasible alpha"});
  for (const auto& group : output.groups) {
    table.add({output.label_names.empty() ? fmt::format("{}", group.id)
                                          : output.label_names[static_cast<std::size_t>(group.id)],
               fmt::format("{}", group.n),
               fmt::format("{:.4g}", smallest_feasible_alpha(group.n))});
  }
  return table.text();
}

}  // namespace

CalibrationOutput describe(const Calibration& calibration, std::size_t num_labels) {
  CalibrationOutput output;
  output.n = calibration.size();
  output.k = calibration.k();
  output.num_labels = num_labels;
  output.grouping = calibration.grouping().kind();
  if (output.grouping != Grouping::Kind::none) {
    for (std::size_t g = 0; g < calibration.grouping().num_groups(); ++g) {
      output.groups.push_back({calibration.grouping().id(g), calibration.group(g).size()});
    }
    return output;
  }
  for (const char* text : {"0.01", "0.05", "0.1", "0.2"}) {
    const Miscoverage alpha = Miscoverage::parse(text);
    output.levels.push_back(
        {text, conformal_rank(calibration.size(), alpha), calibration.threshold(alpha)});
  }
  return output;
}

Json to_json(const CalibrationOutput& output) {
  Json json = {{"file", output.file},
               {"n", output.n},
               {"k", output.k},
               {"num_labels", output.num_labels > 0 ? Json(output.num_labels) : Json(nullptr)},
               {"method", "caos"},
               {"guarantee", guarantee_text(output.grouping)},
               {"assumption", assumption},
               {"grouping", grouping_name(output.grouping)},
               {"smallest_feasible_alpha", smallest_feasible_alpha(output.n)}};
  json["groups"] = Json::array();
  for (const auto& group : output.groups) {
    json["groups"].push_back({{"group", group.id},
                              {"n", group.n},
                              {"smallest_feasible_alpha", smallest_feasible_alpha(group.n)}});
  }
  json["thresholds"] = Json::array();
  for (const auto& level : output.levels) {
    json["thresholds"].push_back({{"alpha", Miscoverage::parse(level.alpha).value()},
                                  {"rank", level.rank},
                                  {"threshold", json_number(level.threshold)}});
  }
  return json;
}

std::string alphas_text(const CalibrationOutput& output) {
  return output.groups.empty() ? levels_text(output) : groups_text(output);
}

std::string to_text(const CalibrationOutput& output) {
  const std::string labels = output.num_labels > 0 ? fmt::format("{}", output.num_labels)
                                                   : "as many as the test scores have";
  return fmt::format(
      "{}: a CAOS calibration\n"
      "  labeled examples n       {}\n"
      "  scores added k           {}\n"
      "  labels                   {}\n"
      "  groups                   {}\n"
      "  smallest feasible alpha  {:.4g}\n"
      "  guarantee                {}, if {}\n\n{}",
      output.file, output.n, output.k, labels, grouping_name(output.grouping),
      smallest_feasible_alpha(output.n), guarantee_text(output.grouping), assumption,
      alphas_text(output));
}

}  // namespace caos::cli
