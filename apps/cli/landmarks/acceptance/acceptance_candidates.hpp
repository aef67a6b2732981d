#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::cli {

/// The images of a folder that have no labels.
struct Candidates {
  std::vector<std::string> files{};   ///< paths, sorted by name
  std::vector<std::string> copies{};  ///< names of images left out as copies of labeled ones

  [[nodiscard]] std::vector<std::string> names() const;
};

[[nodiscard]] std::string file_name(const std::string& path);

/// All images of `folder` but the annotated ones and copies of them. Throws `invalid_input` where
/// a candidate has the name of another, labeled image.
[[nodiscard]] Candidates candidates_in(const std::string& folder,
                                       const landmarks::LandmarkTable& table,
                                       const AnnotatedImages& labeled);

/// A checksum of a file's bytes.
[[nodiscard]] std::string content_of(const std::string& path);

/// The subject of each image, as far as the landmark file and a CSV file with the columns image and
/// subject give it; an empty file name stands for no CSV file.
[[nodiscard]] std::map<std::string, std::string> subjects_of(const landmarks::LandmarkTable& table,
                                                             const std::string& file);

/// Throws `invalid_input` where two of the images are of one subject.
void check_one_per_subject(const std::map<std::string, std::string>& subjects,
                           std::span<const std::string> images);

/// Checks that labeled images and candidates are of different subjects, and tells whether subjects
/// are known at all. Throws `invalid_input` where they are known of some images only.
[[nodiscard]] bool check_subjects(const landmarks::LandmarkTable& table, const std::string& file,
                                  std::span<const std::string> candidates);

}  // namespace caos::cli
