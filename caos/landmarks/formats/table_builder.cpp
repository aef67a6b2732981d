#include "caos/landmarks/formats/table_builder.hpp"

namespace caos::landmarks {

std::size_t TableBuilder::image(const std::string& name) {
  const auto [place, is_new] = images_.emplace(name, table_.annotations.size());
  if (is_new) {
    table_.annotations.push_back({.image = name});
    landmarks_.emplace_back();
  }
  return place->second;
}

std::optional<std::size_t> TableBuilder::new_image(const std::string& name) {
  if (images_.contains(name)) return std::nullopt;
  return image(name);
}

bool TableBuilder::add(std::size_t image, Landmark landmark) {
  const bool is_new = landmarks_[image].insert(landmark.name).second;
  if (is_new) table_.annotations[image].landmarks.push_back(std::move(landmark));
  return is_new;
}

}  // namespace caos::landmarks
