#include "apps/studio/exchange/export_landmarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "apps/studio/exchange/download_name.hpp"
#include "apps/studio/exchange/zip_writer.hpp"
#include "caos/error.hpp"
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
  }
  __builtin_unreachable();
}

Landmark landmark_of(const Point& point, const std::string& name) {
  const bool placed = point.state != PointState::missing;
  return {.name = name,
          .x = placed ? point.x : 0,
          .y = placed ? point.y : 0,
          .visibility = visibility_of(point.state)};
}

/// A project as it was at one moment.
struct Contents {
  Project project{};
  std::vector<SchemeLandmark> scheme{};
  LandmarkTable table{};
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
    }
  });
  return contents;
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
  throw Error(ErrorKind::invalid_input,
              fmt::format("'{}' does not say which images; known are labeled, sample, reviewed",
                          io::printable(text)));
}

LandmarkTable table_of(Store& store, Id project, ExportedImages images) {
  return contents_of(store, project, images).table;
}

Download export_landmarks(Store& store, Id project, ExportedImages images, Format format,
                          FileOptions options) {
  const Contents contents = contents_of(store, project, images);
  const LandmarkTable table = table_for(contents, format);
  Download download{.name = download_name(contents.project.name, suffix_for(format)),
                    .type = type_for(format)};
  download.losses = landmarks::landmark_losses(table, format, options);
  for (std::string& loss : own_losses(contents, format)) download.losses.push_back(std::move(loss));
  download.bytes =
      landmarks::is_per_image(format)
          ? archive_of(landmarks::landmark_texts(table, format, options), download.losses)
          : landmarks::landmark_text(table, format, options);
  return download;
}

}  // namespace caos::studio
