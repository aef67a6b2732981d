#include "caos/vision/codecs/bmp_runs.hpp"

#include <utility>

#include "caos/vision/codecs/refuse_image.hpp"

namespace caos::vision {
namespace {

using Bytes = std::span<const std::byte>;

class RunReader {
 public:
  RunReader(Bytes code, std::size_t bits, std::size_t width, std::size_t height,
            const std::string& name)
      : code_(code), bits_(bits), width_(width), height_(height), name_(name) {
    indices_.resize(width * height);
  }

  std::vector<std::uint8_t> read() && {
    while (!is_done()) {
      const std::size_t count = take();
      const std::size_t value = take();
      if (count > 0) {
        repeat(count, value);
      } else if (value > 2) {
        copy(value);
      } else {
        skip(value);
      }
    }
    return std::move(indices_);
  }

 private:
  /// The code that ends the last row, or the image, may be missing.
  [[nodiscard]] bool is_done() const {
    return y_ >= height_ || (y_ + 1 == height_ && x_ == width_);
  }

  std::size_t take() {
    if (at_ >= code_.size()) {
      refuse(name_, "is truncated: it ends before its last pixels; save or copy it again");
    }
    return static_cast<std::size_t>(code_[at_++]);
  }

  void next_row() {
    x_ = 0;
    ++y_;
  }

  /// Where the next pixel goes. The code that ends a full row may be missing.
  void begin_run(std::size_t count) {
    if (x_ == width_) next_row();
    if (y_ >= height_ || count > width_ - x_) refuse(name_, "is damaged; save or copy it again");
  }

  void put(std::size_t index) { indices_[y_ * width_ + x_++] = static_cast<std::uint8_t>(index); }

  void repeat(std::size_t count, std::size_t value) {
    begin_run(count);
    for (std::size_t i = 0; i < count; ++i) {
      put(bits_ == 8 ? value : (i % 2 == 0 ? value >> 4 : value & 15));
    }
  }

  /// Pixels as they are, filled up to an even number of bytes.
  void copy(std::size_t count) {
    begin_run(count);
    const std::size_t start = at_;
    std::size_t pair = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (bits_ == 8 || i % 2 == 0) pair = take();
      put(bits_ == 8 ? pair : (i % 2 == 0 ? pair >> 4 : pair & 15));
    }
    if ((at_ - start) % 2 == 1) (void)take();
  }

  void skip(std::size_t what) {
    constexpr std::size_t end_of_row = 0;
    constexpr std::size_t end_of_image = 1;
    if (what == end_of_row) return next_row();
    if (what == end_of_image) {
      y_ = height_;
      return;
    }
    const std::size_t right = take();
    const std::size_t rows = take();
    begin_run(right);
    x_ += right;
    y_ += rows;
  }

  Bytes code_;
  std::size_t bits_;
  std::size_t width_;
  std::size_t height_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::size_t x_ = 0;
  std::size_t y_ = 0;
  std::vector<std::uint8_t> indices_{};
};

}  // namespace

std::vector<std::uint8_t> bmp_indices_of_runs(Bytes code, std::size_t bits, std::size_t width,
                                              std::size_t height, const std::string& name) {
  return RunReader(code, bits, width, height, name).read();
}

}  // namespace caos::vision
