#include "apps/cli/landmarks/acceptance/acceptance_candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "caos/error.hpp"
#include "caos/io/checksum.hpp"
#include "caos/io/csv.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/landmarks/embedding/embed_images.hpp"

namespace caos::cli {
namespace {

namespace fs = std::filesystem;

std::string plain(const std::string& path) {
  std::error_code ignored;
  return fs::weakly_canonical(path, ignored).string();
}

std::uintmax_t size_of(const std::string& path) {
  std::error_code failure;
  const std::uintmax_t size = fs::file_size(path, failure);
  return failure ? 0 : size;
}

/// Labeled images, to recognize their files and copies. Contents are read only where sizes agree.
class LabeledFiles {
 public:
  LabeledFiles(const landmarks::LandmarkTable& table, const AnnotatedImages& labeled) {
    for (const auto& annotation : table.annotations) names_.insert(annotation.image);
    for (const std::string& file : labeled.files) {
      paths_.insert(plain(file));
      by_size_.emplace(size_of(file), file);
    }
    for (const std::string& name : labeled.failed_names) failed_.insert(name);
  }

  [[nodiscard]] bool has_name(const std::string& name) const { return names_.contains(name); }
  /// Unreadable labeled images are labeled still.
  [[nodiscard]] bool has_file(const std::string& path) const {
    return paths_.contains(plain(path)) || failed_.contains(file_name(path));
  }
  [[nodiscard]] bool has_copy_of(const std::string& path) const {
    const auto [first, last] = by_size_.equal_range(size_of(path));
    return std::any_of(first, last, [&](const auto& labeled) {
      return content_of(labeled.second) == content_of(path);
    });
  }

 private:
  std::set<std::string> names_;
  std::set<std::string> paths_;
  std::set<std::string> failed_;
  std::multimap<std::uintmax_t, std::string> by_size_;
};

std::size_t candidate_column(const io::CsvTable& table, const char* name) {
  const auto found = std::ranges::find(table.header, name);
  require(found != table.header.end(), ErrorKind::bad_format, [&] {
    return fmt::format("{}: no column '{}'; the first line must be image,subject", table.name,
                       name);
  });
  return static_cast<std::size_t>(found - table.header.begin());
}

}  // namespace

std::string content_of(const std::string& path) {
  return io::checksum128({io::MappedFile::read(path).bytes()});
}

std::string file_name(const std::string& path) { return fs::path(path).filename().string(); }

std::vector<std::string> Candidates::names() const {
  std::vector<std::string> names;
  for (const std::string& file : files) names.push_back(file_name(file));
  return names;
}

Candidates candidates_in(const std::string& folder, const landmarks::LandmarkTable& table,
                         const AnnotatedImages& labeled) {
  const LabeledFiles known(table, labeled);
  Candidates candidates;
  for (const std::string& file : image_files(folder)) {
    if (known.has_file(file)) continue;
    if (known.has_copy_of(file)) {
      candidates.copies.push_back(file_name(file));
      continue;
    }
    require(!known.has_name(file_name(file)), ErrorKind::invalid_input, [&] {
      return fmt::format("{}: another image of this name is labeled; rename one of them", file);
    });
    candidates.files.push_back(file);
  }
  return candidates;
}

std::map<std::string, std::string> subjects_of(const landmarks::LandmarkTable& table,
                                               const std::string& file) {
  std::map<std::string, std::string> subjects;
  for (const auto& annotation : table.annotations) {
    if (annotation.subject) subjects.emplace(annotation.image, *annotation.subject);
  }
  if (file.empty()) return subjects;
  const io::CsvTable csv = io::read_csv(file);
  const std::size_t image = candidate_column(csv, "image");
  const std::size_t subject = candidate_column(csv, "subject");
  for (std::size_t row = 0; row < csv.rows.size(); ++row) {
    const auto [known, is_new] = subjects.emplace(csv.rows[row][image], csv.rows[row][subject]);
    require(is_new || known->second == csv.rows[row][subject], ErrorKind::bad_format, [&] {
      return fmt::format("{}: line {}: the image '{}' is of the subject '{}' elsewhere", csv.name,
                         csv.lines[row], csv.rows[row][image], known->second);
    });
  }
  return subjects;
}

void check_one_per_subject(const std::map<std::string, std::string>& subjects,
                           std::span<const std::string> images) {
  std::map<std::string, std::string> first_of;
  for (const std::string& image : images) {
    const auto subject = subjects.find(image);
    if (subject == subjects.end() || subject->second.empty()) continue;
    const auto [first, is_new] = first_of.emplace(subject->second, image);
    require(is_new, ErrorKind::invalid_input, [&] {
      return fmt::format(
          "'{}' and '{}' are images of the subject '{}'; accepting without review needs one image "
          "of each subject: keep one at random, labeled or candidate, and leave the others out",
          first->second, image, subject->second);
    });
  }
}

bool check_subjects(const landmarks::LandmarkTable& table, const std::string& file,
                    std::span<const std::string> candidates) {
  const auto subjects = subjects_of(table, file);
  if (subjects.empty()) return false;
  // Within a landmark file that names subjects, an image without one is a subject of its own.
  const bool labeled_known = std::ranges::any_of(
      table.annotations, [](const auto& annotation) { return annotation.subject.has_value(); });
  std::vector<std::string> all(candidates.begin(), candidates.end());
  std::vector<std::string> to_name = all;
  for (const auto& annotation : table.annotations) {
    all.push_back(annotation.image);
    if (!labeled_known) to_name.push_back(annotation.image);
  }
  check_one_per_subject(subjects, all);
  for (const std::string& image : to_name) {
    require(subjects.contains(image), ErrorKind::invalid_input, [&] {
      return fmt::format(
          "the subject of '{}' is not known, and those of other images are; accepting without "
          "review needs one image of each subject: name the subjects of all {} in --subjects FILE",
          image, labeled_known ? "candidates" : "candidates and labeled images");
    });
  }
  return true;
}

}  // namespace caos::cli
