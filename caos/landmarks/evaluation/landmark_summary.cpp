#include "caos/landmarks/evaluation/landmark_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "caos/evaluation/table.hpp"
#include "caos/guarantee.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/landmarks/points/point_error_text.hpp"

namespace caos {
namespace {

std::string mean_text(const MeanWithError& value) {
  return value.standard_error ? fmt::format("{:.3f} ± {:.3f}", value.mean, *value.standard_error)
                              : fmt::format("{:.3f}", value.mean);
}

std::string share_text(const std::optional<double>& share) {
  return share ? fmt::format("{:.2f}", 100 * *share) : "-";
}

std::string area_text(const std::optional<double>& area) {
  return area ? fmt::format("{:.4g}", *area) : "-";
}

bool has_confidence(const LandmarkMethodResult& result) {
  return result.guarantee.kind == Guarantee::Kind::pac;
}

std::string method_table(const LandmarkReport& report) {
  const bool has_millimeters = std::ranges::any_of(
      report.evaluation.methods,
      [](const LandmarkMethodResult& result) { return result.mean_region_area_mm2.has_value(); });
  std::vector<std::string> heads{"method",    "alpha",      "guarantee", "coverage",
                                 "mean size", "% of image", "area, px²"};
  if (has_millimeters) heads.emplace_back("mm²");
  heads.insert(heads.end(), {"median", "singletons"});
  Table table(heads);
  for (const LandmarkMethodResult& result : report.evaluation.methods) {
    if (!result.summary) continue;
    std::vector<std::string> cells{
        std::string(method_name(result.method)),  result.alpha.text(),
        std::string(result.guarantee.name()),     mean_text(result.summary->coverage),
        mean_text(result.summary->mean_set_size), share_text(result.mean_region_share),
        area_text(result.mean_region_area)};
    if (has_millimeters) cells.push_back(area_text(result.mean_region_area_mm2));
    cells.push_back(fmt::format("{:.1f}", result.summary->median_set_size.mean));
    cells.push_back(fmt::format("{:.3f}", result.summary->singleton_rate.mean));
    table.add(cells);
  }
  return table.text();
}

std::string ablation_table(const LandmarkReport& report) {
  if (report.evaluation.ablation.empty()) return "";
  Table table({"caos with k", "alpha", "coverage", "mean size"});
  for (const LandmarkMethodResult& result : report.evaluation.ablation) {
    if (!result.summary) continue;
    table.add({fmt::format("{}", result.k), result.alpha.text(),
               mean_text(result.summary->coverage), mean_text(result.summary->mean_set_size)});
  }
  return fmt::format("\n{}", table.text());
}

std::string simultaneous_table(const LandmarkReport& report) {
  if (report.evaluation.simultaneous.empty()) return "";
  Table table({"all landmarks at once, alpha", "guarantee", "coverage of images", "mean size",
               "separate sets cover"});
  for (const SimultaneousResult& result : report.evaluation.simultaneous) {
    table.add({result.alpha.text(), result.guarantee.text(),
               fmt::format("{:.3f}", result.evaluation.coverage),
               fmt::format("{:.3f}", result.evaluation.mean_set_size),
               fmt::format("{:.3f}", result.covered_separately)});
  }
  return fmt::format("\n{}", table.text());
}

/// What a word in the table does not say.
std::vector<std::string> guarantee_lines(const LandmarkReport& report) {
  std::vector<std::string> lines;
  for (const LandmarkMethodResult& result : report.evaluation.methods) {
    const bool pac = result.guarantee.kind == Guarantee::Kind::pac;
    if (!pac && result.guarantee.kind != Guarantee::Kind::none) continue;
    std::string line =
        pac ? fmt::format("{}: covers at least 1 - alpha, for each landmark with {}, if {}.\n",
                          method_name(result.method), result.guarantee.scope,
                          assumption_of(result.guarantee))
            : fmt::format("{}: {}\n", method_name(result.method), result.guarantee.text());
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

/// Where subjects matter, what an average over test images is.
std::string averages_text(const LandmarkEvaluation& evaluation) {
  if (evaluation.target == ImageTarget::any) return "";
  return fmt::format("The target is {}; coverage and sizes are averages over test {}.\n",
                     target_text(evaluation.target),
                     evaluation.over_subjects ? "subjects" : "images");
}

/// Whether the size of regions tells something: not where alpha is infeasible, which gives whole
/// images, or nothing is guaranteed.
bool may_be_large(const LandmarkMethodResult& result) {
  return result.mean_region_share && result.guarantee.kind != Guarantee::Kind::none &&
         std::ranges::all_of(result.landmarks, &LandmarkResult::feasible);
}

}  // namespace

std::string text_of(const LandmarkReport& report) {
  std::string text = fmt::format(
      "{} labeled images, {} test images, {} landmarks, k = {}, score {}{}{}{}\n\n{}{}{}\n",
      report.num_labeled, report.num_test, report.landmarks.size(), report.k,
      patch_score_text(report.score),
      report.own_parameter ? " (parameter given, not the default)" : "",
      report.embedding ? ", " + labels_text(*report.embedding) : "",
      report.embedding ? ", " + size_and_precision(*report.embedding) : "", method_table(report),
      ablation_table(report), simultaneous_table(report));
  for (const std::string& line : guarantee_lines(report)) text += line;
  text += fmt::format(
      "Means over landmarks ± the standard error over the {} test {} of this one split; another\n"
      "draw of labeled images moves them, too. {} are {}, averages over draws of\n"
      "labeled and new images. They hold if {}.\n",
      report.evaluation.test.num_clusters, report.evaluation.test.name(),
      std::ranges::any_of(report.evaluation.methods, &has_confidence) ? "Other guarantees"
                                                                      : "Guarantees",
      guarantee_is_for(report.evaluation.target), assumption_of(report.evaluation.target));
  text += averages_text(report.evaluation);
  if (report.points && !report.points->sources.empty()) text += "\n" + text_of(*report.points);
  return text;
}

std::vector<std::string> warnings_of(const LandmarkReport& report, RankRule rule) {
  std::vector<std::string> warnings;
  if (auto left_out = left_out_warning(report.left_out, report.k)) warnings.push_back(*left_out);
  for (const LandmarkMethodResult& result : report.evaluation.methods) {
    const auto few = std::ranges::count(result.landmarks, false, &LandmarkResult::feasible);
    if (few == 0) continue;
    if (result.guarantee.kind == Guarantee::Kind::pac) {
      warnings.push_back(fmt::format(
          "{} at alpha {}: {} of {} landmarks have too few calibration images for the confidence, "
          "so their sets are every patch",
          method_name(result.method), result.alpha.text(), few, result.landmarks.size()));
      continue;
    }
    warnings.push_back(
        fmt::format("{} at alpha {}: {} calibration {} are needed; {} of {} landmarks have "
                    "fewer, so {}",
                    method_name(result.method), result.alpha.text(), examples_needed(result.alpha),
                    report.evaluation.target == ImageTarget::any ? "images" : "subjects", few,
                    result.landmarks.size(),
                    rule == RankRule::clip ? "their rank is clipped and nothing is guaranteed"
                                           : "their sets are every patch"));
  }
  return warnings;
}

std::optional<std::string> large_regions_text(const LandmarkEvaluation& evaluation,
                                              OptionNames names) {
  for (const LandmarkMethodResult& result : evaluation.methods) {
    const auto is_smaller = [&](const LandmarkMethodResult& other) {
      return may_be_large(other) && other.alpha == result.alpha &&
             *other.mean_region_share < *result.mean_region_share;
    };
    if (!may_be_large(result) || std::ranges::any_of(evaluation.methods, is_smaller)) continue;
    const RegionSize size{.share = *result.mean_region_share,
                          .patches = result.summary->mean_set_size.mean};
    const auto text = large_regions_text(size, names);
    if (!text) continue;
    return fmt::format("{} at alpha {}: {}", method_name(result.method), result.alpha.text(),
                       *text);
  }
  return std::nullopt;
}

std::vector<std::uint8_t> packed_sets(const LandmarkEvaluation& evaluation,
                                      std::size_t num_patches) {
  std::vector<std::uint8_t> bytes;
  for (const auto& images : evaluation.sets) {
    for (const auto& landmarks : images) {
      for (const PredictionSet& set : landmarks) {
        const std::size_t start = bytes.size();
        bytes.resize(start + packed_size(num_patches));
        for (const Label y : set) {
          bytes[start + y / 8] |= static_cast<std::uint8_t>(1U << (y % 8));
        }
      }
    }
  }
  return bytes;
}

}  // namespace caos
