#pragma once

#include "caos/backbone.hpp"

namespace caos::vision {

/// The descriptors that are always there: histograms of gradient directions around each patch, at
/// three scales, as numbers of Euclidean length 1. Fixed, nothing is fitted, and the same bits on
/// every machine.
/// Gray = 0.299 R + 0.587 G + 0.114 B, padded to whole patches by repeating the edges, blurred
/// (sigma 1), central differences, 8 directions weighted by magnitude with linear interpolation
/// between them. For c = 8, 16, 32: means over (c + 1) x (c + 1) pixels on a 4 x 4 lattice of
/// spacing c about the patch center, 128 values e with the sum t.
///
/// `builtin`, 384 numbers: sqrt((e + 0.001) / (t + 0.128)) / sqrt(3).
/// `builtin-2`, 387 numbers: sqrt(e / (t + 4)) / sqrt(3), then sqrt(4 / (t + 4)) / sqrt(3) of the
/// three scales. White noise of one gray level has t = 4. So what is flat but for noise is like
/// other flat patches and unlike those with texture, whose similarity it would share otherwise.
class BuiltinBackbone final : public Backbone {
 public:
  enum class Version { one, two };

  explicit BuiltinBackbone(Version version = Version::one) : version_(version) {}

  [[nodiscard]] std::string identity() const override {
    return version_ == Version::one ? "builtin:1" : "builtin:2";
  }
  [[nodiscard]] std::size_t patch_size() const override { return 16; }
  [[nodiscard]] std::size_t dimension() const override {
    return version_ == Version::one ? 384 : 387;
  }
  [[nodiscard]] std::size_t batch_size() const override { return 1; }
  [[nodiscard]] bool is_parallel() const override { return false; }
  [[nodiscard]] PointDescriptor point_descriptor() const override {
    return version_ == Version::one ? PointDescriptor::builtin : PointDescriptor::builtin_2;
  }
  [[nodiscard]] PatchGrid grid_of(std::size_t width, std::size_t height) const override;
  [[nodiscard]] std::vector<Matrix<float>> embed(std::span<const Image> images) const override;

 private:
  Version version_;
};

}  // namespace caos::vision
