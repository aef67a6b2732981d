#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// Whether a name ends as those of image files that are read: .jpg, .PNG, .tif, ...
[[nodiscard]] bool has_image_extension(std::string_view name);

/// Without folders in front, of a path of any system.
[[nodiscard]] std::string last_part(const std::string& path);

/// The images in a folder and below it, by the names that landmark files give them. Not safe to
/// share between threads.
class ImageFolder {
 public:
  explicit ImageFolder(std::string folder) : folder_(std::move(folder)) {}

  /// The file of an image; nothing where there is none, or only one outside of the folder: the
  /// writer of a landmark file does not choose which of the user's files are read.
  ///
  /// A name that is not there as it is, such as a path of another machine
  /// (`C:\project\wings\a.JPG`), is looked for without the folders in front, one after another
  /// (`project/wings/a.JPG`, `wings/a.JPG`, `a.JPG`), then in any letter case if just one file
  /// fits, and then with any extension of images, or with another than it has, if just one file
  /// fits. Last, images in all folders below are looked at: the one of that name is taken, of
  /// several the one whose folders agree with most of those in the name, if just one does. What
  /// follows the last `#` is the instance (`a.jpg#2`).
  [[nodiscard]] std::optional<std::string> find(const std::string& image);

  [[nodiscard]] const std::string& name() const { return folder_; }

 private:
  struct Listing {
    std::map<std::string, std::vector<std::string>> by_name{};  ///< entries by name in lower case
    std::map<std::string, std::vector<std::string>> by_stem{};  ///< images, without extension
  };

  const Listing& listing(const std::string& folder);
  const Listing& all_below();
  std::optional<std::string> deeper(const std::vector<std::string>& parts, bool any_extension);
  std::optional<std::string> walk(const std::vector<std::string>& parts, std::size_t from,
                                  bool any_extension);
  std::optional<std::string> elsewhere(const std::string& image);

  std::string folder_;
  std::map<std::string, Listing> listings_{};
  std::optional<Listing> below_{};  ///< images in all folders below, by their last part
};

/// A list of images, found by the names that other files give them: as they are, without folders
/// in front, then in any letter case, and then without extension, each if just one fits.
class ImageIndex {
 public:
  explicit ImageIndex(std::span<const std::string> images);

  /// The place in the list.
  [[nodiscard]] std::optional<std::size_t> find(const std::string& image) const;

 private:
  using Places = std::map<std::string, std::vector<std::size_t>>;

  Places exact_{};
  Places last_parts_{};
  Places lower_{};
  Places stems_{};
};

/// The file of one image in a folder.
[[nodiscard]] std::optional<std::string> find_image(const std::string& folder,
                                                    const std::string& image);

enum class MissingImages { refuse, skip };

/// What `match_images` did.
struct MatchedImages {
  std::size_t num_renamed = 0;         ///< found under another folder, letter case or extension
  std::vector<std::string> skipped{};  ///< names of images that are not there
};

/// Gives images the names that their files have below `folder`. Those without a file are an Error
/// not_found that names `file` and the first of them, or are left out.
MatchedImages match_images(LandmarkTable& table, const std::string& folder, const std::string& file,
                           MissingImages missing);

/// Throws the Error not_found of an image without a file.
[[noreturn]] void refuse_missing_image(const std::string& file, const std::string& image,
                                       const std::string& folder, std::size_t num_more = 0);

}  // namespace caos::landmarks
