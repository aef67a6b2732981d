#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "caos/landmarks/embedding/patch_source.hpp"
#include "caos/landmarks/formats/check_table.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/vision/working_size.hpp"

namespace caos {

/// An annotated image that was left out, because an earlier one has the same content.
struct DuplicateImage {
  std::string kept{};
  std::string left_out{};
};

/// Annotated image files, embedded: their landmarks as patches.
struct AnnotatedImages {
  std::string identity{};  ///< of the source of embeddings
  std::vector<std::string> files{};
  std::vector<std::string> names{};  ///< as the landmark file calls them
  std::vector<vision::Frame> frames{};
  Matrix<vision::Point> points{};  ///< [images, landmarks], in the original's pixels
  LabeledPatches patches{};
  std::vector<vision::GrayImage> gray{};        ///< by image (`EmbeddedImage`)
  std::vector<std::optional<double>> scales{};  ///< by image: millimeters per pixel, where known
  std::vector<FailedImage> failed{};  ///< `index` counts annotated images that are embedded
  std::vector<std::string> failed_names{};
  std::vector<DuplicateImage> duplicates{};

  [[nodiscard]] std::size_t size() const { return files.size(); }
};

/// What becomes of one image under two names, unless both are of one subject.
enum class Duplicates { refuse, keep_first };

struct AnnotationOptions {
  bool use_hidden = false;  ///< landmarks that are marked but not to be seen count as present
  landmarks::Outside outside = landmarks::Outside::refuse;
  Duplicates duplicates = Duplicates::refuse;
  /// Of rotated images only landmarks are kept, unless all patches are asked for: scores that read
  /// positions compare these.
  bool keep_all_rotated = false;
};

/// The file of an image that a landmark file names, in `folder` or below it; nullopt if it
/// does not exist. A name that leads out of the folder counts as missing: a landmark file must not
/// choose which of the user's files are read.
[[nodiscard]] std::optional<std::string> image_in(const std::string& folder,
                                                  const std::string& image);

/// Sizes of the images in a folder, from their headers; nothing for files that do not exist.
[[nodiscard]] landmarks::ImageSizes image_sizes_in(const std::string& folder,
                                                   bool apply_orientation);

/// Embeds the annotated images in `folder`. An annotation without its image, or a landmark outside,
/// is an Error that names `file`; images that cannot be read are left out and listed. Files with
/// the same content are found before any is embedded.
[[nodiscard]] AnnotatedImages embed_annotated(const PatchSource& source, const std::string& folder,
                                              const landmarks::LandmarkTable& table,
                                              const std::string& file,
                                              const AnnotationOptions& options);

/// Some of the images, with all landmarks.
[[nodiscard]] LabeledPatches select(const LabeledPatches& labeled, const Indices& images);
[[nodiscard]] RotatedPatches select(const RotatedPatches& rotated, const Indices& images);
[[nodiscard]] AnnotatedImages select(const AnnotatedImages& all, const Indices& images);

/// The same images, whose labels were cells, with patches as labels.
[[nodiscard]] AnnotatedImages without_cells(AnnotatedImages images);

/// The same images with some landmarks only.
[[nodiscard]] AnnotatedImages with_tasks(AnnotatedImages images, const Indices& tasks);

/// Whose images these are; nothing where all differ.
[[nodiscard]] std::vector<std::size_t> subjects_of(const LabeledPatches& labeled,
                                                   const Indices& images);

/// How many patches, or cells, each of these images has.
[[nodiscard]] std::vector<std::size_t> patch_counts(const LabeledPatches& labeled,
                                                    const Indices& images);

/// The grids of some images; nothing where grids are not known.
[[nodiscard]] std::vector<vision::PatchGrid> select(const std::vector<vision::PatchGrid>& grids,
                                                    const Indices& images);

/// Rows of a table of labels.
[[nodiscard]] Matrix<std::int64_t> select(const Matrix<std::int64_t>& labels,
                                          const Indices& images);

}  // namespace caos
