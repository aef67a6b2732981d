#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

#include "apps/cli/experiments/landmark_results.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/vision/codecs/encode.hpp"

namespace caos::cli {
namespace {

constexpr std::size_t num_examples = 3;
constexpr std::size_t longest_side = 800;

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t start = 0; start < bytes.size(); start += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - start);
    std::uint32_t three = 0;
    for (std::size_t b = 0; b < 3; ++b) {
      three = three << 8 | (b < count ? std::to_integer<std::uint32_t>(bytes[start + b]) : 0);
    }
    for (std::size_t digit = 0; digit < 4; ++digit) {
      text += digit <= count ? digits[three >> (18 - 6 * digit) & 63] : '=';
    }
  }
  return text;
}

/// A size that a page can show: no side is longer than `longest_side`.
vision::Frame page_frame(const vision::Image& image) {
  const double scale = std::min(1.0, static_cast<double>(longest_side) /
                                         static_cast<double>(std::max(image.width, image.height)));
  const auto scaled = [&](std::size_t side) {
    return std::max<std::size_t>(
        1, static_cast<std::size_t>(std::lround(scale * static_cast<double>(side))));
  };
  vision::Frame frame{.width = image.width, .height = image.height};
  frame.scaled_width = frame.working_width = scaled(image.width);
  frame.scaled_height = frame.working_height = scaled(image.height);
  return frame;
}

std::string jpeg_of(const std::string& path, const vision::DecodeOptions& options) {
  const io::MappedFile file = io::MappedFile::read(path);
  const vision::Image image = vision::decode_image(file.bytes(), path, options);
  return base64(vision::encode_jpeg(vision::to_working(image, page_frame(image))));
}

/// The size of a method's set at the first alpha; nothing where the method was not results.
std::optional<double> size_of(const LandmarkResults& results, Method method, std::size_t t,
                              std::size_t position) {
  const Miscoverage& alpha = results.options.alphas.at(0);
  for (const LandmarkMethodResult& result : results.experiment.first.methods) {
    if (result.method == method && result.alpha == alpha) return result.outcomes[t][position].size;
  }
  return std::nullopt;
}

/// Outcomes are kept for test images that have the landmark: the place of test image `x` there.
std::size_t position_of(const LandmarkResults& results, std::size_t x, std::size_t landmark) {
  const Indices& test = results.splits.front().test;
  return static_cast<std::size_t>(std::count_if(
      test.begin(), test.begin() + static_cast<std::ptrdiff_t>(x),
      [&](auto i) { return results.images.patches.labels(i, landmark) != missing_label; }));
}

std::vector<LandmarkImage::Point> points_of(const LandmarkResults& results, std::size_t x) {
  const std::size_t i = results.splits.front().test[x];
  std::vector<LandmarkImage::Point> points;
  for (std::size_t t = 0; t < results.experiment.landmarks.size(); ++t) {
    const std::size_t landmark = results.experiment.landmarks[t];
    if (results.images.patches.labels(i, landmark) == missing_label) continue;
    const vision::Point point = results.images.points(i, landmark);
    const std::size_t position = position_of(results, x, landmark);
    points.push_back({.landmark = results.images.patches.tasks[landmark],
                      .x = point.x,
                      .y = point.y,
                      .scos = size_of(results, Method::scos, t, position),
                      .caos = size_of(results, Method::caos, t, position)});
  }
  return points;
}

}  // namespace

std::vector<LandmarkImage> example_images(const LandmarkResults& results,
                                          const vision::DecodeOptions& decode) {
  std::vector<LandmarkImage> images;
  if (results.images.files.empty()) return images;
  const Indices& test = results.splits.front().test;
  for (std::size_t x = 0; x < std::min(num_examples, test.size()); ++x) {
    const vision::Frame& frame = results.images.frames[test[x]];
    images.push_back({.name = results.images.names[test[x]],
                      .width = frame.width,
                      .height = frame.height,
                      .jpeg = jpeg_of(results.images.files[test[x]], decode),
                      .points = points_of(results, x)});
  }
  return images;
}

}  // namespace caos::cli
