#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "caos/landmarks/formats/landmark_table.hpp"

// Shared by the readers of formats; not for users of the library.
namespace caos::landmarks {

/// A table in the making that notices what is said twice.
class TableBuilder {
 public:
  /// The index of the annotation of this image, made at its first mention.
  std::size_t image(const std::string& name);

  /// The index of a new annotation, or nothing if the image has one.
  std::optional<std::size_t> new_image(const std::string& name);

  /// Adds a landmark unless the image has one of that name; returns whether it did.
  bool add(std::size_t image, Landmark landmark);

  Annotation& operator[](std::size_t image) { return table_.annotations[image]; }

  LandmarkTable take() { return std::move(table_); }

 private:
  LandmarkTable table_;
  std::unordered_map<std::string, std::size_t> images_;
  std::vector<std::unordered_set<std::string>> landmarks_;  // by image
};

}  // namespace caos::landmarks
