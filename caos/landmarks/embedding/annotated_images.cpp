#include "caos/landmarks/embedding/annotated_images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "caos/conformal/subject_weights.hpp"
#include "caos/error.hpp"
#include "caos/io/checksum.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/landmarks/formats/image_names.hpp"
#include "caos/vision/codecs/probe.hpp"

namespace caos {
namespace {

using landmarks::Annotation;
using landmarks::Landmark;
using landmarks::LandmarkTable;
using landmarks::Visibility;

std::string path_of(const std::string& folder, const Annotation& annotation,
                    const std::string& file) {
  const std::optional<std::string> path = image_in(folder, annotation.image);
  if (!path) landmarks::refuse_missing_image(file, annotation.image, folder);
  return *path;
}

/// One image under two names would be its own best reference, and the guarantee void. Images of one
/// subject are never each other's references, so there it does no harm.
void check_distinct(const std::vector<std::string>& paths,
                    const std::vector<const Annotation*>& annotations, const std::string& file) {
  std::map<std::string, std::size_t> first_with;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string content = io::checksum({io::MappedFile::read(paths[i]).bytes()});
    const auto [found, is_new] = first_with.emplace(content, i);
    if (is_new) continue;
    const Annotation& one = *annotations[found->second];
    const Annotation& other = *annotations[i];
    require(one.subject && one.subject == other.subject, ErrorKind::bad_format, [&] {
      return fmt::format(
          "{}: '{}' and '{}' are the same image; name it once, or give both the same subject", file,
          one.image, other.image);
    });
  }
}

/// Fills in the labels of the images that were embedded.
class Labels {
 public:
  Labels(std::vector<std::string> names, const AnnotationOptions& options)
      : names_(std::move(names)), options_(options) {
    for (std::size_t t = 0; t < names_.size(); ++t) task_of_.emplace(names_[t], t);
  }

  /// One row for an annotation, after a check that its landmarks are inside.
  void add(const Annotation& annotation, const vision::Frame& frame, const std::string& file,
           AnnotatedImages& images) const {
    LandmarkTable one{{annotation}};
    const landmarks::ImageSize size{frame.width, frame.height};
    landmarks::check_inside(
        one, [&](const std::string&) { return size; }, file, options_.outside);
    std::vector<std::int64_t> labels(names_.size(), missing_label);
    std::vector<vision::Point> points(names_.size());
    for (const Landmark& landmark : one.annotations[0].landmarks) {
      if (!is_present(landmark)) continue;
      const std::size_t t = task_of_.at(landmark.name);
      points[t] = {landmark.x, landmark.y};
      labels[t] = static_cast<std::int64_t>(frame.patch_at(points[t]));
    }
    images.patches.labels.push_row(labels);
    images.points.push_row(points);
  }

 private:
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
  return
      [folder, apply_orientation](const std::string& image) -> std::optional<landmarks::ImageSize> {
        const std::optional<std::string> path = image_in(folder, image);
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
  std::vector<std::string> paths;
  for (const Annotation& annotation : table.annotations) {
    paths.push_back(path_of(folder, annotation, file));
  }
  AnnotatedImages images;
  images.identity = source.identity();
  images.patches.tasks = table.landmark_names();
  images.patches.labels = Matrix<std::int64_t>(0, images.patches.tasks.size());
  images.points = Matrix<vision::Point>(0, images.patches.tasks.size());
  const Labels labels(images.patches.tasks, options);
  std::vector<const Annotation*> used;
  const auto add = [&](EmbeddedImage&& image) {
    const Annotation& annotation = table.annotations[image.index];
    labels.add(annotation, image.frame, file, images);
    used.push_back(&annotation);
    images.files.push_back(paths[image.index]);
    images.names.push_back(annotation.image);
    images.frames.push_back(image.frame);
    images.patches.images.push_back(std::move(image.patches));
  };
  images.failed = source.stream(paths, in_order(add));
  for (const FailedImage& failed : images.failed) {
    images.failed_names.push_back(table.annotations[failed.index].image);
  }
  check_distinct(images.files, used, file);
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

std::vector<std::size_t> subjects_of(const LabeledPatches& labeled, const Indices& images) {
  if (labeled.subjects.empty()) return {};
  std::vector<std::size_t> subjects;
  for (const std::size_t i : images) subjects.push_back(labeled.subjects[i]);
  return repeated_subjects(std::move(subjects));
}

LabeledPatches select(const LabeledPatches& labeled, const Indices& images) {
  LabeledPatches result;
  result.tasks = labeled.tasks;
  result.subjects_known = labeled.subjects_known;
  result.labels = select(labeled.labels, images);
  for (const std::size_t i : images) {
    result.images.push_back(labeled.images[i]);
    if (!labeled.subjects.empty()) result.subjects.push_back(labeled.subjects[i]);
  }
  return result;
}

}  // namespace caos
