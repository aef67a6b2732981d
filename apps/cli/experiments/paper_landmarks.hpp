#pragma once

#include <optional>
#include <string_view>

namespace caos::cli {

/// What the paper reports for a method on landmarks: means over 478 landmarks of CelebA with
/// DINOv3, n = 100, k = 3, and their standard errors over landmarks where it states them.
struct PaperFigure {
  double coverage = 0;
  std::optional<double> coverage_sem;
  double mean_set_size = 0;
  std::optional<double> mean_set_size_sem;
};

/// The paper's figure for a method (`scos-best`) at an alpha (`0.05`), if it has one.
/// SCOS, SCOS Best, SCOS Oracle and CAOS are in its Table 1; the Split CAOS variants, at 0.05 only
/// and without standard errors, in its data-reuse ablation. Full CAOS and the ablation of k have no
/// figures in print.
[[nodiscard]] std::optional<PaperFigure> paper_landmark_figure(std::string_view method,
                                                               std::string_view alpha);

}  // namespace caos::cli
