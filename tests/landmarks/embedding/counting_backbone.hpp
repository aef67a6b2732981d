#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/error.hpp"

namespace caos::test {

/// A backbone that remembers what it was asked. A patch is described by the color of its first
/// pixel and a one.
class CountingBackbone final : public vision::Backbone {
 public:
  struct Options {
    std::string identity = "counting";
    std::size_t batch_size = 1;
    bool is_parallel = false;
    bool fails = false;
  };

  explicit CountingBackbone(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::string identity() const override { return options_.identity; }
  [[nodiscard]] std::size_t patch_size() const override { return 16; }
  [[nodiscard]] std::size_t dimension() const override { return 4; }
  [[nodiscard]] std::size_t batch_size() const override { return options_.batch_size; }
  [[nodiscard]] bool is_parallel() const override { return options_.is_parallel; }

  [[nodiscard]] vision::PatchGrid grid_of(std::size_t width, std::size_t height) const override {
    require(width >= 16, ErrorKind::invalid_input, "counting: images must be 16 pixels wide");
    return vision::grid_over(width, height, 16);
  }

  [[nodiscard]] std::vector<Matrix<float>> embed(
      std::span<const vision::Image> images) const override {
    require(!options_.fails, ErrorKind::backend, "counting: out of memory");
    const std::lock_guard lock(mutex_);
    batches_.emplace_back();
    std::vector<Matrix<float>> result;
    for (const vision::Image& image : images) {
      batches_.back().push_back(grid_of(image.width, image.height));
      result.push_back(describe(image));
    }
    return result;
  }

  /// The grids of the images of each call.
  [[nodiscard]] const std::vector<std::vector<vision::PatchGrid>>& batches() const {
    return batches_;
  }
  [[nodiscard]] std::size_t num_images() const {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const auto& batch : batches_) count += batch.size();
    return count;
  }

  [[nodiscard]] static Matrix<float> describe(const vision::Image& image) {
    const vision::PatchGrid grid = vision::grid_over(image.width, image.height, 16);
    Matrix<float> rows(grid.size(), 4, 1.0F);
    for (Label patch = 0; patch < grid.size(); ++patch) {
      const auto x = static_cast<std::size_t>(grid.corner(patch).x);
      const auto y = static_cast<std::size_t>(grid.corner(patch).y);
      for (std::size_t c = 0; c < 3; ++c) rows(patch, c) = image.rgb[(y * image.width + x) * 3 + c];
    }
    return rows;
  }

 private:
  Options options_;
  mutable std::mutex mutex_;
  mutable std::vector<std::vector<vision::PatchGrid>> batches_;
};

}  // namespace caos::test
