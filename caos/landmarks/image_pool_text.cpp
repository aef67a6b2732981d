#include "caos/landmarks/image_pool_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/csv.hpp"

namespace caos {
namespace {

constexpr const char* images_key = "pool_images";
constexpr const char* subjects_key = "pool_subjects";
constexpr const char* labeled_key = "pool_labeled";

using Texts = std::vector<std::string>;

[[noreturn]] void refuse(const std::string& file) {
  throw Error(ErrorKind::bad_format,
              fmt::format("{}: its pool of images is damaged; calibrate again", file));
}

Texts list_at(const io::Metadata& metadata, const char* key, const std::string& file) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) refuse(file);
  if (found->second.empty()) return {};
  return io::parse_csv(found->second, file).header;
}

std::size_t number_of(const std::string& digits, const std::string& file) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) refuse(file);
  return value;
}

}  // namespace

void put_pool(const LabeledPool& pool, io::Metadata& metadata) {
  Texts subjects;
  for (const auto& subject : pool.pool.subjects()) subjects.push_back(subject.value_or(""));
  Texts labeled;
  for (const std::size_t subject : pool.subjects) labeled.push_back(fmt::format("{}", subject));
  metadata[images_key] = pool.pool.images().empty() ? "" : io::csv_row(pool.pool.images());
  metadata[subjects_key] = io::csv_row(subjects);
  metadata[labeled_key] = io::csv_row(labeled);
}

std::optional<LabeledPool> take_pool(const io::Metadata& metadata, std::size_t num_labeled,
                                     const std::string& file) {
  if (!metadata.contains(subjects_key)) return std::nullopt;
  Texts images = list_at(metadata, images_key, file);
  std::vector<std::optional<std::string>> subjects;
  for (std::string& name : list_at(metadata, subjects_key, file)) {
    subjects.push_back(name.empty() ? std::nullopt : std::optional(std::move(name)));
  }
  const Texts labeled = list_at(metadata, labeled_key, file);
  const std::set<std::string> distinct(images.begin(), images.end());
  if ((!images.empty() && images.size() != subjects.size()) || distinct.size() != images.size() ||
      labeled.size() != num_labeled) {
    refuse(file);
  }
  LabeledPool pool{.pool = {std::move(images), std::move(subjects)}};
  for (const std::string& digits : labeled) {
    pool.subjects.push_back(number_of(digits, file));
    if (pool.subjects.back() >= pool.pool.num_subjects()) refuse(file);
  }
  for (const std::size_t subject : pool.subjects) {
    const auto count = std::ranges::count(pool.subjects, subject);
    if (static_cast<std::size_t>(count) > pool.pool.num_images(subject)) refuse(file);
  }
  return pool;
}

}  // namespace caos
