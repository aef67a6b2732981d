#include "caos/landmarks/evaluation/landmark_splits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <span>

#include "caos/error.hpp"
#include "caos/rng.hpp"

namespace caos {
namespace {

Indices positions_of(const Indices& some, const Indices& all) {
  Indices positions;
  for (const std::size_t index : some) {
    positions.push_back(
        static_cast<std::size_t>(std::ranges::lower_bound(all, index) - all.begin()));
  }
  return positions;
}

/// The images of each subject, in the order in which subjects are numbered.
std::vector<Indices> images_by_subject(const LabeledPatches& images) {
  std::map<std::size_t, Indices> by_subject;
  for (std::size_t i = 0; i < images.size(); ++i) {
    by_subject[images.subjects.empty() ? i : images.subjects[i]].push_back(i);
  }
  std::vector<Indices> result;
  for (auto& [subject, indices] : by_subject) result.push_back(std::move(indices));
  return result;
}

Indices all_of(std::span<const Indices> subjects) {
  Indices result;
  for (const Indices& images : subjects) result.insert(result.end(), images.begin(), images.end());
  std::ranges::sort(result);
  return result;
}

Indices one_of_each(std::span<const Indices> subjects, Rng& rng) {
  Indices result;
  for (const Indices& images : subjects) result.push_back(images[rng.below(images.size())]);
  std::ranges::sort(result);
  return result;
}

void check_sizes(const SplitSizes& sizes, std::size_t count) {
  require(sizes.labeled >= 2 && sizes.test >= 1, ErrorKind::invalid_input, [&] {
    return fmt::format("a split needs two labeled images and one test image; asked for {} and {}",
                       sizes.labeled, sizes.test);
  });
  require(sizes.labeled <= count && sizes.test <= count - sizes.labeled, ErrorKind::invalid_input,
          [&] {
            return fmt::format("{} labeled and {} test images are more than the {} there are",
                               sizes.labeled, sizes.test, count);
          });
}

}  // namespace

Indices LandmarkSplit::labeled() const {
  Indices all;
  std::ranges::merge(references, calibration, std::back_inserter(all));
  return all;
}

split::Partition LandmarkSplit::partition() const {
  const Indices all = labeled();
  return {.references = positions_of(references, all),
          .calibration = positions_of(calibration, all)};
}

SplitSizes default_split_sizes(std::size_t count) {
  constexpr std::size_t of_the_paper = 100;
  const std::size_t labeled = std::min(of_the_paper, count / 2);
  return {.labeled = labeled, .test = std::min(of_the_paper, count - labeled)};
}

std::size_t num_subjects(const LabeledPatches& images) { return images_by_subject(images).size(); }

LandmarkSplit draw_landmark_split(const LabeledPatches& images, const SplitSizes& sizes,
                                  std::uint64_t seed, ImageTarget target) {
  std::vector<Indices> subjects = images_by_subject(images);
  check_sizes(sizes, subjects.size());
  Rng rng(seed);
  rng.shuffle(std::span(subjects));
  const auto drawn = std::span<const Indices>(subjects);
  const std::size_t half = sizes.labeled / 2;
  const auto tested = drawn.subspan(sizes.labeled, sizes.test);
  return {.references = all_of(drawn.first(half)),
          .calibration = all_of(drawn.subspan(half, sizes.labeled - half)),
          .test = target == ImageTarget::image ? all_of(tested) : one_of_each(tested, rng)};
}

}  // namespace caos
