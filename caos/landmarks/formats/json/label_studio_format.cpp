#include "caos/landmarks/formats/json/label_studio_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/landmarks/formats/json/json_view.hpp"
#include "caos/landmarks/formats/table_builder.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

constexpr double percent = 100;
/// How large Label Studio draws a point, in percent of the width.
constexpr double point_size = 0.5;
/// The model version of the predictions that the writer writes.
constexpr const char* own_model = "caos";

bool is_hexadecimal(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// "%20" is a space.
std::string without_percent_signs(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const bool coded =
        text.size() > 2 && text[0] == '%' && is_hexadecimal(text[1]) && is_hexadecimal(text[2]);
    unsigned char code = 0;
    if (coded) std::from_chars(text.data() + 1, text.data() + 3, code, 16);
    result += coded ? static_cast<char>(code) : text[0];
    text.remove_prefix(coded ? 3 : 1);
  }
  return result;
}

std::string_view last_part(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

/// Uploads are stored as "1a2b3c4d-name.jpg".
std::string_view without_upload_mark(std::string_view file) {
  constexpr std::size_t length = 8;
  const bool marked = file.size() > length + 1 && file[length] == '-' &&
                      std::ranges::all_of(file.substr(0, length), is_hexadecimal);
  return marked ? file.substr(length + 1) : file;
}

/// The file that an address in `data.image` leads to.
std::string file_of(std::string_view address) {
  constexpr std::string_view local = "/data/local-files/?d=";
  if (address.starts_with(local)) return without_percent_signs(address.substr(local.size()));
  const bool upload = address.starts_with("/data/upload/");
  const bool url = address.find("://") != std::string_view::npos;
  if (!upload && !url) return std::string(address);
  const std::string file =
      without_percent_signs(last_part(address.substr(0, address.find_first_of("?#"))));
  return std::string(upload ? without_upload_mark(file) : file);
}

class Reader {
 public:
  Reader(JsonView root, const std::string& name, const InstanceOptions& options)
      : root_(std::move(root)), name_(name), options_(options) {}

  LandmarkTable read() {
    for (const JsonView& task : root_.items()) read_task(task);
    return instances_.settle(builder_.take(), options_, name_);
  }

 private:
  void read_task(const JsonView& task) {
    if (!task.find("data")) {
      task.refuse("has no 'data'; export from Label Studio as JSON, not as JSON-MIN");
    }
    const std::string image = image_of(task);
    const auto place = builder_.new_image(image);
    if (!place) task.refuse(fmt::format("image '{}' has a task already", printable(image)));
    describe(builder_[*place], task.at("data"));
    if (const auto annotation = annotation_of(task))
      read_annotation(*annotation, *place, false);
    else if (const auto prediction = own_prediction(task))
      read_annotation(*prediction, *place, true);
  }

  /// What the writer proposed; predictions of other models are not read.
  static std::optional<JsonView> own_prediction(const JsonView& task) {
    const auto predictions = task.find("predictions");
    if (!predictions) return std::nullopt;
    for (const JsonView& prediction : predictions->items()) {
      if (!prediction.json().is_object()) continue;  // Label Studio lists ids alone, too
      const auto model = prediction.find("model_version");
      if (model && model->json().is_string() && model->text() == own_model) return prediction;
    }
    return std::nullopt;
  }

  static std::string image_of(const JsonView& task) {
    const auto address = task.at("data").find("image");
    const auto upload = task.find("file_upload");
    std::string file;
    if (address) {
      file = file_of(address->text());
    } else if (upload) {
      file = without_upload_mark(upload->text());
    }
    if (file.empty()) task.refuse("has no file name in data.image or file_upload");
    return file;
  }

  /// `data` is the user's own: what is of another type has another meaning.
  static void describe(Annotation& annotation, const JsonView& data) {
    const auto subject = data.find("subject");
    if (subject && subject->json().is_string()) annotation.subject = subject->text();
    if (const auto scale = data.find("mm_per_pixel")) {
      annotation.scale = scale->number();
      if (!(*annotation.scale > 0)) scale->refuse("not a positive number");
    }
    annotation.width = size_in(data, "width");
    annotation.height = size_in(data, "height");
  }

  static std::optional<std::size_t> size_in(const JsonView& data, const char* key) {
    const auto size = data.find(key);
    if (!size || !size->json().is_number_unsigned()) return std::nullopt;
    return size->positive();
  }

  /// The one that was not skipped, if there is any.
  static std::optional<JsonView> annotation_of(const JsonView& task) {
    const auto annotations = task.find("annotations");
    std::optional<JsonView> result;
    if (!annotations) return result;
    for (const JsonView& annotation : annotations->items()) {
      const auto canceled = annotation.find("was_cancelled");
      if (canceled && canceled->truth()) continue;
      if (result) annotation.refuse("is a second annotation of one task; expected one");
      result = annotation;
    }
    return result;
  }

  /// Keypoints may be related to rectangles, which are then the instances of the image.
  void read_annotation(const JsonView& annotation, std::size_t place, bool proposed) {
    std::map<std::string, std::size_t> boxes;  // by id
    std::map<std::string, std::string> relations;
    std::vector<Instance> instances;
    const std::vector<JsonView> regions = annotation.at("result").items();
    for (const JsonView& region : regions) {
      const auto type = region.find("type");
      if (!type) continue;
      if (type->text() == "rectanglelabels") read_box(region, boxes, instances);
      if (type->text() == "relation") {
        relations.emplace(region.at("from_id").text(), region.at("to_id").text());
      }
    }
    for (const JsonView& region : regions) {
      const auto type = region.find("type");
      if (!type || type->text() != "keypointlabels") continue;
      const auto id = region.find("id");
      const auto relation =
          id && id->json().is_string() ? relations.find(id->text()) : relations.end();
      const auto box = relation == relations.end() ? boxes.end() : boxes.find(relation->second);
      const bool is_new = box == boxes.end()
                              ? builder_.add(place, read_keypoint(region, place, proposed))
                              : add(instances[box->second], read_keypoint(region, place, proposed));
      if (!is_new) refuse_twice(region);
    }
    std::vector<Landmark> shared = std::move(builder_[place].landmarks);
    builder_[place].landmarks.clear();
    for (const Landmark& landmark : shared) (void)instances_.add_shared(place, landmark);
    for (Instance& instance : instances) {
      if (!instance.landmarks.empty()) instances_.add(place, std::move(instance));
    }
  }

  void read_box(const JsonView& region, std::map<std::string, std::size_t>& boxes,
                std::vector<Instance>& instances) const {
    const auto id = region.find("id");
    if (!id || !id->json().is_string()) return;
    const std::vector<JsonView> labels = region.at("value").at("rectanglelabels").items();
    Instance instance{
        .id = labels.empty() ? fmt::format("{}", instances.size() + 1) : labels[0].text(),
        .place = fmt::format("{}: {}: is a second instance with keypoints", name_, region.path())};
    if (boxes.emplace(id->text(), instances.size()).second) {
      instances.push_back(std::move(instance));
    }
  }

  static bool add(Instance& instance, Landmark landmark) {
    const auto same = std::ranges::find(instance.landmarks, landmark.name, &Landmark::name);
    if (same != instance.landmarks.end()) return false;
    instance.landmarks.push_back(std::move(landmark));
    return true;
  }

  [[noreturn]] static void refuse_twice(const JsonView& region) {
    region.refuse(
        fmt::format("landmark '{}' is given twice; relate the keypoints of several "
                    "instances to rectangles, one for each",
                    printable(label_of(region.at("value").at("keypointlabels")))));
  }

  Landmark read_keypoint(const JsonView& region, std::size_t place, bool proposed) {
    const auto turned = region.find("image_rotation");
    if (turned && turned->number() != 0) turned->refuse("is not 0; turn the image back");
    Annotation& annotation = builder_[place];
    agree(annotation.width, region.at("original_width"));
    agree(annotation.height, region.at("original_height"));
    const JsonView value = region.at("value");
    const std::string& name = label_of(value.at("keypointlabels"));
    Landmark landmark{.name = name,
                      .x = pixels(value.at("x"), *annotation.width),
                      .y = pixels(value.at("y"), *annotation.height)};
    landmark.proposed = proposed;
    const auto score = proposed ? region.find("score") : std::nullopt;
    if (score) {
      landmark.conformity = score->number();
      if (!(*landmark.conformity >= 0 && *landmark.conformity <= 1)) {
        score->refuse("not a number from 0 to 1");
      }
    }
    return landmark;
  }

  static void agree(std::optional<std::size_t>& known, const JsonView& said) {
    if (known && *known != said.positive()) said.refuse("is another one than before");
    known = said.positive();
  }

  static double pixels(const JsonView& view, std::size_t size) {
    const double result = view.coordinate() * static_cast<double>(size) / percent;
    if (!is_coordinate(result)) view.refuse("not a valid position in the image");
    return result;
  }

  static const std::string& label_of(const JsonView& labels) {
    const std::vector<JsonView> items = labels.items();
    if (items.size() != 1) labels.refuse("must hold one label");
    if (items[0].text().empty()) items[0].refuse("is empty");
    return items[0].text();
  }

  JsonView root_;
  const std::string& name_;
  const InstanceOptions& options_;
  TableBuilder builder_;
  Instances instances_;
};

Json data_json(const Annotation& annotation) {
  Json data = {{"image", annotation.image}};
  if (annotation.subject) data["subject"] = *annotation.subject;
  if (annotation.scale) data["mm_per_pixel"] = *annotation.scale;
  if (annotation.width) data["width"] = *annotation.width;
  if (annotation.height) data["height"] = *annotation.height;
  return data;
}

Json region_json(const Annotation& annotation, const Landmark& landmark, std::size_t id) {
  require(annotation.width && annotation.height, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "image '{}': Label Studio counts in percent of the image; give the size of the images",
        io::printable_path(annotation.image));
  });
  const Json value = {{"x", landmark.x * percent / static_cast<double>(*annotation.width)},
                      {"y", landmark.y * percent / static_cast<double>(*annotation.height)},
                      {"width", point_size},
                      {"keypointlabels", Json::array({landmark.name})}};
  Json region = {{"id", fmt::format("keypoint-{}", id)},
                 {"type", "keypointlabels"},
                 {"from_name", "label"},
                 {"to_name", "image"},
                 {"original_width", *annotation.width},
                 {"original_height", *annotation.height},
                 {"image_rotation", 0},
                 {"value", value}};
  if (landmark.conformity) region["score"] = *landmark.conformity;
  return region;
}

Json task_json(const Annotation& annotation, std::size_t id) {
  Json regions = Json::array();
  for (const Landmark& landmark : annotation.landmarks) {
    if (landmark.visibility == Visibility::missing) continue;
    regions.push_back(region_json(annotation, landmark, regions.size() + 1));
  }
  Json result;
  result["result"] = std::move(regions);
  Json task = {{"id", id}, {"data", data_json(annotation)}};
  if (std::ranges::none_of(annotation.landmarks, &Landmark::proposed)) {
    task["annotations"] = Json::array({result});
    return task;
  }
  result["model_version"] = own_model;
  task["annotations"] = Json::array();
  task["predictions"] = Json::array({result});
  return task;
}

}  // namespace

LandmarkTable parse_label_studio(std::string_view text, const std::string& name,
                                 const InstanceOptions& options) {
  const Json json = parse_json(text, name);
  return Reader(JsonView(json, name), name, options).read();
}

std::string write_label_studio(const LandmarkTable& table) {
  check_table(table);
  Json tasks = Json::array();
  for (const Annotation& annotation : table.annotations) {
    tasks.push_back(task_json(annotation, tasks.size() + 1));
  }
  return json_text(tasks);
}

}  // namespace caos::landmarks
