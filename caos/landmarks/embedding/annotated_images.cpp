#include "caos/landmarks/embedding/annotated_images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "caos/conformal/subject_weights.hpp"
#include "caos/error.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/landmarks/embedding/duplicate_images.hpp"
#include "caos/landmarks/formats/image_names.hpp"
#include "caos/vision/codecs/probe.hpp"

namespace caos {
namespace {

using landmarks::Annotation;
using landmarks::Landmark;
using landmarks::LandmarkTable;
using landmarks::Visibility;

/// Nothing where nothing is known of any image.
template <typename T>
std::vector<T> picked(const std::vector<T>& values, const Indices& indices) {
  std::vector<T> result;
  if (values.empty()) return result;
  for (const std::size_t i : indices) result.push_back(values[i]);
  return result;
}

std::string path_of(landmarks::ImageFolder& folder, const Annotation& annotation,
                    const std::string& file) {
  const std::optional<std::string> path = folder.find(annotation.image);
  if (!path) landmarks::refuse_missing_image(file, annotation.image, folder.name());
  return *path;
}

[[noreturn]] void refuse_duplicates(const std::vector<DuplicateImage>& duplicates,
                                    const std::string& file) {
  std::string pairs;
  for (const DuplicateImage& pair : duplicates) {
    pairs += fmt::format("{}'{}' and '{}'", pairs.empty() ? "" : "; ", pair.kept, pair.left_out);
  }
  throw Error(ErrorKind::bad_format,
              fmt::format("{}: {} are the same image; name it once, give both the same subject, or "
                          "keep the first (--duplicates keep-first)",
                          file, pairs));
}

/// One image under two names would be its own best reference, and the guarantee void. Images of one
/// subject are never each other's references, so there it does no harm.
class DistinctImages {
 public:
  DistinctImages(const LandmarkTable& table, const std::string& folder, const std::string& file) {
    landmarks::ImageFolder images(folder);
    for (const Annotation& annotation : table.annotations) {
      annotations_.push_back(&annotation);
      paths_.push_back(path_of(images, annotation, file));
    }
  }

  /// What is left out.
  std::vector<DuplicateImage> leave_out(Duplicates what, const std::string& file) {
    std::vector<DuplicateImage> duplicates;
    std::set<std::size_t> others;
    for (const DuplicateFile& pair : find_duplicates(paths_)) {
      const Annotation& first = *annotations_[pair.first];
      const Annotation& other = *annotations_[pair.other];
      if (first.subject && first.subject == other.subject) continue;
      duplicates.push_back({first.image, other.image});
      others.insert(pair.other);
    }
    if (what == Duplicates::refuse && !duplicates.empty()) refuse_duplicates(duplicates, file);
    erase(others);
    return duplicates;
  }

  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }
  [[nodiscard]] const Annotation& annotation(std::size_t i) const { return *annotations_[i]; }

 private:
  void erase(const std::set<std::size_t>& indices) {
    for (auto i = indices.rbegin(); i != indices.rend(); ++i) {
      paths_.erase(paths_.begin() + static_cast<std::ptrdiff_t>(*i));
      annotations_.erase(annotations_.begin() + static_cast<std::ptrdiff_t>(*i));
    }
  }

  std::vector<const Annotation*> annotations_{};
  std::vector<std::string> paths_{};
};

/// Fills in the labels of the images that were embedded.
class Labels {
 public:
  Labels(std::vector<std::string> names, const AnnotationOptions& options)
      : names_(std::move(names)), options_(options) {
    for (std::size_t t = 0; t < names_.size(); ++t) task_of_.emplace(names_[t], t);
  }

  /// The landmarks of one image.
  struct Row {
    std::vector<std::int64_t> labels{};
    std::vector<vision::Point> points{};
    std::vector<Offset> offsets{};
    LandmarkVectors vectors{};  ///< where labels are cells
  };

  /// The row of an annotation, after a check that its landmarks are inside.
  [[nodiscard]] Row row_of(const Annotation& annotation, const EmbeddedImage& image,
                           const std::string& file) const {
    const vision::Frame& frame = image.frame;
    LandmarkTable one{{annotation}};
    const landmarks::ImageSize size{frame.width, frame.height};
    landmarks::check_inside(
        one, [&](const std::string&) { return size; }, file, options_.outside);
    Row row{std::vector<std::int64_t>(names_.size(), missing_label),
            std::vector<vision::Point>(names_.size()), std::vector<Offset>(names_.size())};
    for (const Landmark& landmark : one.annotations[0].landmarks) {
      if (!is_present(landmark)) continue;
      const std::size_t t = task_of_.at(landmark.name);
      row.points[t] = {landmark.x, landmark.y};
      row.labels[t] = static_cast<std::int64_t>(frame.patch_at(row.points[t]));
      row.offsets[t] = frame.offset_at(row.points[t]);
    }
    if (image.cells) {
      row.vectors =
          landmark_vectors(*image.cells, image.patches.view(), frame.grid, row.labels, row.offsets);
    }
    return row;
  }

  /// One image at one angle; `points` are those of the image as it is.
  void add(RotatedImage&& image, const vision::Frame& frame, std::span<const vision::Point> points,
           std::span<const std::int64_t> upright, RotatedPatches& rotated) const {
    std::vector<std::int64_t> labels(names_.size(), missing_label);
    std::vector<Offset> offsets(names_.size());
    Matrix<float> kept(0, image.patches.cols());
    for (std::size_t t = 0; t < names_.size(); ++t) {
      if (upright[t] == missing_label) continue;
      const vision::Point point = vision::rotated_point(
          frame.to_working(points[t]), {frame.scaled_width, frame.scaled_height}, image.degrees);
      const Label patch = image.grid.patch_at(point);
      labels[t] = static_cast<std::int64_t>(options_.keep_all_rotated ? patch : kept.rows());
      offsets[t] = offset_in(image.grid, patch, point);
      if (!options_.keep_all_rotated) kept.push_row(std::as_const(image.patches).row(patch));
    }
    if (options_.keep_all_rotated) rotated.grids.push_back(image.grid);
    rotated.images.push_back(options_.keep_all_rotated ? std::move(image.patches)
                                                       : std::move(kept));
    rotated.labels.push_row(labels);
    rotated.offsets.push_row(offsets);
  }

 private:
  [[nodiscard]] static Offset offset_in(const vision::PatchGrid& grid, Label patch,
                                        vision::Point point) {
    const vision::Point corner = grid.corner(patch);
    const auto side = static_cast<double>(grid.patch_size);
    return {.x = (point.x - corner.x) / side, .y = (point.y - corner.y) / side};
  }

  [[nodiscard]] bool is_present(const Landmark& landmark) const {
    return landmark.visibility == Visibility::visible ||
           (landmark.visibility == Visibility::hidden && options_.use_hidden);
  }

  std::vector<std::string> names_;
  const AnnotationOptions& options_;
  std::map<std::string, std::size_t> task_of_;
};

}  // namespace

std::optional<std::string> image_in(const std::string& folder, const std::string& image) {
  return landmarks::find_image(folder, image);
}

landmarks::ImageSizes image_sizes_in(const std::string& folder, bool apply_orientation) {
  const auto images = std::make_shared<landmarks::ImageFolder>(folder);
  return
      [images, apply_orientation](const std::string& image) -> std::optional<landmarks::ImageSize> {
        const std::optional<std::string> path = images->find(image);
        if (!path) return std::nullopt;
        const io::MappedFile file = io::MappedFile::open(*path);
        const vision::ImageInfo info = vision::probe_image(file.bytes(), *path);
        const auto [width, height] = vision::decoded_size(info, apply_orientation);
        return landmarks::ImageSize{width, height};
      };
}

AnnotatedImages embed_annotated(const PatchSource& source, const std::string& folder,
                                const LandmarkTable& table, const std::string& file,
                                const AnnotationOptions& options) {
  DistinctImages distinct(table, folder, file);
  AnnotatedImages images;
  images.duplicates = distinct.leave_out(options.duplicates, file);
  images.identity = source.identity();
  images.patches.tasks = table.landmark_names();
  images.patches.labels = Matrix<std::int64_t>(0, images.patches.tasks.size());
  images.points = Matrix<vision::Point>(0, images.patches.tasks.size());
  images.patches.offsets = Matrix<Offset>(0, images.patches.tasks.size());
  const Labels labels(images.patches.tasks, options);
  const RotatedPatches no_rotated{.labels = images.patches.labels,
                                  .offsets = images.patches.offsets};
  std::vector<const Annotation*> used;
  const auto add = [&](EmbeddedImage&& image, Labels::Row&& row) {
    images.patches.grids.push_back(image.frame.grid);
    images.patches.offsets.push_row(row.offsets);
    images.patches.labels.push_row(row.labels);
    images.points.push_row(row.points);
    if (image.cells) {
      images.patches.cells.sources.push_back(std::move(*image.cells));
      images.patches.cells.own.push_back(std::move(row.vectors.own));
      images.patches.cells.exact.push_back(std::move(row.vectors.exact));
    }
    const Annotation& annotation = distinct.annotation(image.index);
    images.patches.rotations.resize(image.rotated.size(), no_rotated);
    for (std::size_t r = 0; r < image.rotated.size(); ++r) {
      labels.add(
          std::move(image.rotated[r]), image.frame, std::as_const(images.points).row(images.size()),
          std::as_const(images.patches.labels).row(images.size()), images.patches.rotations[r]);
    }
    used.push_back(&annotation);
    images.files.push_back(distinct.paths()[image.index]);
    images.names.push_back(annotation.image);
    images.frames.push_back(image.frame);
    images.scales.push_back(annotation.scale);
    images.patches.images.push_back(std::move(image.patches));
    images.gray.push_back(std::move(image.gray));
  };
  const auto visit = [&](EmbeddedImage&& image) -> std::function<void()> {
    Labels::Row row = labels.row_of(distinct.annotation(image.index), image, file);
    return [&add, image = std::move(image), row = std::move(row)]() mutable {
      add(std::move(image), std::move(row));
    };
  };
  images.failed = source.stream(distinct.paths(), visit);
  for (const FailedImage& failed : images.failed) {
    images.failed_names.push_back(distinct.annotation(failed.index).image);
  }
  std::vector<std::optional<std::string>> subjects;
  for (const Annotation* annotation : used) subjects.push_back(annotation->subject);
  images.patches.subjects = number_subjects(subjects);
  images.patches.subjects_known = names_subjects(subjects);
  return images;
}

Matrix<std::int64_t> select(const Matrix<std::int64_t>& labels, const Indices& images) {
  Matrix<std::int64_t> result(0, labels.cols());
  for (const std::size_t i : images) result.push_row(labels.row(i));
  return result;
}

std::vector<std::size_t> patch_counts(const LabeledPatches& labeled, const Indices& images) {
  std::vector<std::size_t> counts;
  for (const std::size_t i : images) counts.push_back(labeled.num_labels(i));
  return counts;
}

std::vector<vision::PatchGrid> select(const std::vector<vision::PatchGrid>& grids,
                                      const Indices& images) {
  std::vector<vision::PatchGrid> result;
  if (grids.empty()) return result;
  for (const std::size_t i : images) result.push_back(grids[i]);
  return result;
}

std::vector<std::size_t> subjects_of(const LabeledPatches& labeled, const Indices& images) {
  if (labeled.subjects.empty()) return {};
  std::vector<std::size_t> subjects;
  for (const std::size_t i : images) subjects.push_back(labeled.subjects[i]);
  return repeated_subjects(std::move(subjects));
}

RotatedPatches select(const RotatedPatches& rotated, const Indices& images) {
  RotatedPatches result{.images = picked(rotated.images, images),
                        .labels = select(rotated.labels, images),
                        .grids = select(rotated.grids, images),
                        .offsets = Matrix<Offset>(0, rotated.offsets.cols())};
  for (const std::size_t i : images) result.offsets.push_row(rotated.offsets.row(i));
  return result;
}

LabeledPatches select(const LabeledPatches& labeled, const Indices& images) {
  LabeledPatches result;
  result.tasks = labeled.tasks;
  result.subjects_known = labeled.subjects_known;
  result.labels = select(labeled.labels, images);
  result.grids = select(labeled.grids, images);
  result.offsets = Matrix<Offset>(0, labeled.offsets.cols());
  for (const std::size_t i : images) {
    result.images.push_back(labeled.images[i]);
    if (labeled.offsets.rows() > 0) result.offsets.push_row(labeled.offsets.row(i));
    if (!labeled.subjects.empty()) result.subjects.push_back(labeled.subjects[i]);
  }
  result.cells = {picked(labeled.cells.sources, images), picked(labeled.cells.own, images),
                  picked(labeled.cells.exact, images)};
  for (const RotatedPatches& rotated : labeled.rotations) {
    result.rotations.push_back(select(rotated, images));
  }
  return result;
}

AnnotatedImages select(const AnnotatedImages& all, const Indices& images) {
  AnnotatedImages result;
  result.identity = all.identity;
  result.files = picked(all.files, images);
  result.names = picked(all.names, images);
  result.frames = picked(all.frames, images);
  result.gray = picked(all.gray, images);
  result.scales = picked(all.scales, images);
  result.points = Matrix<vision::Point>(0, all.points.cols());
  for (const std::size_t i : images) result.points.push_row(all.points.row(i));
  result.patches = select(all.patches, images);
  return result;
}

AnnotatedImages without_cells(AnnotatedImages images) {
  LabeledPatches& patches = images.patches;
  if (!patches.has_cells()) return images;
  for (std::size_t i = 0; i < images.size(); ++i) {
    vision::Frame& frame = images.frames[i];
    frame.grid = patches.cells.sources[i].patches;
    patches.grids[i] = frame.grid;
    for (std::size_t t = 0; t < patches.num_tasks(); ++t) {
      if (patches.labels(i, t) == missing_label) continue;
      patches.labels(i, t) = static_cast<std::int64_t>(frame.patch_at(images.points(i, t)));
      patches.offsets(i, t) = frame.offset_at(images.points(i, t));
    }
  }
  patches.cells = {};
  return images;
}

AnnotatedImages with_tasks(AnnotatedImages images, const Indices& tasks) {
  Matrix<vision::Point> points(images.points.rows(), tasks.size());
  for (std::size_t i = 0; i < points.rows(); ++i) {
    for (std::size_t t = 0; t < tasks.size(); ++t) points(i, t) = images.points(i, tasks[t]);
  }
  images.points = std::move(points);
  images.patches = with_tasks(std::move(images.patches), tasks);
  return images;
}

}  // namespace caos
