#include "bindings/python/arguments/pool_argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bindings/python/objects/patch_images.hpp"
#include "caos/error.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

using SubjectNames = std::vector<std::optional<std::string>>;

/// The numbers of subjects without a name, one image each.
std::vector<std::size_t> unnamed_subjects(const ImagePool& pool) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    if (!pool.subjects()[i]) numbers.push_back(pool.subject_at(i));
  }
  return numbers;
}

/// Numbers in the pool; each image without a subject takes one of the pool's.
std::vector<std::size_t> numbers_of(const SubjectNames& names, const ImagePool& pool) {
  const std::vector<std::size_t> unnamed = unnamed_subjects(pool);
  std::size_t next = 0;
  std::vector<std::size_t> numbers;
  for (const std::optional<std::string>& name : names) {
    std::optional<std::size_t> number;
    if (name) number = pool.subject_named(*name);
    if (!name && next < unnamed.size()) number = unnamed[next++];
    require(number.has_value(), ErrorKind::invalid_input, [&] {
      return fmt::format(
          "pool: lacks the labeled subject {}; list every image of the pool, labeled "
          "ones too",
          name.value_or("None"));
    });
    numbers.push_back(*number);
  }
  return numbers;
}

void check_counts(const LabeledPool& pool) {
  for (const std::size_t subject : pool.subjects) {
    const auto labeled = static_cast<std::size_t>(std::ranges::count(pool.subjects, subject));
    require(labeled <= pool.pool.num_images(subject), ErrorKind::invalid_input, [&] {
      return fmt::format("pool: a subject has {} labeled images and only {} in the pool", labeled,
                         pool.pool.num_images(subject));
    });
  }
}

/// An image without a subject is one of the pool's that are not labeled, if there are any.
std::optional<std::size_t> subject_of(const LabeledPool& pool,
                                      const std::optional<std::string>& name) {
  if (name) return pool.pool.subject_named(*name);
  for (const std::size_t number : unnamed_subjects(pool.pool)) {
    if (!pool.is_labeled(number)) return number;
  }
  return std::nullopt;
}

}  // namespace

std::optional<LabeledPool> pool_argument(const std::string& target, const py::object& pool,
                                         const py::object& subjects, std::size_t num_images) {
  const bool by_image = parse_target(target) == ImageTarget::image;
  require(by_image == !pool.is_none(), ErrorKind::invalid_input,
          "target 'image' needs pool, whose image each image of the pool is; target 'subject' has "
          "none");
  if (!by_image) return std::nullopt;
  SubjectNames names(num_images);
  if (!subjects.is_none()) names = subject_names_of(subjects, "subjects", num_images);
  LabeledPool result{.pool = {{}, subject_names_of(pool, "pool")}};
  result.subjects = numbers_of(names, result.pool);
  check_counts(result);
  return result;
}

std::vector<NewImage> known_images(const LandmarkModel& model, const py::object& subjects,
                                   std::size_t num_images) {
  require(model.pool || subjects.is_none(), ErrorKind::invalid_input,
          "subjects: the calibration has no pool; calibrate with target='image' and pool");
  if (!model.pool) return {};
  if (subjects.is_none()) {
    const NewImage unknown{.why_none = "the image's subject was not given"};
    return std::vector<NewImage>(num_images, unknown);
  }
  std::vector<NewImage> known;
  for (const auto& name : subject_names_of(subjects, "subjects", num_images)) {
    known.push_back(new_image_of(*model.pool, subject_of(*model.pool, name)));
  }
  return known;
}

}  // namespace caos::python
