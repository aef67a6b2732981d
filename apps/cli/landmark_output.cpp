#include "landmark_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "caos/engine/table.hpp"
#include "landmark_model_output.hpp"

namespace caos::cli {
namespace {

Json mean_json(const MeanWithError& value) {
  return {{"mean", value.mean}, {"standard_error", json_number(value.standard_error)}};
}

Json landmark_json(const std::string& name, const LandmarkResult& landmark) {
  Json json = {{"landmark", name},
               {"n", landmark.n},
               {"rank", landmark.rank},
               {"feasible", landmark.feasible},
               {"smallest_feasible_alpha", smallest_feasible_alpha(landmark.n)}};
  const auto& e = landmark.evaluation;
  json["coverage"] = e ? Json(e->coverage) : Json(nullptr);
  json["mean_set_size"] = e ? Json(e->mean_set_size) : Json(nullptr);
  return json;
}

Json result_json(const LandmarkMethodResult& result, const std::vector<std::string>& names) {
  Json json = {{"method", method_name(result.method)},
               {"k", result.k},
               {"alpha", result.alpha.value()},
               {"guarantee", result.guarantee.text()}};
  if (result.summary) {
    json["coverage"] = mean_json(result.summary->coverage);
    json["mean_set_size"] = mean_json(result.summary->mean_set_size);
    json["median_set_size"] = mean_json(result.summary->median_set_size);
    json["singleton_rate"] = mean_json(result.summary->singleton_rate);
    json["empty_rate"] = mean_json(result.summary->empty_rate);
  }
  json["landmarks"] = Json::array();
  for (std::size_t t = 0; t < names.size(); ++t) {
    json["landmarks"].push_back(landmark_json(names[t], result.landmarks[t]));
  }
  return json;
}

Json simultaneous_json(const SimultaneousResult& result) {
  return {{"alpha", result.alpha.value()},
          {"guarantee", result.guarantee.text()},
          {"n", result.n},
          {"feasible", result.feasible},
          {"coverage", result.evaluation.coverage},
          {"mean_set_size", result.evaluation.mean_set_size},
          {"covered_separately", result.covered_separately}};
}

std::string mean_text(const MeanWithError& value) {
  return value.standard_error ? fmt::format("{:.3f} ± {:.3f}", value.mean, *value.standard_error)
                              : fmt::format("{:.3f}", value.mean);
}

std::string method_table(const LandmarkOutput& output) {
  Table table({"method", "alpha", "guarantee", "coverage", "mean size", "median", "singletons"});
  for (const LandmarkMethodResult& result : output.evaluation.methods) {
    if (!result.summary) continue;
    const bool none = result.guarantee.kind == Guarantee::Kind::none;
    table.add({std::string(method_name(result.method)), result.alpha.text(),
               none ? "none" : result.guarantee.text(), mean_text(result.summary->coverage),
               mean_text(result.summary->mean_set_size),
               fmt::format("{:.1f}", result.summary->median_set_size.mean),
               fmt::format("{:.3f}", result.summary->singleton_rate.mean)});
  }
  return table.text();
}

std::string simultaneous_table(const LandmarkOutput& output) {
  if (output.evaluation.simultaneous.empty()) return "";
  Table table({"all landmarks at once, alpha", "guarantee", "coverage of images", "mean size",
               "separate sets cover"});
  for (const SimultaneousResult& result : output.evaluation.simultaneous) {
    table.add({result.alpha.text(), result.guarantee.text(),
               fmt::format("{:.3f}", result.evaluation.coverage),
               fmt::format("{:.3f}", result.evaluation.mean_set_size),
               fmt::format("{:.3f}", result.covered_separately)});
  }
  return "\n" + table.text();
}

std::vector<std::string> none_lines(const LandmarkOutput& output) {
  std::vector<std::string> lines;
  for (const LandmarkMethodResult& result : output.evaluation.methods) {
    if (result.guarantee.kind != Guarantee::Kind::none) continue;
    std::string line = fmt::format("{}: {}\n", method_name(result.method), result.guarantee.text());
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

Json to_json(const LandmarkOutput& output) {
  Json json = {{"num_labeled", output.num_labeled},
               {"num_test", output.num_test},
               {"num_landmarks", output.landmarks.size()},
               {"left_out", output.left_out},
               {"k", output.k},
               {"score", patch_score_text(output.score)},
               {"score_parameter", output.own_parameter ? "given" : "default"},
               {"assumption", assumption},
               {"guarantee_is_for", guarantee_is_for(output.by_subject)}};
  json["results"] = Json::array();
  for (const LandmarkMethodResult& result : output.evaluation.methods) {
    json["results"].push_back(result_json(result, output.landmarks));
  }
  json["simultaneous"] = Json::array();
  for (const SimultaneousResult& result : output.evaluation.simultaneous) {
    json["simultaneous"].push_back(simultaneous_json(result));
  }
  return json;
}

std::string to_text(const LandmarkOutput& output) {
  std::string text =
      fmt::format("{} labelled images, {} test images, {} landmarks, k = {}, score {}{}\n\n{}{}\n",
                  output.num_labeled, output.num_test, output.landmarks.size(), output.k,
                  patch_score_text(output.score),
                  output.own_parameter ? " (parameter given, not the default)" : "",
                  method_table(output), simultaneous_table(output));
  for (const std::string& line : none_lines(output)) text += line;
  text += fmt::format(
      "Means over landmarks ± their standard error. Guarantees are {}, averages over draws of\n"
      "labelled and new images. They hold if {}.\n",
      guarantee_is_for(output.by_subject), assumption);
  return text;
}

}  // namespace caos::cli
