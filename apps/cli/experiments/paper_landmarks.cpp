#include "apps/cli/experiments/paper_landmarks.hpp"

#include <algorithm>
#include <array>

namespace caos::cli {
namespace {

struct Row {
  std::string_view method;
  std::string_view alpha;
  PaperFigure figure{};
};

constexpr auto no_sem = std::nullopt;

constexpr std::array rows = {
    // Table 1
    Row{"scos", "0.05", {0.976, 0.001, 36.07, 0.94}},
    Row{"scos", "0.1", {0.930, 0.001, 21.04, 0.50}},
    Row{"scos", "0.2", {0.842, 0.001, 13.41, 0.35}},
    Row{"scos-best", "0.05", {0.952, 0.002, 20.49, 0.59}},
    Row{"scos-best", "0.1", {0.898, 0.002, 12.17, 0.32}},
    Row{"scos-best", "0.2", {0.797, 0.003, 7.12, 0.18}},
    Row{"caos", "0.05", {0.955, 0.001, 16.14, 0.58}},
    Row{"caos", "0.1", {0.908, 0.002, 9.27, 0.29}},
    Row{"caos", "0.2", {0.810, 0.003, 5.29, 0.15}},
    Row{"scos-oracle", "0.05", {1.000, 0.000, 16.66, 0.58}},
    Row{"scos-oracle", "0.1", {1.000, 0.000, 7.98, 0.27}},
    Row{"scos-oracle", "0.2", {1.000, 0.000, 4.29, 0.13}},
    // The data-reuse ablation
    Row{"split-caos", "0.05", {0.955, no_sem, 33.54, no_sem}},
    Row{"split-caos-cal", "0.05", {0.980, no_sem, 31.91, no_sem}},
    Row{"split-caos-ref", "0.05", {0.954, no_sem, 17.47, no_sem}},
};

/// `0.10` and `.1` ask for the row of `0.1`.
std::string_view significant(std::string_view alpha) {
  alpha.remove_prefix(std::min(alpha.find_first_not_of('0'), alpha.size()));
  return alpha.substr(0, alpha.find_last_not_of('0') + 1);
}

}  // namespace

std::optional<PaperFigure> paper_landmark_figure(std::string_view method, std::string_view alpha) {
  const auto found = std::ranges::find_if(rows, [&](const Row& row) {
    return row.method == method && significant(row.alpha) == significant(alpha);
  });
  if (found == rows.end()) return std::nullopt;
  return found->figure;
}

}  // namespace caos::cli
