#include "apps/studio/exchange/export_landmarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "apps/studio/exchange/download_name.hpp"
#include "apps/studio/exchange/zip_writer.hpp"
#include "caos/error.hpp"
#include "caos/io/csv.hpp"
#include "caos/io/printable.hpp"

namespace caos::studio {
namespace {

using landmarks::Annotation;
using landmarks::FileOptions;
using landmarks::Format;
using landmarks::Landmark;
using landmarks::LandmarkTable;
using landmarks::NamedText;
using landmarks::Visibility;

Visibility visibility_of(PointState state) {
  switch (state) {
    case PointState::visible:
      return Visibility::visible;
    case PointState::hidden:
      return Visibility::hidden;
    case PointState::missing:
      return Visibility::missing;
  }
  __builtin_unreachable();
}

bool is_wanted(const ImageRecord& image, const Sampling& sampling, ExportedImages images) {
  switch (images) {
    case ExportedImages::labeled:
      return image.num_points > 0;
    case ExportedImages::sample:
      return image.num_points > 0 && image.in_sample(sampling);
    case ExportedImages::reviewed:
      return image.complete && !image.is_blind(sampling);
    case ExportedImages::all:
      return true;
  }
  __builtin_unreachable();
}

/// To a thousandth of a pixel, which no hand and no proposal reaches.
double rounded(double value) { return std::round(value * 1000) / 1000; }

std::string row(const std::vector<std::string>& fields) { return io::csv_row(fields); }

Landmark landmark_of(const Point& point, const std::string& name) {
  const bool placed = point.state != PointState::missing;
  return {.name = name,
          .x = placed ? rounded(point.x) : 0,
          .y = placed ? rounded(point.y) : 0,
          .visibility = visibility_of(point.state)};
}

/// A project as it was at one moment.
struct Contents {
  Project project{};
  std::vector<SchemeLandmark> scheme{};
  LandmarkTable table{};
  std::vector<ImageRecord> images{};  ///< by annotation
  std::vector<Reading> readings{};
};

Annotation annotation_of(const ImageRecord& image, const Reading& reading,
                         const std::vector<SchemeLandmark>& scheme, const Project& project) {
  std::unordered_map<Id, const Point*> points;
  for (const Point& point : reading.points) points.emplace(point.landmark, &point);
  Annotation annotation{.image = image.name};
  annotation.subject = image.subject;
  annotation.scale = image.scale(project.settings);
  annotation.width = image.width;
  annotation.height = image.height;
  for (const SchemeLandmark& landmark : scheme) {
    const auto found = points.find(landmark.id);
    if (found == points.end()) continue;
    annotation.landmarks.push_back(landmark_of(*found->second, landmark.name));
  }
  return annotation;
}

Contents contents_of(Store& store, Id project, ExportedImages which) {
  Contents contents;
  store.together([&] {
    contents.project = store.project(project);
    contents.scheme = store.scheme(project);
    const std::vector<ImageRecord> images = store.images(project);
    const std::vector<Reading> readings = store.readings(project);
    for (std::size_t i = 0; i < images.size(); ++i) {
      if (!is_wanted(images[i], contents.project.sampling, which)) continue;
      contents.table.annotations.push_back(
          annotation_of(images[i], readings[i], contents.scheme, contents.project));
      contents.images.push_back(images[i]);
      contents.readings.push_back(readings[i]);
    }
  });
  return contents;
}

/// Landmarks without a point get the proposed one, in the order of the scheme.
void add_proposals(Contents& contents, const PointsOptions& options) {
  for (std::size_t i = 0; i < contents.images.size(); ++i) {
    const ImageRecord& image = contents.images[i];
    Annotation& annotation = contents.table.annotations[i];
    const bool is_open = annotation.landmarks.size() < contents.scheme.size();
    if (!is_open || image.is_blind(contents.project.sampling)) continue;
    std::vector<Landmark> proposed = options.proposals(image);
    std::vector<Landmark> all;
    for (const SchemeLandmark& landmark : contents.scheme) {
      for (const auto* const from : {&annotation.landmarks, &proposed}) {
        const auto found = std::ranges::find(*from, landmark.name, &Landmark::name);
        if (found == from->end()) continue;
        all.push_back(*found);
        break;
      }
    }
    annotation.landmarks = std::move(all);
  }
}

/// The table as CSV with where points came from, who placed them and whose images they are in.
std::string csv_with_origins(const Contents& contents) {
  std::string text = row({"image", "landmark", "x", "y", "visible", "subject", "scale", "width",
                          "height", "source", "annotator", "conformity"});
  for (std::size_t i = 0; i < contents.images.size(); ++i) {
    const Annotation& annotation = contents.table.annotations[i];
    std::map<std::string, const Point*> points;
    for (const SchemeLandmark& landmark : contents.scheme) {
      const auto& all = contents.readings[i].points;
      const auto found = std::ranges::find(all, landmark.id, &Point::landmark);
      if (found != all.end()) points[landmark.name] = &*found;
    }
    for (const Landmark& landmark : annotation.landmarks) {
      const bool is_placed = landmark.visibility != Visibility::missing;
      const Point* point = landmark.proposed ? nullptr : points.at(landmark.name);
      const auto number = [&](double value) {
        return is_placed ? fmt::format("{}", value) : std::string();
      };
      text += row({annotation.image, landmark.name, number(landmark.x), number(landmark.y),
                   !is_placed                                   ? ""
                   : landmark.visibility == Visibility::visible ? "1"
                                                                : "0",
                   annotation.subject.value_or(""),
                   annotation.scale ? fmt::format("{}", *annotation.scale) : "",
                   fmt::format("{}", *annotation.width), fmt::format("{}", *annotation.height),
                   point == nullptr ? "proposed" : origin_of(point->source),
                   point == nullptr ? "" : point->annotator,
                   landmark.conformity ? fmt::format("{}", *landmark.conformity) : ""});
    }
  }
  return text;
}

/// Whether files of the format list all landmarks of all images, in one order.
bool lists_all(Format format) {
  return format == Format::tps || format == Format::pts || format == Format::coco ||
         format == Format::tem || format == Format::asf;
}

bool leaves_missing_out(Format format) {
  return format == Format::dlib || format == Format::label_studio;
}

/// The annotation with every landmark of the scheme, in its order; those without a state are
/// missing.
Annotation listed(Annotation annotation, const std::vector<SchemeLandmark>& scheme) {
  std::unordered_map<std::string, Landmark> known;
  for (Landmark& landmark : annotation.landmarks) known.emplace(landmark.name, landmark);
  annotation.landmarks.clear();
  for (const SchemeLandmark& landmark : scheme) {
    const auto found = known.find(landmark.name);
    annotation.landmarks.push_back(
        found != known.end() ? found->second
                             : Landmark{.name = landmark.name, .visibility = Visibility::missing});
  }
  return annotation;
}

std::size_t num_landmarks(const LandmarkTable& table) {
  std::size_t count = 0;
  for (const Annotation& annotation : table.annotations) count += annotation.landmarks.size();
  return count;
}

std::size_t num_missing(const LandmarkTable& table) {
  std::size_t count = 0;
  for (const Annotation& annotation : table.annotations) {
    count += static_cast<std::size_t>(
        std::ranges::count(annotation.landmarks, Visibility::missing, &Landmark::visibility));
  }
  return count;
}

/// Landmarks that were not looked at yet; files in general cannot state that.
std::vector<std::string> own_losses(const Contents& contents, Format format) {
  const LandmarkTable& table = contents.table;
  const std::size_t untouched =
      table.annotations.size() * contents.scheme.size() - num_landmarks(table);
  if (lists_all(format) && untouched > 0) {
    return {fmt::format("{} lists every landmark; {} that were not looked at yet are missing in it",
                        landmarks::title_of(format), untouched)};
  }
  if (leaves_missing_out(format) && num_missing(table) > 0) {
    return {fmt::format("{} leaves out {} landmarks that were looked for and are missing",
                        landmarks::title_of(format), num_missing(table))};
  }
  return {};
}

LandmarkTable table_for(const Contents& contents, Format format) {
  if (!lists_all(format)) return contents.table;
  LandmarkTable table;
  for (const Annotation& annotation : contents.table.annotations) {
    table.annotations.push_back(listed(annotation, contents.scheme));
  }
  return table;
}

/// The format's name stands in that of the file where others end alike.
std::string suffix_for(Format format) {
  const std::string suffix(landmarks::suffix_of(format));
  const std::string name(landmarks::name_of(format));
  if (landmarks::is_per_image(format)) return fmt::format(".{}.zip", name);
  const bool shared = suffix == ".json" || (suffix == ".csv" && format != Format::csv);
  return shared ? fmt::format(".{}{}", name, suffix) : suffix;
}

std::string type_for(Format format) {
  if (landmarks::is_per_image(format)) return "application/zip";
  switch (format) {
    case Format::csv:
    case Format::wide_csv:
    case Format::deeplabcut:
      return "text/csv; charset=utf-8";
    case Format::deeplabcut_hdf5:
    case Format::sleap:
      return "application/octet-stream";
    case Format::dlib:
      return "application/xml";
    case Format::coco:
    case Format::label_studio:
      return "application/json";
    default:
      return "text/plain; charset=utf-8";
  }
}

std::string archive_of(std::vector<NamedText> files, const std::vector<std::string>& losses) {
  if (!losses.empty()) {
    files.push_back({"LOSSES.txt", fmt::format("{}\n", fmt::join(losses, "\n"))});
  }
  return zip_of_texts(files);
}

}  // namespace

ExportedImages parse_exported_images(const std::string& text) {
  if (text == "labeled") return ExportedImages::labeled;
  if (text == "sample") return ExportedImages::sample;
  if (text == "reviewed") return ExportedImages::reviewed;
  if (text == "all") return ExportedImages::all;
  throw Error(
      ErrorKind::invalid_input,
      fmt::format("'{}' does not say which images; known are labeled, sample, reviewed, all",
                  io::printable(text)));
}

LandmarkTable table_of(Store& store, Id project, ExportedImages images) {
  return contents_of(store, project, images).table;
}

std::string origin_of(Source source) {
  switch (source) {
    case Source::blind:
      return "labeled";
    case Source::accept:
      return "accepted";
    case Source::correct:
      return "corrected";
    case Source::automatic:
      return "auto-accepted";
    case Source::import:
      return "imported";
    case Source::restore:
      return "restored";
  }
  __builtin_unreachable();
}

Download export_landmarks(Store& store, Id project, const PointsOptions& points, Format format,
                          FileOptions options) {
  Contents contents = contents_of(store, project, points.images);
  if (points.proposals) add_proposals(contents, points);
  const LandmarkTable table = table_for(contents, format);
  Download download{.name = download_name(contents.project.name, suffix_for(format)),
                    .type = type_for(format)};
  download.losses = landmarks::landmark_losses(table, format, options);
  for (std::string& loss : own_losses(contents, format)) download.losses.push_back(std::move(loss));
  if (format == Format::csv) {
    check_table(table);
    download.bytes = csv_with_origins(contents);
  } else {
    download.bytes =
        landmarks::is_per_image(format)
            ? archive_of(landmarks::landmark_texts(table, format, options), download.losses)
            : landmarks::landmark_text(table, format, options);
  }
  return download;
}

Download export_measures(Store& store, Id project, ExportedImages images) {
  const Contents contents = contents_of(store, project, images);
  const Measures measures = store.measures(project);
  require(!measures.measures.empty(), ErrorKind::invalid_input,
          "the project defines no lengths or angles yet; define some first");
  Download download{
      .name = download_name(contents.project.name, ".measures.csv"),
      .type = "text/csv; charset=utf-8",
      .bytes = row({"image", "subject", "measure", "kind", "value", "unit", "millimeters"})};
  for (std::size_t i = 0; i < contents.images.size(); ++i) {
    const ImageRecord& image = contents.images[i];
    for (const Measure& measure : measures.measures) {
      const auto value = value_of(measure, contents.readings[i].points);
      if (!value) continue;
      const bool is_length = measure.kind == Measure::Kind::distance;
      const auto scale = is_length ? image.scale(contents.project.settings) : std::nullopt;
      download.bytes +=
          row({image.name, image.subject.value_or(""), measure.name, name_of(measure.kind),
               fmt::format("{:.6g}", *value), is_length ? "px" : "degree",
               scale ? fmt::format("{:.6g}", *value * *scale) : ""});
    }
  }
  return download;
}

}  // namespace caos::studio
