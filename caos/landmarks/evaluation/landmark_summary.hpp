#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/large_regions.hpp"
#include "caos/landmarks/points/point_error.hpp"

namespace caos {

/// What an evaluation of landmarks found and what it was made of, as people read it.
struct LandmarkReport {
  std::size_t num_labeled = 0;
  std::size_t num_test = 0;
  std::vector<std::string> landmarks{};
  std::vector<std::string> left_out{};  ///< landmarks with too few images for k
  std::size_t k = 0;
  PatchScore score{};
  bool own_parameter = false;                  ///< the score's parameter is not the default
  std::optional<EmbeddingRecord> embedding{};  ///< of images; nothing for arrays
  LandmarkEvaluation evaluation{};
  std::optional<PointSummary> points{};  ///< where positions are known: errors of proposed points
};

/// Tables of methods and of all landmarks at once, what is guaranteed, and under which assumption;
/// then errors of proposed points, where they are known.
[[nodiscard]] std::string text_of(const LandmarkReport& report);

/// What to try for smaller regions, with the first alpha that has large ones although it is
/// feasible and the method whose regions are the smallest there; nothing where none has.
[[nodiscard]] std::optional<std::string> large_regions_text(
    const LandmarkEvaluation& evaluation, OptionNames names = OptionNames::command_line);

/// What a user should hear: of landmarks that were left out, and of methods at an alpha that has
/// too few calibration images.
[[nodiscard]] std::vector<std::string> warnings_of(const LandmarkReport& report, RankRule rule);

/// The kept sets as bits, [alphas, test images, landmarks, bytes]: bit y % 8 of byte y / 8 says
/// whether a set holds patch y. Requires images of `num_patches` patches each.
[[nodiscard]] std::vector<std::uint8_t> packed_sets(const LandmarkEvaluation& evaluation,
                                                    std::size_t num_patches);

/// How many bytes the bits of one set take.
[[nodiscard]] constexpr std::size_t packed_size(std::size_t num_patches) {
  return (num_patches + 7) / 8;
}

}  // namespace caos
