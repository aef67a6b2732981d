#include <fmt/format.h>

#include <bit>
#include <set>
#include <vector>

#include "apps/studio/store/clock.hpp"
#include "apps/studio/store/random_order.hpp"
#include "apps/studio/store/rows.hpp"
#include "apps/studio/store/store_impl.hpp"
#include "caos/core/error.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;
using Images = std::vector<ImageRecord>;

void put_places(Connection& db, const std::vector<Id>& order) {
  for (std::size_t place = 0; place < order.size(); ++place) {
    tell(db, "UPDATE images SET place = ? WHERE id = ?", place, order[place]);
  }
}

void put_sampling(Connection& db, Id project, Sampling::Kind kind, std::size_t size,
                  std::uint64_t seed) {
  tell(db,
       "UPDATE projects SET sampling = ?, sample_size = ?, sample_seed = ?, drawn_at = ? "
       "WHERE id = ?",
       name_of(kind), size, std::bit_cast<std::int64_t>(seed), utc_now(), project);
}

void require_size(std::size_t size, std::size_t largest) {
  require(size >= 1 && size <= largest, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "a sample of {} cannot be drawn; it takes at least one image and at most {}, one of each "
        "subject in the pool",
        size, largest);
  });
}

void draw(Connection& db, Id project, std::size_t size, std::uint64_t seed) {
  const RandomOrder order = random_order(images_of(db, project), seed);
  require_size(size, order.num_subjects);
  put_places(db, order.images);
  put_sampling(db, project, Sampling::Kind::random, size, seed);
}

/// Who has points has been labelled; what was labelled blind stays in the sample.
void require_unlabeled(Connection& db, const Images& images, std::size_t from, std::size_t to) {
  for (const ImageRecord& image : images) {
    const bool leaves = image.order && *image.order >= from && *image.order < to;
    require(!leaves || !has_points(db, image.id), ErrorKind::invalid_input, [&] {
      return fmt::format("the sample cannot shrink to {}: '{}', number {} of it, has points", from,
                         image.name, *image.order + 1);
    });
  }
}

void resize(Connection& db, const Project& project, std::size_t size) {
  const Images images = images_of(db, project.id);
  require_size(size, largest_sample(images));
  require_unlabeled(db, images, size, project.sampling.size);
  tell(db, "UPDATE projects SET sample_size = ? WHERE id = ?", size, project.id);
}

Images complete_ones(Connection& db, Id project) {
  Images complete = images_of(db, project);
  std::erase_if(complete, [](const ImageRecord& image) { return !image.complete; });
  require(!complete.empty(), ErrorKind::invalid_input,
          "no image has all landmarks yet; label or import some first");
  return complete;
}

}  // namespace

Project Store::draw_sample(Id project, std::size_t size, std::uint64_t seed) {
  return impl_->write([&](Connection& db) {
    const Project before = find_project(db, project);
    require(before.sampling.kind != Sampling::Kind::given, ErrorKind::invalid_input,
            "the project uses the images that were labelled as its sample, and cannot draw one any "
            "more; make a new project for that");
    if (before.sampling.kind == Sampling::Kind::none) {
      draw(db, project, size, seed);
    } else {
      resize(db, before, size);
    }
    return find_project(db, project);
  });
}

Project Store::take_labeled_as_sample(Id project, std::uint64_t seed) {
  return impl_->write([&](Connection& db) {
    require(find_project(db, project).sampling.kind != Sampling::Kind::random,
            ErrorKind::invalid_input,
            "the project has drawn a random sample, which is better than any that is given");
    RandomOrder order = random_order(complete_ones(db, project), seed);
    order.images.resize(order.num_subjects);
    tell(db, "UPDATE images SET place = NULL WHERE project = ?", project);
    put_places(db, order.images);
    put_sampling(db, project, Sampling::Kind::given, order.num_subjects, seed);
    return find_project(db, project);
  });
}

}  // namespace caos::studio
