#include "caos/landmarks/image_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/csv.hpp"

namespace caos {
namespace {

std::optional<std::size_t> found_in(const std::map<std::string, std::size_t>& numbers,
                                    const std::string& name) {
  const auto found = numbers.find(name);
  if (found == numbers.end()) return std::nullopt;
  return found->second;
}

std::string file_name(const std::string& image) {
  return std::filesystem::path(image).filename().string();
}

std::size_t column_of(const io::CsvTable& table, const char* name) {
  const auto found = std::ranges::find(table.header, name);
  require(found != table.header.end(), ErrorKind::bad_format, [&] {
    return fmt::format("{}: has no column '{}'; the first line must be image,subject", table.name,
                       name);
  });
  return static_cast<std::size_t>(found - table.header.begin());
}

/// Both say of every pair of images whether they are of one subject: they must say the same.
void check_subjects(std::span<const std::string> images, std::span<const std::size_t> annotated,
                    std::span<const std::size_t> in_pool) {
  std::map<std::size_t, std::size_t> to_pool;
  std::map<std::size_t, std::size_t> from_pool;
  for (std::size_t i = 0; i < annotated.size(); ++i) {
    const bool same = to_pool.emplace(annotated[i], in_pool[i]).first->second == in_pool[i] &&
                      from_pool.emplace(in_pool[i], annotated[i]).first->second == annotated[i];
    require(same, ErrorKind::invalid_input, [&] {
      return fmt::format(
          "the subject of '{}' differs between the landmark file and the pool; make them agree",
          images[i]);
    });
  }
}

}  // namespace

ImagePool::ImagePool(std::vector<std::string> images,
                     std::vector<std::optional<std::string>> subjects)
    : images_(std::move(images)), subjects_(std::move(subjects)) {
  require(images_.empty() || images_.size() == subjects_.size(), ErrorKind::invalid_input,
          "a pool needs one subject per image");
  for (const std::optional<std::string>& subject : subjects_) {
    std::size_t number = counts_.size();
    if (subject) number = number_of_.emplace(*subject, number).first->second;
    if (number == counts_.size()) counts_.push_back(0);
    ++counts_[number];
    numbers_.push_back(number);
  }
  for (std::size_t i = 0; i < images_.size(); ++i) {
    require(place_of_.emplace(images_[i], i).second, ErrorKind::invalid_input,
            [&] { return fmt::format("the pool has the image '{}' twice", images_[i]); });
    const auto [found, is_new] = place_of_file_.emplace(file_name(images_[i]), i);
    if (!is_new) found->second = std::nullopt;
  }
}

std::optional<std::size_t> ImagePool::subject_of_image(const std::string& image) const {
  std::optional<std::size_t> place = found_in(place_of_, image);
  if (!place) {
    const auto found = place_of_file_.find(file_name(image));
    if (found != place_of_file_.end()) place = found->second;
  }
  if (!place) return std::nullopt;
  return numbers_[*place];
}

std::optional<std::size_t> ImagePool::subject_named(const std::string& subject) const {
  return found_in(number_of_, subject);
}

PoolSizes LabeledPool::sizes(std::span<const std::size_t> labeled) const {
  PoolSizes sizes{.images = pool.size(), .of_subject = {}};
  for (const std::size_t i : labeled) sizes.of_subject.push_back(pool.num_images(subjects[i]));
  return sizes;
}

bool LabeledPool::is_labeled(std::size_t subject) const {
  return std::ranges::find(subjects, subject) != subjects.end();
}

std::vector<std::size_t> LabeledPool::new_sizes() const {
  std::set<std::size_t> sizes;
  const std::set<std::size_t> labeled(subjects.begin(), subjects.end());
  for (std::size_t s = 0; s < pool.num_subjects(); ++s) {
    if (!labeled.contains(s)) sizes.insert(pool.num_images(s));
  }
  if (sizes.empty()) sizes.insert(1);
  return {sizes.begin(), sizes.end()};
}

Guarantee NewImage::weakened(Guarantee guarantee) const {
  if (why_none.empty() || guarantee.kind == Guarantee::Kind::none) return guarantee;
  return {Guarantee::Kind::none, why_none};
}

NewImage new_image_of(const LabeledPool& pool, std::optional<std::size_t> subject) {
  if (!subject) return {.why_none = "the image is not in the pool"};
  if (pool.is_labeled(*subject)) return {.why_none = "the image's subject has labeled images"};
  return {.num_images = pool.pool.num_images(*subject)};
}

ImagePool read_image_pool(const std::string& path) {
  const io::CsvTable table = io::read_csv(path);
  const std::size_t image = column_of(table, "image");
  const std::size_t subject = column_of(table, "subject");
  std::vector<std::string> images;
  std::vector<std::optional<std::string>> subjects;
  std::map<std::string, std::size_t> line_of;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& name = table.rows[row][image];
    const auto [first, is_new] = line_of.emplace(name, table.lines[row]);
    require(is_new, ErrorKind::bad_format, [&, line = first->second] {
      return fmt::format("{}: line {}: the image '{}' is in the pool since line {}", table.name,
                         table.lines[row], name, line);
    });
    images.push_back(name);
    const std::string& whose = table.rows[row][subject];
    subjects.push_back(whose.empty() ? std::nullopt : std::optional(whose));
  }
  return {std::move(images), std::move(subjects)};
}

LabeledPool labeled_pool(ImagePool pool, std::span<const std::string> images,
                         std::span<const std::size_t> subjects) {
  LabeledPool result{.pool = std::move(pool)};
  for (const std::string& image : images) {
    const std::optional<std::size_t> subject = result.pool.subject_of_image(image);
    require(subject.has_value(), ErrorKind::invalid_input, [&] {
      return fmt::format(
          "the labeled image '{}' is not in the pool; list every image of the pool, labeled ones "
          "too",
          image);
    });
    result.subjects.push_back(*subject);
  }
  check_subjects(images, subjects, result.subjects);
  return result;
}

}  // namespace caos
