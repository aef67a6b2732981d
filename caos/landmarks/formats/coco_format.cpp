#include "caos/landmarks/formats/coco_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caos/io/printable.hpp"
#include "caos/landmarks/formats/json_view.hpp"
#include "caos/landmarks/formats/table_builder.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

/// From the index of a pixel to its centre.
constexpr double pixel_center = 0.5;

constexpr double code_missing = 0;
constexpr double code_hidden = 1;
constexpr double code_visible = 2;

bool is_marked(const Landmark& landmark) { return landmark.visibility != Visibility::missing; }

/// Identifiers are numbers or texts; which one does not matter.
std::string id_of(const JsonView& view) {
  if (!view.json().is_number() && !view.json().is_string()) view.refuse("is no identifier");
  return view.json().dump();
}

class Reader {
 public:
  explicit Reader(JsonView root) : root_(std::move(root)) {}

  LandmarkTable read() {
    for (const JsonView& image : root_.at("images").items()) read_image(image);
    if (const auto categories = root_.find("categories")) {
      for (const JsonView& category : categories->items()) read_category(category);
    }
    for (const JsonView& object : root_.at("annotations").items()) {
      if (object.find("keypoints")) read_object(object);
    }
    return builder_.take();
  }

 private:
  using Names = std::vector<std::string>;

  void read_image(const JsonView& view) {
    const JsonView file = view.at("file_name");
    if (file.text().empty()) file.refuse("is empty");
    const auto place = builder_.new_image(file.text());
    if (!place) file.refuse(fmt::format("'{}' is listed twice", printable(file.text())));
    if (const auto width = view.find("width")) builder_[*place].width = width->positive();
    if (const auto height = view.find("height")) builder_[*place].height = height->positive();
    const bool is_new = images_.emplace(id_of(view.at("id")), *place).second;
    if (!is_new) view.at("id").refuse("is that of another image too");
  }

  void read_category(const JsonView& view) {
    const auto keypoints = view.find("keypoints");
    if (!keypoints) return;
    Names names;
    std::set<std::string> seen;
    for (const JsonView& name : keypoints->items()) {
      if (name.text().empty()) name.refuse("is empty");
      if (!seen.insert(name.text()).second) name.refuse("is the name of another keypoint too");
      names.push_back(name.text());
    }
    const bool is_new = categories_.emplace(id_of(view.at("id")), std::move(names)).second;
    if (!is_new) view.at("id").refuse("is that of another category too");
  }

  void read_object(const JsonView& view) {
    const auto image = images_.find(id_of(view.at("image_id")));
    if (image == images_.end()) view.at("image_id").refuse("is not that of an image");
    std::vector<Landmark> landmarks = read_keypoints(view.at("keypoints"), names_of(view));
    Annotation& annotation = builder_[image->second];
    const bool marked = std::ranges::any_of(landmarks, is_marked);
    if (marked && std::ranges::any_of(annotation.landmarks, is_marked)) {
      view.refuse(fmt::format("is a second object with keypoints in image '{}'; expected one",
                              printable(annotation.image)));
    }
    if (marked || annotation.landmarks.empty()) annotation.landmarks = std::move(landmarks);
  }

  const Names& names_of(const JsonView& view) const {
    const JsonView id = view.at("category_id");
    const auto found = categories_.find(id_of(id));
    if (found == categories_.end()) id.refuse("is not that of a category with keypoints");
    return found->second;
  }

  static std::vector<Landmark> read_keypoints(const JsonView& view, const Names& names) {
    const std::vector<JsonView> numbers = view.items();
    if (numbers.size() != 3 * names.size()) {
      view.refuse(fmt::format("has {} numbers; {} keypoints need {}", numbers.size(), names.size(),
                              3 * names.size()));
    }
    std::vector<Landmark> landmarks;
    for (std::size_t i = 0; i < names.size(); ++i) {
      landmarks.push_back(
          keypoint(names[i], numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]));
    }
    return landmarks;
  }

  static Landmark keypoint(const std::string& name, const JsonView& x, const JsonView& y,
                           const JsonView& code) {
    const Visibility visibility = visibility_of(code);
    if (visibility == Visibility::missing) {
      return {.name = name, .x = 0, .y = 0, .visibility = visibility};
    }
    return {.name = name,
            .x = x.coordinate() + pixel_center,
            .y = y.coordinate() + pixel_center,
            .visibility = visibility};
  }

  static Visibility visibility_of(const JsonView& view) {
    const double code = view.number();
    if (code == code_missing) return Visibility::missing;
    if (code == code_hidden) return Visibility::hidden;
    if (code != code_visible) view.refuse("is no visibility; expected 0, 1 or 2");
    return Visibility::visible;
  }

  JsonView root_;
  TableBuilder builder_;
  std::unordered_map<std::string, std::size_t> images_;
  std::unordered_map<std::string, Names> categories_;
};

Json image_json(const Annotation& annotation, std::size_t id) {
  Json json = {{"id", id}, {"file_name", annotation.image}};
  if (annotation.width) json["width"] = *annotation.width;
  if (annotation.height) json["height"] = *annotation.height;
  return json;
}

void add_keypoint(Json& keypoints, const Landmark& landmark) {
  if (!is_marked(landmark)) {
    for (int i = 0; i < 3; ++i) keypoints.push_back(0);
    return;
  }
  keypoints.push_back(landmark.x - pixel_center);
  keypoints.push_back(landmark.y - pixel_center);
  keypoints.push_back(landmark.visibility == Visibility::visible ? 2 : 1);
}

/// From the upper left corner, unlike keypoints: COCO's boxes are continuous.
struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

Box box_around(const std::vector<Landmark>& landmarks) {
  Box box;
  bool first = true;
  for (const Landmark& l : landmarks) {
    if (!is_marked(l)) continue;
    if (std::exchange(first, false)) box = {l.x, l.y, l.x, l.y};
    box = {std::min(box.left, l.x), std::min(box.top, l.y), std::max(box.right, l.x),
           std::max(box.bottom, l.y)};
  }
  return box;
}

Json object_json(const Annotation& annotation, std::size_t id) {
  Json keypoints = Json::array();
  for (const Landmark& landmark : annotation.landmarks) add_keypoint(keypoints, landmark);
  const Box box = box_around(annotation.landmarks);
  const double width = box.right - box.left;
  const double height = box.bottom - box.top;
  return {{"id", id},
          {"image_id", id},
          {"category_id", 1},
          {"keypoints", std::move(keypoints)},
          {"num_keypoints", std::ranges::count_if(annotation.landmarks, is_marked)},
          {"bbox", {box.left, box.top, width, height}},
          {"area", width * height},
          {"iscrowd", 0}};
}

}  // namespace

LandmarkTable parse_coco(std::string_view text, const std::string& name) {
  const Json json = parse_json(text, name);
  return Reader(JsonView(json, name)).read();
}

std::string write_coco(const LandmarkTable& table) {
  check_table(table);
  Json images = Json::array();
  Json objects = Json::array();
  std::size_t id = 0;
  for (const Annotation& annotation : with_all_landmarks(table).annotations) {
    images.push_back(image_json(annotation, ++id));
    objects.push_back(object_json(annotation, id));
  }
  const Json category = {{"id", 1},
                         {"name", "object"},
                         {"supercategory", "object"},
                         {"keypoints", table.landmark_names()},
                         {"skeleton", Json::array()}};
  return json_text({{"images", std::move(images)},
                    {"annotations", std::move(objects)},
                    {"categories", Json::array({category})}});
}

}  // namespace caos::landmarks
