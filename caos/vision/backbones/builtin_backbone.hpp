#pragma once

#include "caos/backbone.hpp"

namespace caos::vision {

/// The descriptor that is always there: histograms of gradient directions around each patch, at
/// three scales, 384 numbers of Euclidean length 1. Fixed, nothing is fitted, and the same bits on
/// every machine.
/// Grey = 0.299 R + 0.587 G + 0.114 B, padded to whole patches by repeating the edges, blurred
/// (sigma 1), central differences, 8 directions weighted by magnitude with linear interpolation
/// between them. For c = 8, 16, 32: means over (c + 1) x (c + 1) pixels on a 4 x 4 lattice of
/// spacing c about the patch centre, plus 0.001, divided by their sum, square root; all three
/// divided by sqrt(3).
class BuiltinBackbone final : public Backbone {
 public:
  [[nodiscard]] std::string identity() const override { return "builtin:1"; }
  [[nodiscard]] std::size_t patch_size() const override { return 16; }
  [[nodiscard]] std::size_t dimension() const override { return 384; }
  [[nodiscard]] std::size_t batch_size() const override { return 1; }
  [[nodiscard]] bool is_parallel() const override { return false; }
  [[nodiscard]] PatchGrid grid_of(std::size_t width, std::size_t height) const override;
  [[nodiscard]] std::vector<Matrix<float>> embed(std::span<const Image> images) const override;
};

}  // namespace caos::vision
