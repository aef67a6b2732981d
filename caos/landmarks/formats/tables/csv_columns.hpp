#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Shared by the readers of tables; not for users of the library.
namespace caos::landmarks {

/// The columns of a table with a row per landmark, in the order in which they are written.
enum class CsvColumn {
  image,
  landmark,
  x,
  y,
  visible,
  subject,
  scale,
  width,
  height,
  source,
  conformity,
};

constexpr std::size_t num_csv_columns = 11;

/// As they are called in files that this library writes.
constexpr std::array<std::string_view, num_csv_columns> csv_column_names = {
    "image", "landmark", "x",      "y",      "visible",   "subject",
    "scale", "width",    "height", "source", "conformity"};

/// Where each column is in a file.
class CsvColumns {
 public:
  /// Finds columns by our own names, and image, landmark, x and y by the usual others (`file`,
  /// `specimen`, `keypoint`, `point`, ...) too, in any letter case. A file about one image has no
  /// column with its name; `id` names the landmark there.
  explicit CsvColumns(std::span<const std::string> header, bool one_image = false);

  [[nodiscard]] std::optional<std::size_t> at(CsvColumn column) const {
    return places_[static_cast<std::size_t>(column)];
  }
  /// Columns that are not known.
  [[nodiscard]] const std::vector<std::size_t>& others() const { return others_; }
  /// The name of a column that is there twice.
  [[nodiscard]] const std::optional<std::string_view>& twice() const { return twice_; }

  /// Whether no column names images but that of the landmarks does, as `Label` in the tables that
  /// ImageJ measures.
  [[nodiscard]] bool labels_are_images(std::span<const std::vector<std::string>> rows) const;
  /// Landmarks then have no names.
  void take_labels_for_images();

 private:
  std::array<std::optional<std::size_t>, num_csv_columns> places_{};
  std::vector<std::size_t> others_{};
  std::optional<std::string_view> twice_{};
};

/// The column with the name of the image, by any of its usual names; the likeliest of several.
[[nodiscard]] std::optional<std::size_t> find_image_column(std::span<const std::string> header);

}  // namespace caos::landmarks
