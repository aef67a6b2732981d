#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

#include "apps/cli/experiments/experiment_output.hpp"
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

/// The size of a method's set at the first alpha; null where the method was not run.
Json size_of(const ExperimentOutput& output, Method method, std::size_t t, std::size_t position) {
  const Miscoverage& alpha = output.options.alphas.at(0);
  for (const LandmarkMethodResult& result : output.experiment.first.methods) {
    if (result.method == method && result.alpha == alpha) return result.outcomes[t][position].size;
  }
  return nullptr;
}

/// Outcomes are kept for test images that have the landmark: the place of test image `x` there.
std::size_t position_of(const ExperimentOutput& output, std::size_t x, std::size_t landmark) {
  const Indices& test = output.splits.front().test;
  return static_cast<std::size_t>(std::count_if(
      test.begin(), test.begin() + static_cast<std::ptrdiff_t>(x),
      [&](auto i) { return output.images.patches.labels(i, landmark) != missing_label; }));
}

Json points_json(const ExperimentOutput& output, std::size_t x) {
  const std::size_t i = output.splits.front().test[x];
  Json json = Json::array();
  for (std::size_t t = 0; t < output.experiment.landmarks.size(); ++t) {
    const std::size_t landmark = output.experiment.landmarks[t];
    if (output.images.patches.labels(i, landmark) == missing_label) continue;
    const vision::Point point = output.images.points(i, landmark);
    const std::size_t position = position_of(output, x, landmark);
    json.push_back({{"landmark", output.images.patches.tasks[landmark]},
                    {"x", point.x},
                    {"y", point.y},
                    {"scos", size_of(output, Method::scos, t, position)},
                    {"caos", size_of(output, Method::caos, t, position)}});
  }
  return json;
}

}  // namespace

Json example_images(const ExperimentOutput& output) {
  Json json = Json::array();
  if (output.images.files.empty()) return json;
  const Indices& test = output.splits.front().test;
  for (std::size_t x = 0; x < std::min(num_examples, test.size()); ++x) {
    const vision::Frame& frame = output.images.frames[test[x]];
    json.push_back({{"name", output.images.names[test[x]]},
                    {"width", frame.width},
                    {"height", frame.height},
                    {"jpeg", jpeg_of(output.images.files[test[x]], output.decode)},
                    {"points", points_json(output, x)}});
  }
  return json;
}

}  // namespace caos::cli
