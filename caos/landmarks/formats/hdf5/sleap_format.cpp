#include "caos/landmarks/formats/hdf5/sleap_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/guarded_read.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"
#include "caos/landmarks/formats/hdf5/hdf5_file.hpp"
#include "caos/landmarks/formats/image_names.hpp"
#include "caos/landmarks/formats/json/json_view.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

/// From the center of a pixel, where SLEAP counts from, to its corner.
constexpr double pixel_center = 0.5;
/// The first format that counts from centers.
constexpr double centered_format = 1.1;
constexpr double predicted = 1;
constexpr const char* own_writer = "caos";

/// Numbers of a field that must be indices below `end`.
std::size_t index_of(const Hdf5File& file, const std::string& path, double value, std::size_t end) {
  if (!(value >= 0 && value < static_cast<double>(end))) {
    file.refuse(path, "refers to something that is not in the file");
  }
  return static_cast<std::size_t>(value);
}

/// Where the frames of one video come from.
struct Video {
  std::string name{};                        ///< as errors call it
  std::vector<std::string> files{};          ///< of image files, by frame
  std::string dataset{};                     ///< of embedded images
  std::string extension{};                   ///< of embedded images
  std::map<double, std::size_t> place_of{};  ///< of a frame in the dataset
};

class Videos {
 public:
  Videos(const Hdf5File& file, const std::string& name) : file_(file), name_(name) {
    const std::vector<std::string> texts = file.texts("videos_json");
    for (std::size_t i = 0; i < texts.size(); ++i) read(texts[i], i);
  }

  [[nodiscard]] std::size_t size() const { return videos_.size(); }
  [[nodiscard]] const Video& operator[](std::size_t i) const { return videos_[i]; }

  /// The name of a frame's image.
  [[nodiscard]] std::string image_of(std::size_t video, double frame) const {
    const Video& from = videos_[video];
    if (!from.dataset.empty()) {
      if (!from.place_of.contains(frame)) {
        file_.refuse(from.dataset, fmt::format("holds no image of the labeled frame {}", frame));
      }
      return fmt::format("video{}_{:06.0f}.{}", video, frame, from.extension);
    }
    if (from.files.empty()) {
      io::refuse(name_, fmt::format("frame {} is labeled in the video '{}', which is not a list of "
                                    "images; save a package with embedded images in SLEAP "
                                    "(.pkg.slp), or extract the frames as image files",
                                    frame, printable(last_part(from.name))));
    }
    if (!(frame >= 0 && frame < static_cast<double>(from.files.size()))) {
      io::refuse(name_, fmt::format("frame {} is labeled, but '{}' lists {} images", frame,
                                    printable(last_part(from.name)), from.files.size()));
    }
    return from.files[static_cast<std::size_t>(frame)];
  }

 private:
  void read(const std::string& text, std::size_t index) {
    const std::string place = fmt::format("{}: videos_json[{}]", name_, index);
    const Json json = parse_json(text, place);
    const JsonView root(json, place);
    const JsonView backend = root.at("backend");
    Video video;
    if (const auto names = backend.find("filenames")) add_files(video, *names);
    if (const auto file = backend.find("filename")) {
      if (file->json().is_array()) {
        if (video.files.empty()) add_files(video, *file);
      } else {
        video.name = file->text();
        if (video.files.empty() && has_image_extension(video.name)) video.files = {video.name};
      }
    }
    const auto dataset = backend.find("dataset");
    if (video.files.empty() && dataset && dataset->json().is_string() && video.name == ".") {
      embed(video, dataset->text());
    }
    videos_.push_back(std::move(video));
  }

  static void add_files(Video& video, const JsonView& names) {
    for (const JsonView& file : names.items()) video.files.push_back(file.text());
    if (!video.files.empty()) video.name = video.files[0];
  }

  void embed(Video& video, const std::string& dataset) const {
    const auto format = file_.has(dataset) ? file_.text_attribute(dataset, "format") : std::nullopt;
    if (!format || (*format != "png" && *format != "jpg" && *format != "jpeg")) {
      video.name = fmt::format("{} (images that are not encoded as png or jpg)", dataset);
      return;
    }
    video.dataset = dataset;
    video.extension = *format;
    const std::string numbers = dataset.substr(0, dataset.rfind('/') + 1) + "frame_numbers";
    const std::vector<std::size_t> shape = file_.shape(dataset);
    const std::size_t count = shape.empty() ? 0 : shape[0];
    if (file_.has(numbers)) {
      const std::vector<double> frames = file_.numbers(numbers);
      for (std::size_t i = 0; i < std::min(count, frames.size()); ++i) {
        video.place_of.emplace(frames[i], i);
      }
    } else {
      if (count > std::size_t{1} << 30) file_.refuse(dataset, "is too long");
      for (std::size_t i = 0; i < count; ++i) video.place_of.emplace(static_cast<double>(i), i);
    }
  }

  const Hdf5File& file_;
  const std::string& name_;
  std::vector<Video> videos_;
};

/// Labeled frames: which video, and which frame of it.
struct Frames {
  explicit Frames(const Hdf5File& file)
      : video(file.numbers("frames", "video")),
        frame(file.numbers("frames", "frame_idx")),
        first(file.numbers("frames", "instance_id_start")),
        last(file.numbers("frames", "instance_id_end")) {}

  std::vector<double> video;
  std::vector<double> frame;
  std::vector<double> first;
  std::vector<double> last;
};

struct Points {
  Points(const Hdf5File& file, const std::string& from, bool scored)
      : path(from),
        x(file.numbers(from, "x")),
        y(file.numbers(from, "y")),
        visible(file.numbers(from, "visible")),
        score(scored ? file.numbers(from, "score") : std::vector<double>()) {}

  std::string path;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> visible;
  std::vector<double> score;
};

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name)
      : file_(bytes, name), name_(name), metadata_(read_metadata()), videos_(file_, name_) {
    read_skeletons();
    const auto format = file_.number_attribute("metadata", "format_id");
    offset_ = format.value_or(centered_format) < centered_format ? 0 : pixel_center;
    for (const std::string& text : file_.texts("tracks_json")) tracks_.push_back(track_of(text));
  }

  LandmarkTable read(const InstanceOptions& options,
                     const std::function<void(const std::string&)>& note) {
    const Frames frames(file_);
    const Points placed(file_, "points", false);
    const Points proposed(file_, "pred_points", true);
    type_ = file_.numbers("instances", "instance_type");
    skeleton_ = file_.numbers("instances", "skeleton");
    track_ = file_.numbers("instances", "track");
    first_ = file_.numbers("instances", "point_id_start");
    last_ = file_.numbers("instances", "point_id_end");
    for (std::size_t i = 0; i < frames.frame.size(); ++i) read_frame(frames, i, placed, proposed);
    if (note && num_predicted_ > 0 && !is_own_) {
      note(
          fmt::format("{}: {} frames have predicted instances only, which are read like placed "
                      "ones",
                      name_, num_predicted_));
    }
    return instances_.settle(builder_.take(), options, name_);
  }

  [[nodiscard]] std::vector<EmbeddedImage> images() const {
    const Frames frames(file_);
    std::map<std::size_t, std::vector<std::string>> bytes;  // by video
    std::vector<EmbeddedImage> result;
    for (std::size_t i = 0; i < frames.frame.size(); ++i) {
      const std::size_t video = index_of(file_, "frames", frames.video[i], videos_.size());
      const Video& from = videos_[video];
      if (from.dataset.empty()) continue;
      if (!bytes.contains(video)) bytes[video] = file_.byte_strings(from.dataset);
      const std::string image = videos_.image_of(video, frames.frame[i]);
      const std::size_t place = from.place_of.at(frames.frame[i]);
      if (place >= bytes[video].size()) file_.refuse(from.dataset, "has another length");
      result.push_back({image, bytes[video][place]});
    }
    return result;
  }

 private:
  Json read_metadata() const {
    const auto text = file_.text_attribute("metadata", "json");
    if (!text) io::refuse(name_, "has no metadata; expected a SLEAP file");
    return parse_json(*text, name_ + ": metadata");
  }

  void read_skeletons() {
    const std::string place = name_ + ": metadata";
    const JsonView root(metadata_, place);
    std::vector<std::string> nodes;
    for (const JsonView& node : root.at("nodes").items()) nodes.push_back(node.at("name").text());
    for (const JsonView& item : root.at("skeletons").items()) {
      const auto graph = item.find("nx_graph");
      std::vector<std::string> names;
      for (const JsonView& node : (graph ? *graph : item).at("nodes").items()) {
        const double id = node.at("id").number();
        if (!(id >= 0 && id < static_cast<double>(nodes.size()))) {
          node.refuse("refers to a node that is not in the file");
        }
        names.push_back(nodes[static_cast<std::size_t>(id)]);
      }
      check_names(names, item);
      skeletons_.push_back(std::move(names));
    }
    const auto provenance = root.find("provenance");
    is_own_ = provenance && provenance->json().is_object() &&
              provenance->json().value("writer", Json()) == own_writer;
  }

  static void check_names(std::vector<std::string> names, const JsonView& view) {
    std::ranges::sort(names);
    const bool good =
        std::ranges::adjacent_find(names) == names.end() && (names.empty() || !names[0].empty());
    if (!good) view.refuse("has a node without a name, or two of one name");
  }

  /// [spawned_on, name], or an object.
  std::string track_of(const std::string& text) const {
    const Json json = parse_json(text, name_ + ": tracks_json");
    if (json.is_array() && json.size() == 2 && json[1].is_string()) return json[1];
    if (json.is_object() && json.contains("name") && json["name"].is_string()) return json["name"];
    return "";
  }

  void read_frame(const Frames& frames, std::size_t i, const Points& placed,
                  const Points& proposed) {
    const std::size_t video = index_of(file_, "frames", frames.video[i], videos_.size());
    const std::size_t end = index_of(file_, "frames", frames.last[i], type_.size() + 1);
    const std::size_t begin = index_of(file_, "frames", frames.first[i], end + 1);
    const std::string image = videos_.image_of(video, frames.frame[i]);
    if (image.empty()) file_.refuse("videos_json", "lists an image without a name");
    const std::size_t place = builder_.image(image);
    const bool any_placed = std::any_of(type_.begin() + static_cast<std::ptrdiff_t>(begin),
                                        type_.begin() + static_cast<std::ptrdiff_t>(end),
                                        [](double t) { return t != predicted; });
    num_predicted_ += !any_placed && end > begin ? 1 : 0;
    std::size_t number = 0;
    for (std::size_t k = begin; k < end; ++k) {
      const bool is_predicted = type_[k] == predicted;
      if (is_predicted && any_placed) continue;
      instances_.add(place, instance(k, ++number, is_predicted ? proposed : placed));
    }
  }

  [[nodiscard]] Instance instance(std::size_t k, std::size_t number, const Points& points) const {
    Instance result{.id = fmt::format("{}", number),
                    .place = fmt::format("{}: instances[{}]: is a second instance", name_, k)};
    if (track_[k] >= 0 && track_[k] < static_cast<double>(tracks_.size())) {
      const std::string& track = tracks_[static_cast<std::size_t>(track_[k])];
      if (!track.empty()) result.id = track;
    }
    const auto& names = skeletons_[index_of(file_, "instances", skeleton_[k], skeletons_.size())];
    const std::size_t end = index_of(file_, points.path, last_[k], points.x.size() + 1);
    const std::size_t begin = index_of(file_, points.path, first_[k], end + 1);
    if (end - begin != names.size()) {
      file_.refuse("instances", fmt::format("instance {} has {} points; its skeleton has {}", k,
                                            end - begin, names.size()));
    }
    for (std::size_t j = 0; j < names.size(); ++j) {
      result.landmarks.push_back(landmark(names[j], points, begin + j));
    }
    return result;
  }

  [[nodiscard]] Landmark landmark(const std::string& name, const Points& points,
                                  std::size_t j) const {
    Landmark result{.name = name, .visibility = Visibility::missing};
    if (std::isnan(points.x[j]) || std::isnan(points.y[j])) return result;
    result.x = points.x[j] + offset_;
    result.y = points.y[j] + offset_;
    if (!is_coordinate(result.x) || !is_coordinate(result.y)) {
      file_.refuse(points.path, fmt::format("point {} is not a position in pixels", j));
    }
    result.visibility = points.visible[j] != 0 ? Visibility::visible : Visibility::hidden;
    const bool proposal = is_own_ && !points.score.empty();
    if (proposal && points.score[j] >= 0 && points.score[j] <= 1) {
      result.proposed = true;
      result.conformity = points.score[j];
    }
    return result;
  }

  Hdf5File file_;
  const std::string& name_;
  Json metadata_;
  Videos videos_;
  std::vector<std::vector<std::string>> skeletons_;
  std::vector<std::string> tracks_;
  double offset_ = pixel_center;
  bool is_own_ = false;
  std::size_t num_predicted_ = 0;
  std::vector<double> type_, skeleton_, track_, first_, last_;  // of instances
  TableBuilder builder_;
  Instances instances_;
};

}  // namespace

LandmarkTable parse_sleap(std::string_view bytes, const std::string& name,
                          const InstanceOptions& options,
                          const std::function<void(const std::string&)>& note) {
  return Reader(bytes, name).read(options, note);
}

std::vector<EmbeddedImage> embedded_images(std::string_view bytes, const std::string& name) {
  const std::vector<std::string> texts = io::read_guarded(
      [&] {
        std::vector<std::string> result;
        for (EmbeddedImage& image : Reader(bytes, name).images()) {
          result.push_back(std::move(image.name));
          result.push_back(std::move(image.bytes));
        }
        return result;
      },
      name);
  std::vector<EmbeddedImage> images;
  for (std::size_t i = 0; i + 1 < texts.size(); i += 2) images.push_back({texts[i], texts[i + 1]});
  return images;
}

}  // namespace caos::landmarks
