#include "caos/landmarks/formats/label_studio_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/landmarks/formats/json_view.hpp"
#include "caos/landmarks/formats/table_builder.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

constexpr double percent = 100;
/// How large Label Studio draws a point, in percent of the width.
constexpr double point_size = 0.5;

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
  explicit Reader(JsonView root) : root_(std::move(root)) {}

  LandmarkTable read() {
    for (const JsonView& task : root_.items()) read_task(task);
    return builder_.take();
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
    if (const auto annotation = annotation_of(task)) read_annotation(*annotation, *place);
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
      if (!(*annotation.scale > 0)) scale->refuse("is not a positive number");
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
      const auto cancelled = annotation.find("was_cancelled");
      if (cancelled && cancelled->truth()) continue;
      if (result) annotation.refuse("is a second annotation of one task; expected one");
      result = annotation;
    }
    return result;
  }

  void read_annotation(const JsonView& annotation, std::size_t place) {
    for (const JsonView& region : annotation.at("result").items()) {
      const auto type = region.find("type");
      if (type && type->text() == "keypointlabels") read_keypoint(region, place);
    }
  }

  void read_keypoint(const JsonView& region, std::size_t place) {
    const auto turned = region.find("image_rotation");
    if (turned && turned->number() != 0) turned->refuse("is not 0; turn the image back");
    Annotation& annotation = builder_[place];
    agree(annotation.width, region.at("original_width"));
    agree(annotation.height, region.at("original_height"));
    const JsonView value = region.at("value");
    const std::string& name = label_of(value.at("keypointlabels"));
    const bool is_new = builder_.add(place, {.name = name,
                                             .x = pixels(value.at("x"), *annotation.width),
                                             .y = pixels(value.at("y"), *annotation.height)});
    if (!is_new) region.refuse(fmt::format("landmark '{}' is given twice", printable(name)));
  }

  static void agree(std::optional<std::size_t>& known, const JsonView& said) {
    if (known && *known != said.positive()) said.refuse("is another one than before");
    known = said.positive();
  }

  static double pixels(const JsonView& view, std::size_t size) {
    const double result = view.coordinate() * static_cast<double>(size) / percent;
    if (!is_coordinate(result)) view.refuse("is no position in the image");
    return result;
  }

  static const std::string& label_of(const JsonView& labels) {
    const std::vector<JsonView> items = labels.items();
    if (items.size() != 1) labels.refuse("must hold one label");
    if (items[0].text().empty()) items[0].refuse("is empty");
    return items[0].text();
  }

  JsonView root_;
  TableBuilder builder_;
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
        printable(annotation.image));
  });
  const Json value = {{"x", landmark.x * percent / static_cast<double>(*annotation.width)},
                      {"y", landmark.y * percent / static_cast<double>(*annotation.height)},
                      {"width", point_size},
                      {"keypointlabels", Json::array({landmark.name})}};
  return {{"id", fmt::format("keypoint-{}", id)},
          {"type", "keypointlabels"},
          {"from_name", "label"},
          {"to_name", "image"},
          {"original_width", *annotation.width},
          {"original_height", *annotation.height},
          {"image_rotation", 0},
          {"value", value}};
}

Json task_json(const Annotation& annotation, std::size_t id) {
  Json regions = Json::array();
  for (const Landmark& landmark : annotation.landmarks) {
    if (landmark.visibility == Visibility::missing) continue;
    regions.push_back(region_json(annotation, landmark, regions.size() + 1));
  }
  Json result;
  result["result"] = std::move(regions);
  return {{"id", id}, {"data", data_json(annotation)}, {"annotations", Json::array({result})}};
}

}  // namespace

LandmarkTable parse_label_studio(std::string_view text, const std::string& name) {
  const Json json = parse_json(text, name);
  return Reader(JsonView(json, name)).read();
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
