#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "caos/landmarks/formats/landmark_table.hpp"
#include "caos/landmarks/formats/table_builder.hpp"

namespace caos::landmarks {

/// What becomes of an image that shows several annotated instances (animals, faces, ...).
enum class InstanceRule {
  refuse,
  largest,  ///< the one whose marked landmarks span the largest box; of equals the first
  first,    ///< in the order of the file
  each,     ///< each is an image of its own, called `image#instance`; the image is their subject
  by_id,
};

struct InstanceOptions {
  InstanceRule rule = InstanceRule::refuse;
  std::string id{};          ///< of the instance to read, with `by_id`
  bool as_subjects = false;  ///< the name of the instance is the subject of the image
};

/// From `error`, `largest`, `first` or `each`; any other text is the id of an instance.
[[nodiscard]] InstanceOptions parse_instances(const std::string& text);

/// One annotated instance in an image.
struct Instance {
  std::string id{};     ///< an individual, a track, a number; what `by_id` looks for
  std::string other{};  ///< another text that `by_id` accepts, such as a category; may be empty
  std::string place{};  ///< where it is in the file, as an error begins: "a.json: annotations[1]:"
  std::vector<Landmark> landmarks{};
};

/// The instances of all images of a file; readers add them, `settle` chooses.
class Instances {
 public:
  void add(std::size_t image, Instance instance);

  /// A landmark that the image has once, whatever the instance. Returns false if it has it already.
  bool add_shared(std::size_t image, const Landmark& landmark);

  /// The table with one instance per image. Several without a rule, and an id that no image has,
  /// are an Error bad_format that says how to choose. `name` is the file's.
  [[nodiscard]] LandmarkTable settle(LandmarkTable table, const InstanceOptions& options,
                                     const std::string& name) const;

 private:
  struct OfImage {
    std::vector<Instance> instances{};
    std::vector<Landmark> shared{};
  };

  std::map<std::size_t, OfImage> images_;
};

}  // namespace caos::landmarks
