#include "apps/studio/store/sampling/random_order.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "caos/rng.hpp"

namespace caos::studio {
namespace {

/// In the order in which they first occur.
std::vector<std::vector<Id>> images_of_subjects(std::span<const ImageRecord> images) {
  std::vector<std::vector<Id>> subjects;
  std::map<std::string, std::size_t> numbers;
  for (const ImageRecord& image : images) {
    const bool is_known = image.subject && numbers.contains(*image.subject);
    if (!is_known) subjects.emplace_back();
    if (!is_known && image.subject) numbers[*image.subject] = subjects.size() - 1;
    subjects[image.subject ? numbers[*image.subject] : subjects.size() - 1].push_back(image.id);
  }
  return subjects;
}

}  // namespace

RandomOrder random_order(std::span<const ImageRecord> images, std::uint64_t seed) {
  Rng rng(seed);
  auto subjects = images_of_subjects(images);
  rng.shuffle(std::span(subjects));
  RandomOrder order{.num_subjects = subjects.size()};
  std::vector<Id> others;
  for (auto& of_subject : subjects) {
    rng.shuffle(std::span(of_subject));
    order.images.push_back(of_subject.front());
    others.insert(others.end(), of_subject.begin() + 1, of_subject.end());
  }
  rng.shuffle(std::span(others));
  order.images.insert(order.images.end(), others.begin(), others.end());
  return order;
}

std::size_t largest_sample(std::span<const ImageRecord> images) {
  std::map<std::size_t, const ImageRecord*> by_place;
  for (const ImageRecord& image : images) {
    if (image.order) by_place.emplace(*image.order, &image);
  }
  std::set<std::string> subjects;
  for (const auto& [place, image] : by_place) {
    if (image->subject && !subjects.insert(*image->subject).second) return place;
  }
  return by_place.empty() ? 0 : by_place.rbegin()->first + 1;
}

}  // namespace caos::studio
