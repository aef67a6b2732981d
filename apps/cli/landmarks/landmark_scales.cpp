#include "apps/cli/landmarks/landmark_scales.hpp"

#include <fmt/format.h>

#include <charconv>

#include "caos/error.hpp"
#include "caos/landmarks/formats/landmark_file.hpp"

namespace caos::cli {
namespace {

double parse_scale(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  require(error == std::errc() && end == text.data() + text.size() && value > 0 && value < 1e9,
          ErrorKind::invalid_input, [&] {
            return fmt::format("--scale: '{}' is not a positive number of millimeters per pixel",
                               text);
          });
  return value;
}

}  // namespace

Scales::Scales(const std::string& all, const std::string& file) {
  if (!all.empty()) all_ = parse_scale(all);
  if (file.empty()) return;
  landmarks::FileOptions options;
  // Positions do not matter here.
  options.tps = {.y = landmarks::TpsY::top, .curves = landmarks::TpsCurves::skip};
  options.instances.rule = landmarks::InstanceRule::first;
  for (const auto& annotation : landmarks::read_landmarks(file, options).annotations) {
    if (!annotation.scale) continue;
    images_.push_back(annotation.image);
    scales_.push_back(*annotation.scale);
  }
  index_.emplace(images_);
}

std::optional<double> Scales::of(const std::string& image) const {
  const auto found = index_ ? index_->find(image) : std::nullopt;
  return found ? scales_[*found] : all_;
}

}  // namespace caos::cli
