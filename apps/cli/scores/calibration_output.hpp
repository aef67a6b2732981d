#pragma once

#include <string>
#include <vector>

#include "apps/cli/program.hpp"
#include "caos/calibration.hpp"

namespace caos::cli {

/// What people want to know about a calibration.
struct CalibrationOutput {
  struct Group {
    GroupId id = 0;
    std::size_t n = 0;
  };

  std::string file;
  std::size_t n = 0;
  std::size_t k = 0;
  std::size_t num_labels = 0;  ///< 0: unknown
  Grouping::Kind grouping = Grouping::Kind::none;
  std::vector<Group> groups;
  std::vector<std::string> label_names{};  ///< what groups by label are called; empty: by number
  struct Level {
    std::string alpha;
    std::size_t rank = 0;
    double threshold = 0;
  };
  std::vector<Level> levels;  ///< thresholds at common alphas; without groups only
};

[[nodiscard]] CalibrationOutput describe(const Calibration& calibration, std::size_t num_labels);
[[nodiscard]] Json to_json(const CalibrationOutput& output);
[[nodiscard]] std::string to_text(const CalibrationOutput& output);

/// The part of it that depends on alpha: thresholds, or the groups.
[[nodiscard]] std::string alphas_text(const CalibrationOutput& output);

}  // namespace caos::cli
