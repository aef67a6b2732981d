#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caos/landmarks/formats/instances.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// A table of DeepLabCut, whether it came from CSV or HDF5: a row per image, columns for the
/// coordinates of each body part (of each individual).
struct DeepLabCutSheet {
  struct Column {
    std::string individual{};  ///< empty in projects with one animal
    std::string bodypart{};
    std::string coordinate{};  ///< x, y or likelihood
  };

  std::string scorer{};
  std::vector<Column> columns{};
  std::vector<std::string> images{};
  std::vector<std::vector<double>> rows{};  ///< by image and column; NaN where nothing is marked
  std::vector<std::string> places{};        ///< of the rows in the file, for errors: "a.csv:4:"
};

/// Body parts of the individual `single` belong to the image and not to an animal.
/// Positions are taken as they are. A likelihood is a conformity where the scorer is `caos`;
/// that of another network is not, and is not read.
[[nodiscard]] LandmarkTable table_of(const DeepLabCutSheet& sheet, const std::string& name,
                                     const InstanceOptions& options);

/// One animal; with likelihoods where the table has proposals.
[[nodiscard]] DeepLabCutSheet sheet_of(const LandmarkTable& table);

/// Reads a CSV file as DeepLabCut writes it: header rows scorer, perhaps individuals, bodyparts and
/// coords; images as one path or as folder, video and file. Errors are bad_format with the line.
[[nodiscard]] LandmarkTable parse_deeplabcut(std::string_view text, const std::string& name,
                                             const InstanceOptions& options = {});

/// Images are written in three columns if each has a path of three parts, otherwise in one. Holds
/// names, missing landmarks and conformity.
[[nodiscard]] std::string write_deeplabcut(const LandmarkTable& table);

}  // namespace caos::landmarks
