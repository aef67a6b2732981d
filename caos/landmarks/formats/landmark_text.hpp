#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caos/landmarks/formats/dlib_format.hpp"
#include "caos/landmarks/formats/image_size.hpp"
#include "caos/landmarks/formats/instances.hpp"
#include "caos/landmarks/formats/json/slicer_format.hpp"
#include "caos/landmarks/formats/landmark_format.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"
#include "caos/landmarks/formats/tps_format.hpp"

// Landmark files that are in memory; caos/landmarks/formats/landmark_file.hpp opens and writes
// them.
namespace caos::landmarks {

/// What the reader or writer of a file must be told. Each format looks at its own part.
struct FileOptions {
  std::optional<Format> format{};  ///< otherwise the name tells, and for .json the content
  TpsOptions tps{};
  TpsY wide_csv_y = TpsY::top;  ///< where y counts from in wide CSV files that are read
  DlibOptions dlib{};
  std::optional<double> slicer_scale{};  ///< millimeters per pixel, to read Slicer's files
  PatientAxes slicer_axes = PatientAxes::lps;
  InstanceOptions instances{};    ///< of images that show several
  std::string image_extension{};  ///< ".png": of images whose names in the file have none
  ImageSizes sizes{};             ///< for formats that need them and tables that lack them
  std::function<void(const std::string&)> note{};  ///< told what a reader decided, one sentence
};

/// A file that was read elsewhere, or will be written.
struct NamedText {
  std::string name;
  std::string text;
};

/// The format of a file: as the options say, or its name, or for .json, .csv and .txt its content.
/// Where none does, it is an Error invalid_input.
[[nodiscard]] Format format_of(std::string_view text, const std::string& name,
                               const FileOptions& options);

/// Reads one file. With a format that has a file for each image, `name` is that of the image, but
/// for the extension.
[[nodiscard]] LandmarkTable parse_landmarks(std::string_view text, const std::string& name,
                                            const FileOptions& options);

/// Reads one file, or several of one format that has a file for each image. Several of another
/// format, or of different ones, are an Error invalid_input.
[[nodiscard]] LandmarkTable parse_landmarks(std::span<const NamedText> files,
                                            const FileOptions& options);

/// The table of several files, in their order. `parse` gives that of one file. An image that two of
/// them annotate is an Error invalid_input with the names of both.
[[nodiscard]] LandmarkTable join_images(std::span<const std::string> files,
                                        const std::function<LandmarkTable(std::size_t)>& parse);

/// The table as one file. A format that has a file for each image takes one image.
[[nodiscard]] std::string landmark_text(const LandmarkTable& table, Format format,
                                        const FileOptions& options);

/// The table as files, named as their images, in a format that has a file for each image. Two
/// images whose files would have one name are an Error invalid_input.
[[nodiscard]] std::vector<NamedText> landmark_texts(const LandmarkTable& table, Format format,
                                                    const FileOptions& options);

/// What the format cannot hold of the table, and what its other readers will miss, one sentence
/// each.
[[nodiscard]] std::vector<std::string> landmark_losses(const LandmarkTable& table, Format format,
                                                       const FileOptions& options);

}  // namespace caos::landmarks
