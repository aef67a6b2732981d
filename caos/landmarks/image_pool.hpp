#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/conformal/subject_weights.hpp"
#include "caos/guarantee.hpp"

namespace caos {

/// A finite pool of images, labeled and new, and whose they are: what the target `image` needs.
class ImagePool {
 public:
  /// Names of the images, distinct, and of their subjects; an image without a subject is its own.
  /// `images` may be empty: then images are known by their subjects alone.
  /// Throws `invalid_input` for a name twice.
  ImagePool(std::vector<std::string> images, std::vector<std::optional<std::string>> subjects);

  /// M.
  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  [[nodiscard]] const std::vector<std::string>& images() const { return images_; }
  [[nodiscard]] const std::vector<std::optional<std::string>>& subjects() const {
    return subjects_;
  }

  /// The number of an image's subject, or of a named subject; nothing for one outside the pool. An
  /// image goes by its name in the pool, or by its file name where no other has the same.
  [[nodiscard]] std::optional<std::size_t> subject_of_image(const std::string& image) const;
  [[nodiscard]] std::optional<std::size_t> subject_named(const std::string& subject) const;
  [[nodiscard]] std::size_t num_subjects() const { return counts_.size(); }
  /// The number of the subject of the image at a place.
  [[nodiscard]] std::size_t subject_at(std::size_t place) const { return numbers_[place]; }
  /// N_b, by the subject's number.
  [[nodiscard]] std::size_t num_images(std::size_t subject) const { return counts_[subject]; }

  friend bool operator==(const ImagePool&, const ImagePool&) = default;

 private:
  std::vector<std::string> images_;
  std::vector<std::optional<std::string>> subjects_;
  std::vector<std::size_t> numbers_;  ///< by image
  std::vector<std::size_t> counts_;   ///< by number
  std::map<std::string, std::size_t> place_of_;
  std::map<std::string, std::optional<std::size_t>> place_of_file_;  ///< nothing where several
  std::map<std::string, std::size_t> number_of_;
};

/// A pool with some of its images labeled.
struct LabeledPool {
  ImagePool pool;
  std::vector<std::size_t> subjects{};  ///< of the labeled images, by number in the pool

  /// What weights of these labeled images need.
  [[nodiscard]] PoolSizes sizes(std::span<const std::size_t> labeled) const;
  [[nodiscard]] bool is_labeled(std::size_t subject) const;
  /// N_new of subjects without labeled images, distinct and ascending; {1} where all are labeled.
  [[nodiscard]] std::vector<std::size_t> new_sizes() const;

  friend bool operator==(const LabeledPool&, const LabeledPool&) = default;
};

/// A new image, as a pool knows it.
struct NewImage {
  std::size_t num_images = 1;  ///< N_new: images of its subject in the pool
  std::string why_none{};      ///< why nothing is guaranteed for it; empty where something is

  /// The guarantee of others, or none for this reason.
  [[nodiscard]] Guarantee weakened(Guarantee guarantee) const;
};

/// A new image with this subject. One outside the pool, or of a labeled subject, has no guarantee
/// and is treated as the only image of its subject.
[[nodiscard]] NewImage new_image_of(const LabeledPool& pool, std::optional<std::size_t> subject);

/// Reads a pool, CSV with the columns `image` and `subject`; an empty subject is a subject of its
/// own. Throws `bad_format`, naming the line, for an image twice.
[[nodiscard]] ImagePool read_image_pool(const std::string& path);

/// Finds labeled images in the pool by their names. Where `subjects` says whose they are, the pool
/// must agree. Throws `invalid_input`, naming the image, for one outside of it.
[[nodiscard]] LabeledPool labeled_pool(ImagePool pool, std::span<const std::string> images,
                                       std::span<const std::size_t> subjects);

}  // namespace caos
