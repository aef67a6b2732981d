#include "caos/landmarks/formats/json/coco_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caos/io/printable.hpp"
#include "caos/landmarks/formats/instances.hpp"
#include "caos/landmarks/formats/json/json_view.hpp"
#include "caos/landmarks/formats/table_builder.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

/// From the index of a pixel to its center.
constexpr double pixel_center = 0.5;

constexpr double code_missing = 0;
constexpr double code_hidden = 1;
constexpr double code_visible = 2;

bool is_marked(const Landmark& landmark) { return landmark.visibility != Visibility::missing; }

/// Identifiers are numbers or texts; which one does not matter.
std::string id_of(const JsonView& view) {
  if (!view.json().is_number() && !view.json().is_string()) view.refuse("not an identifier");
  return view.json().dump();
}

/// The note of the writer for a file without a visible keypoint, so that 1 is not read as visible.
constexpr const char* three_codes = "0, 1 and 2";

class Reader {
 public:
  Reader(JsonView root, const std::string& name, const InstanceOptions& options,
         const std::function<void(const std::string&)>& note)
      : root_(std::move(root)), name_(name), options_(options), note_(note) {}

  LandmarkTable read() {
    for (const JsonView& image : root_.at("images").items()) read_image(image);
    if (const auto categories = root_.find("categories")) {
      for (const JsonView& category : categories->items()) read_category(category);
    }
    binary_ = is_binary();
    for (const JsonView& object : root_.at("annotations").items()) {
      if (object.find("keypoints")) read_object(object);
    }
    if (binary_ && note_) say_binary();
    return instances_.settle(builder_.take(), options_, name_);
  }

 private:
  using Names = std::vector<std::string>;

  /// Whether keypoints are told apart by 0 and 1 alone, as in 300-W and WFLW.
  [[nodiscard]] bool is_binary() const {
    const auto info = root_.find("info");
    if (info && info->json().is_object() && info->json().value("visibility", "") == three_codes) {
      return false;
    }
    bool any = false;
    for (const JsonView& object : root_.at("annotations").items()) {
      const auto keypoints = object.find("keypoints");
      if (!keypoints || !keypoints->json().is_array()) continue;
      for (std::size_t i = 2; i < keypoints->json().size(); i += 3) {
        const Json& code = keypoints->json()[i];
        if (!code.is_number() || code.get<double>() == code_visible) return false;
        any = any || code.get<double>() == code_hidden;
      }
    }
    return any;
  }

  void say_binary() const {
    std::string text = fmt::format(
        "{}: no keypoint has visibility 2; 1 is read as visible and 0 as missing", name_);
    if (num_placed_ > 0) {
      text += fmt::format(" ({} keypoints with 0 have a position, which is not read)", num_placed_);
    }
    note_(text);
  }

  void read_image(const JsonView& view) {
    const JsonView file = view.at("file_name");
    if (file.text().empty()) file.refuse("is empty");
    const auto place = builder_.new_image(file.text());
    if (!place) file.refuse(fmt::format("'{}' is listed twice", printable(file.text())));
    if (const auto width = view.find("width")) builder_[*place].width = width->positive();
    if (const auto height = view.find("height")) builder_[*place].height = height->positive();
    const bool is_new = images_.emplace(id_of(view.at("id")), *place).second;
    if (!is_new) view.at("id").refuse("is also that of another image");
  }

  void read_category(const JsonView& view) {
    const auto keypoints = view.find("keypoints");
    Names names;
    std::set<std::string> seen;
    for (const JsonView& name : keypoints ? keypoints->items() : std::vector<JsonView>()) {
      if (name.text().empty()) name.refuse("is empty");
      if (!seen.insert(name.text()).second) name.refuse("is also the name of another keypoint");
      names.push_back(name.text());
    }
    const auto title = view.find("name");
    Category category{.keypoints = std::move(names),
                      .name = title && title->json().is_string() ? title->text() : ""};
    const bool is_new = categories_.emplace(id_of(view.at("id")), std::move(category)).second;
    if (!is_new) view.at("id").refuse("is also that of another category");
  }

  void read_object(const JsonView& view) {
    const auto image = images_.find(id_of(view.at("image_id")));
    if (image == images_.end()) view.at("image_id").refuse("not that of an image");
    const Category& category = category_of(view);
    const JsonView keypoints = view.at("keypoints");
    Instance instance{
        .id = fmt::format("{}", ++num_objects_),
        .other = category.name,
        .place = fmt::format("{}: {}: is a second object with keypoints", name_, view.path())};
    if (const auto id = view.find("id")) {
      instance.id = id->json().is_string() ? id->text() : id->json().dump();
    }
    instance.landmarks = read_keypoints(
        keypoints, category.keypoints.empty() ? numbered(keypoints) : category.keypoints);
    read_scores(view, instance.landmarks);
    instances_.add(image->second, std::move(instance));
  }

  /// keypoint_1, ... where the category does not name them.
  static Names numbered(const JsonView& keypoints) {
    Names names;
    for (std::size_t i = 1; i <= keypoints.items().size() / 3; ++i) {
      names.push_back(fmt::format("keypoint_{}", i));
    }
    return names;
  }

  struct Category {
    Names keypoints{};
    std::string name{};
  };

  const Category& category_of(const JsonView& view) const {
    const JsonView id = view.at("category_id");
    const auto found = categories_.find(id_of(id));
    if (found == categories_.end()) id.refuse("not that of a category with keypoints");
    return found->second;
  }

  /// What the writer says about proposals.
  static void read_scores(const JsonView& view, std::vector<Landmark>& landmarks) {
    const auto source = view.find("source");
    const auto scores = view.find("keypoint_scores");
    if (!source || !scores || !source->json().is_string() || source->text() != "proposed") return;
    const std::vector<JsonView> numbers = scores->items();
    if (numbers.size() != landmarks.size()) scores->refuse("must hold a number per keypoint");
    for (std::size_t i = 0; i < landmarks.size(); ++i) {
      if (!is_marked(landmarks[i]) || numbers[i].json().is_null()) continue;
      const double value = numbers[i].number();
      if (!(value >= 0 && value <= 1)) numbers[i].refuse("not a number from 0 to 1");
      landmarks[i].proposed = true;
      landmarks[i].conformity = value;
    }
  }

  std::vector<Landmark> read_keypoints(const JsonView& view, const Names& names) {
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

  Landmark keypoint(const std::string& name, const JsonView& x, const JsonView& y,
                    const JsonView& code) {
    const Visibility visibility = visibility_of(code);
    if (visibility == Visibility::missing) {
      const bool placed = x.json() != 0 || y.json() != 0;
      num_placed_ += placed ? 1 : 0;
      return {.name = name, .x = 0, .y = 0, .visibility = visibility};
    }
    return {.name = name,
            .x = x.coordinate() + pixel_center,
            .y = y.coordinate() + pixel_center,
            .visibility = visibility};
  }

  [[nodiscard]] Visibility visibility_of(const JsonView& view) const {
    const double code = view.number();
    if (code == code_missing) return Visibility::missing;
    if (code == code_hidden) return binary_ ? Visibility::visible : Visibility::hidden;
    if (code != code_visible) view.refuse("not a visibility; expected 0, 1 or 2");
    return Visibility::visible;
  }

  JsonView root_;
  const std::string& name_;
  const InstanceOptions& options_;
  const std::function<void(const std::string&)>& note_;
  bool binary_ = false;
  std::size_t num_objects_ = 0;
  std::size_t num_placed_ = 0;  // of visibility 0
  TableBuilder builder_;
  Instances instances_;
  std::unordered_map<std::string, std::size_t> images_;
  std::unordered_map<std::string, Category> categories_;
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

/// Where the keypoints come from: `score`, as in COCO's results, is the smallest of them.
void add_scores(Json& object, const std::vector<Landmark>& landmarks) {
  if (std::ranges::none_of(landmarks, &Landmark::proposed)) return;
  Json scores = Json::array();
  double least = 1;
  for (const Landmark& landmark : landmarks) {
    scores.push_back(landmark.conformity ? Json(*landmark.conformity) : Json(nullptr));
    least = std::min(least, landmark.conformity.value_or(1));
  }
  object["score"] = least;
  object["source"] = "proposed";
  object["keypoint_scores"] = std::move(scores);
}

Json object_json(const Annotation& annotation, std::size_t id) {
  Json keypoints = Json::array();
  for (const Landmark& landmark : annotation.landmarks) add_keypoint(keypoints, landmark);
  const Box box = box_around(annotation.landmarks);
  const double width = box.right - box.left;
  const double height = box.bottom - box.top;
  Json result = {{"id", id},
                 {"image_id", id},
                 {"category_id", 1},
                 {"keypoints", std::move(keypoints)},
                 {"num_keypoints", std::ranges::count_if(annotation.landmarks, is_marked)},
                 {"bbox", {box.left, box.top, width, height}},
                 {"area", width * height},
                 {"iscrowd", 0}};
  add_scores(result, annotation.landmarks);
  return result;
}

/// Whether 1 would be taken for visible.
bool lacks_visible(const LandmarkTable& table) {
  bool hidden = false;
  for (const Annotation& annotation : table.annotations) {
    for (const Landmark& landmark : annotation.landmarks) {
      if (landmark.visibility == Visibility::visible) return false;
      hidden = hidden || landmark.visibility == Visibility::hidden;
    }
  }
  return hidden;
}

}  // namespace

LandmarkTable parse_coco(std::string_view text, const std::string& name,
                         const InstanceOptions& options,
                         const std::function<void(const std::string&)>& note) {
  const Json json = parse_json(text, name);
  return Reader(JsonView(json, name), name, options, note).read();
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
  Json json = {{"images", std::move(images)},
               {"annotations", std::move(objects)},
               {"categories", Json::array({category})}};
  if (lacks_visible(table)) json["info"] = {{"visibility", three_codes}};
  return json_text(json);
}

}  // namespace caos::landmarks
