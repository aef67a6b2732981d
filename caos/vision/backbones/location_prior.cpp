#include "caos/vision/backbones/location_prior.hpp"

#include <cmath>
#include <span>
#include <vector>

#include "caos/error.hpp"
#include "caos/kernels/exp.hpp"

namespace caos::vision {
namespace {

constexpr double lattice_step = 32;
constexpr double lattice_margin = 48;

double squared_length(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

/// The bumps along one axis as seen from the middle of each patch.
/// A bump in the plane is a product of two, so these are all that is needed.
std::vector<std::vector<double>> axis_codes(std::size_t patches, std::size_t patch_size,
                                            double sigma) {
  std::vector<std::vector<double>> codes(patches);
  const auto step = static_cast<double>(patch_size);
  const double end = step * static_cast<double>(patches) + lattice_margin;
  for (std::size_t p = 0; p < patches; ++p) {
    const double center = (static_cast<double>(p) + 0.5) * step;
    for (double bump = -lattice_margin; bump <= end; bump += lattice_step) {
      const double distance = (center - bump) / sigma;
      codes[p].push_back(kernels::exp_of_negative(-0.5 * distance * distance));
    }
  }
  return codes;
}

void append_scaled(std::vector<float>& row, std::span<const float> embedding, double share) {
  double sum = 0;
  for (const float value : embedding) sum += double{value} * double{value};
  const double scale = sum > 0 ? std::sqrt(share / sum) : 0;
  for (const float value : embedding) row.push_back(static_cast<float>(value * scale));
}

void append_place(std::vector<float>& row, std::span<const double> across,
                  std::span<const double> down, double share) {
  const double sum = squared_length(across) * squared_length(down);
  const double scale = sum > 0 ? std::sqrt(share / sum) : 0;
  for (const double y : down) {
    for (const double x : across) row.push_back(static_cast<float>(y * x * scale));
  }
}

void check(const Matrix<float>& embeddings, const PatchGrid& grid, const LocationPrior& prior) {
  require(embeddings.rows() == grid.size(), ErrorKind::invalid_input,
          "embeddings must have one row per patch of the grid");
  require(prior.sigma > 0 && std::isfinite(prior.sigma), ErrorKind::invalid_input,
          "the sigma of a location prior must be positive");
  require(prior.weight >= 0 && prior.weight <= 1, ErrorKind::invalid_input,
          "the weight of a location prior must lie between 0 and 1");
}

}  // namespace

Matrix<float> with_location(const Matrix<float>& embeddings, const PatchGrid& grid,
                            const LocationPrior& prior) {
  check(embeddings, grid, prior);
  if (grid.size() == 0) return embeddings;
  const auto across = axis_codes(grid.columns, grid.patch_size, prior.sigma);
  const auto down = axis_codes(grid.rows, grid.patch_size, prior.sigma);
  Matrix<float> result(0, embeddings.cols() + across[0].size() * down[0].size());
  for (Label patch = 0; patch < grid.size(); ++patch) {
    std::vector<float> row;
    append_scaled(row, embeddings.row(patch), 1 - prior.weight);
    append_place(row, across[patch % grid.columns], down[patch / grid.columns], prior.weight);
    result.push_row(row);
  }
  return result;
}

}  // namespace caos::vision
