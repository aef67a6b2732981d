#include "caos/conformal/subject_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "caos/error.hpp"
#include "caos/guarantee.hpp"

namespace caos {
namespace {

constexpr std::size_t most_images = (std::size_t{1} << 31U) - 1;

std::vector<std::size_t> all_different(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

void check_pool(const PoolSizes& pool, std::span<const std::size_t> labeled, std::size_t with_new) {
  require(pool.images <= most_images, ErrorKind::invalid_input, [&] {
    return fmt::format("a pool has at most {} images; this one has {}", most_images, pool.images);
  });
  require(with_new <= pool.images, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "the pool has {} images, fewer than the {} of the labeled subjects and the "
        "new one",
        pool.images, with_new);
  });
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    require(labeled[i] <= pool.of_subject[i], ErrorKind::invalid_input, [&] {
      return fmt::format("a subject has {} labeled images and only {} in the pool", labeled[i],
                         pool.of_subject[i]);
    });
  }
}

}  // namespace

std::string_view target_name(ImageTarget target) {
  if (target == ImageTarget::any) return "any";
  return target == ImageTarget::subject ? "subject" : "image";
}

ImageTarget parse_target(std::string_view name) {
  if (name == "subject") return ImageTarget::subject;
  require(name == "image", ErrorKind::invalid_input,
          [&] { return fmt::format("the target '{}' is not one of subject, image", name); });
  return ImageTarget::image;
}

std::string_view target_text(ImageTarget target) {
  if (target == ImageTarget::any) return "a new image";
  return target == ImageTarget::subject
             ? "a random image of a new subject"
             : "a random image of the pool, of a subject without labeled images";
}

std::string assumption_of(ImageTarget target) {
  if (target == ImageTarget::any) return assumption;
  return fmt::format(
      "{}, labeled images are random among those of their subject, and the scorer was fixed before "
      "the data were seen",
      target == ImageTarget::subject ? "labeled and new subjects are exchangeable"
                                     : "labeled subjects were drawn at random from the pool");
}

std::size_t num_subjects(std::span<const std::size_t> subjects) {
  return std::set<std::size_t>(subjects.begin(), subjects.end()).size();
}

std::vector<std::size_t> images_of_same_subject(std::span<const std::size_t> subjects) {
  std::map<std::size_t, std::size_t> counts;
  for (const std::size_t subject : subjects) ++counts[subject];
  std::vector<std::size_t> result;
  for (const std::size_t subject : subjects) result.push_back(counts[subject]);
  return result;
}

std::vector<std::size_t> repeated_subjects(std::vector<std::size_t> subjects) {
  const std::set<std::size_t> distinct(subjects.begin(), subjects.end());
  return distinct.size() < subjects.size() ? std::move(subjects) : std::vector<std::size_t>();
}

std::size_t pool_images_of(std::span<const std::size_t> subjects, const PoolSizes& pool) {
  std::map<std::size_t, std::size_t> sizes;
  for (std::size_t i = 0; i < subjects.size(); ++i) sizes[subjects[i]] = pool.of_subject[i];
  std::size_t sum = 0;
  for (const auto& [subject, size] : sizes) sum += size;
  return sum;
}

ExampleWeights subject_weights(std::span<const std::size_t> subjects, std::uint64_t most) {
  std::vector<Fraction> weights;
  for (const std::size_t count : images_of_same_subject(subjects)) weights.push_back({1, count});
  return whole_weights({}, weights, most);
}

ExampleWeights pool_weights(std::span<const std::size_t> subjects, const PoolSizes& pool,
                            std::size_t new_images, std::uint64_t most) {
  const std::vector<std::size_t> different =
      subjects.empty() ? all_different(pool.of_subject.size()) : std::vector<std::size_t>();
  if (subjects.empty()) subjects = different;
  require(subjects.size() == pool.of_subject.size() && new_images > 0, ErrorKind::invalid_input,
          "the sizes of a pool do not fit the calibration images");
  const std::vector<std::size_t> labeled = images_of_same_subject(subjects);
  const std::size_t with_new = pool_images_of(subjects, pool) + new_images;
  check_pool(pool, labeled, with_new);
  // All weights are multiplied by M - W + 1, which p-values do not see: then they are of the order
  // of N_b / n_b, and the rounding of large pools stays fine.
  const std::size_t others = pool.images - with_new;
  const auto weight = [&](std::size_t size, std::size_t count) {
    return Fraction{size * (others + 1), count * (others + size)};
  };
  std::vector<Fraction> weights;
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    weights.push_back(weight(pool.of_subject[i], labeled[i]));
  }
  return whole_weights(weight(new_images, 1), weights, most);
}

}  // namespace caos
