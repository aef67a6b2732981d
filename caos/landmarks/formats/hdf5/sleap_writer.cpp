#include <algorithm>
#include <limits>
#include <utility>

#include "caos/landmarks/formats/hdf5/hdf5_writer.hpp"
#include "caos/landmarks/formats/hdf5/sleap_format.hpp"
#include "caos/landmarks/formats/json/json_view.hpp"

namespace caos::landmarks {
namespace {

/// From the center of a pixel, where SLEAP counts from, to its corner.
constexpr double pixel_center = 0.5;
constexpr const char* own_writer = "caos";

class Writer {
 public:
  explicit Writer(const LandmarkTable& table)
      : table_(with_all_landmarks(table)), names_(table.landmark_names()) {}

  std::string write() {
    file_.group("metadata");
    file_.attribute("metadata", "format_id", 1.2);
    file_.attribute("metadata", "json", json_text(metadata()));
    write_videos();
    for (const char* empty : {"tracks_json", "suggestions_json"}) file_.numbers(empty, {}, {0});
    for (std::size_t i = 0; i < table_.annotations.size(); ++i) add(table_.annotations[i], i);
    write_frames();
    write_instances();
    write_points("points", points_, false);
    write_points("pred_points", pred_points_, true);
    return file_.take();
  }

 private:
  using Type = Hdf5Column::Type;

  struct Rows {
    std::vector<double> x, y, visible, complete, score;
  };

  [[nodiscard]] Json metadata() const {
    Json nodes = Json::array();
    Json ids = Json::array();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      nodes.push_back({{"name", names_[i]}, {"weight", 1.0}});
      ids.push_back({{"id", i}});
    }
    Json skeleton = {{"directed", true},
                     {"graph", {{"name", "Skeleton-0"}, {"num_edges_inserted", 0}}},
                     {"links", Json::array()},
                     {"multigraph", true},
                     {"nodes", std::move(ids)}};
    return {{"version", "2.0.0"},
            {"skeletons", Json::array({std::move(skeleton)})},
            {"nodes", std::move(nodes)},
            {"videos", Json::array()},
            {"tracks", Json::array()},
            {"suggestions", Json::array()},
            {"negative_anchors", Json::object()},
            {"provenance", {{"writer", own_writer}}}};
  }

  void write_videos() {
    Json files = Json::array();
    for (const Annotation& annotation : table_.annotations) files.push_back(annotation.image);
    const Json first = files.empty() ? Json("") : files[0];
    Json backend = {{"type", "ImageVideo"}, {"filename", first}, {"filenames", std::move(files)}};
    std::string text = json_text({{"filename", first}, {"backend", std::move(backend)}});
    text.pop_back();
    file_.texts("videos_json", {text});
  }

  void add(const Annotation& annotation, std::size_t i) {
    const bool proposals = std::ranges::any_of(annotation.landmarks, &Landmark::proposed);
    Rows& rows = proposals ? pred_points_ : points_;
    double least = 1;
    const auto begin = static_cast<double>(rows.x.size());
    for (const Landmark& landmark : annotation.landmarks) {
      const bool marked = landmark.visibility != Visibility::missing;
      constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
      rows.x.push_back(marked ? landmark.x - pixel_center : nothing);
      rows.y.push_back(marked ? landmark.y - pixel_center : nothing);
      rows.visible.push_back(landmark.visibility == Visibility::visible ? 1 : 0);
      rows.complete.push_back(0);
      rows.score.push_back(landmark.conformity.value_or(marked ? 1 : nothing));
      least = std::min(least, landmark.conformity.value_or(1));
    }
    const auto number = static_cast<double>(i);
    frame_.push_back(number);
    type_.push_back(proposals ? 1 : 0);
    score_.push_back(proposals ? least : 0);
    first_.push_back(begin);
    last_.push_back(static_cast<double>(rows.x.size()));
  }

  void write_frames() {
    const std::size_t n = frame_.size();
    std::vector<double> next;
    for (const double i : frame_) next.push_back(i + 1);
    file_.table("frames", {{"frame_id", Type::uint64, frame_},
                           {"video", Type::uint32, std::vector<double>(n, 0)},
                           {"frame_idx", Type::uint64, frame_},
                           {"instance_id_start", Type::uint64, frame_},
                           {"instance_id_end", Type::uint64, next}});
  }

  void write_instances() {
    const std::size_t n = frame_.size();
    const std::vector<double> none(n, -1);
    const std::vector<double> zero(n, 0);
    file_.table("instances", {{"instance_id", Type::int64, frame_},
                              {"instance_type", Type::uint8, type_},
                              {"frame_id", Type::uint64, frame_},
                              {"skeleton", Type::uint32, zero},
                              {"track", Type::int32, none},
                              {"from_predicted", Type::int64, none},
                              {"score", Type::float32, score_},
                              {"point_id_start", Type::uint64, first_},
                              {"point_id_end", Type::uint64, last_},
                              {"tracking_score", Type::float32, zero}});
  }

  void write_points(const char* path, const Rows& rows, bool scored) {
    std::vector<Hdf5Column> columns = {{"x", Type::float64, rows.x},
                                       {"y", Type::float64, rows.y},
                                       {"visible", Type::boolean, rows.visible},
                                       {"complete", Type::boolean, rows.complete}};
    if (scored) columns.push_back({"score", Type::float64, rows.score});
    file_.table(path, columns);
  }

  LandmarkTable table_;
  std::vector<std::string> names_;
  Hdf5Writer file_;
  Rows points_, pred_points_;
  std::vector<double> frame_, type_, score_, first_, last_;
};

}  // namespace

std::string write_sleap(const LandmarkTable& table) {
  check_table(table);
  return Writer(table).write();
}

}  // namespace caos::landmarks
