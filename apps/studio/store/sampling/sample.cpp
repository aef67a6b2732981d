#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "apps/studio/store/database/clock.hpp"
#include "apps/studio/store/database/rows.hpp"
#include "apps/studio/store/sampling/looks.hpp"
#include "apps/studio/store/sampling/random_order.hpp"
#include "apps/studio/store/store_impl.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;
using Images = std::vector<ImageRecord>;

void put_places(Connection& db, const std::vector<Id>& order) {
  for (std::size_t place = 0; place < order.size(); ++place) {
    tell(db, "UPDATE images SET place = ? WHERE id = ?", place, order[place]);
  }
}

void require_size(std::size_t size, std::size_t largest) {
  require(size >= 1 && size <= largest, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "a sample of {} cannot be drawn; it takes at least one image and at most {}, one of each "
        "subject in the pool",
        size, largest);
  });
}

std::size_t wanted_size(const SampleRequest& request) {
  return request.looks.empty() ? request.size : request.looks.back().size;
}

/// The looks to store: one that takes the whole of alpha needs no mention.
std::vector<Look> wanted_looks(const SampleRequest& request, const std::string& alpha) {
  if (request.looks.size() == 1 && request.looks[0].alpha.empty()) return {};
  return planned_looks(request.looks, alpha);
}

void draw(Connection& db, const Project& project, const SampleRequest& request) {
  const RandomOrder order = random_order(images_of(db, project.id), request.seed);
  const std::size_t size = wanted_size(request);
  require_size(size, order.num_subjects);
  put_places(db, order.images);
  write_sampling(db, project.id,
                 {.kind = Sampling::Kind::random,
                  .size = size,
                  .seed = request.seed,
                  .drawn_at = utc_now(),
                  .seed_given = request.seed_given,
                  .looks = wanted_looks(request, project.settings.alpha),
                  .largest = size,
                  .units = order.num_subjects,
                  .after_results = !project.integrity.results_seen_at.empty()});
}

/// Images with points have been labeled; images that were labeled blind stay in the sample.
void require_unlabeled(Connection& db, const Images& images, std::size_t from, std::size_t to) {
  for (const ImageRecord& image : images) {
    const bool leaves = image.order && *image.order >= from && *image.order < to;
    require(!leaves || !has_points(db, image.id), ErrorKind::invalid_input, [&] {
      return fmt::format("the sample cannot shrink to {}: '{}', number {} of it, has points", from,
                         image.name, *image.order + 1);
    });
  }
}

/// Regions that an audit judges must not change with the sample, and its labels must stay out.
void require_no_audit(Connection& db, Id project) {
  for (const Audit& audit : audits_of(db, project)) {
    require(
        !audit.is_open(), ErrorKind::invalid_input,
        "an audit is open, which judges the regions of this sample; finish or discard it before "
        "the sample changes");
    require(audit.finished_at.empty(), ErrorKind::invalid_input,
            "the sample cannot change after an audit: the images that follow in the random order "
            "were audited, and their labels stay out of the calibration; make a new project");
  }
}

/// Whether the sample stays within a plan that was made before results were seen: its size may
/// become that of any planned look.
bool is_within_plan(const Project& project, const SampleRequest& request) {
  const bool is_drawn = project.sampling.kind != Sampling::Kind::none;
  return is_drawn && request.looks.empty() && is_planned(project.sampling, request.size);
}

/// Whether the requested sample voids the guarantee.
bool costs_guarantee(const Project& project, const SampleRequest& request) {
  const Integrity& integrity = project.integrity;
  return !integrity.results_seen_at.empty() && integrity.resized_at.empty() &&
         !project.sampling.after_results && !is_within_plan(project, request);
}

void require_confirmed(const Project& project, const SampleRequest& request) {
  const bool is_drawn = project.sampling.kind != Sampling::Kind::none;
  require(request.confirmed || !costs_guarantee(project, request), ErrorKind::invalid_input,
          is_drawn ? resizing_cost : late_draw_cost);
}

/// Images of places that come into the sample for the first time and are gone already.
std::size_t num_missing(const Images& images, std::size_t from, std::size_t to) {
  const auto is_between = [&](const ImageRecord& image) {
    return image.order && *image.order >= from && *image.order < to;
  };
  return to <= from
             ? 0
             : to - from - static_cast<std::size_t>(std::ranges::count_if(images, is_between));
}

void note_resized(Connection& db, const Project& project) {
  const bool is_drawn = project.sampling.kind != Sampling::Kind::none;
  if (!is_drawn || project.integrity.results_seen_at.empty()) return;
  tell(db, "UPDATE projects SET resized_at = ? WHERE id = ? AND resized_at = ''", utc_now(),
       project.id);
}

/// The plan stays where the new size is one of its looks; else there is a new one.
void resize(Connection& db, const Project& project, const SampleRequest& request) {
  const Images images = images_of(db, project.id);
  const std::size_t size = wanted_size(request);
  require_size(size, project.sampling.units);
  const bool within_plan = is_within_plan(project, request);
  if (!within_plan) require_unlabeled(db, images, size, project.sampling.size);
  Sampling sampling = project.sampling;
  if (!within_plan) {
    note_resized(db, project);
    sampling.looks = wanted_looks(request, project.settings.alpha);
  }
  sampling.size = size;
  sampling.largest = std::max(sampling.largest, size);
  write_sampling(db, project.id, sampling);
  tell(db, "UPDATE projects SET sample_removed = sample_removed + ? WHERE id = ?",
       num_missing(images, project.sampling.largest, size), project.id);
}

Images complete_ones(Connection& db, Id project) {
  Images complete = images_of(db, project);
  std::erase_if(complete, [](const ImageRecord& image) { return !image.complete; });
  require(!complete.empty(), ErrorKind::invalid_input,
          "no image has all landmarks yet; label or import some first");
  return complete;
}

}  // namespace

Project Store::draw_sample(Id project, const SampleRequest& request) {
  return impl_->write([&](Connection& db) {
    const Project before = find_project(db, project);
    require(before.sampling.kind != Sampling::Kind::given, ErrorKind::invalid_input,
            "the project uses the images that were labeled as its sample, and cannot draw one any "
            "more; make a new project for that");
    require_no_audit(db, project);
    require_confirmed(before, request);
    if (before.sampling.kind == Sampling::Kind::none) {
      draw(db, before, request);
    } else {
      resize(db, before, request);
    }
    return find_project(db, project);
  });
}

bool Store::resizing_costs_guarantee(Id project, const SampleRequest& request) {
  return costs_guarantee(this->project(project), request);
}

Project Store::take_labeled_as_sample(Id project, std::uint64_t seed, bool confirmed) {
  return impl_->write([&](Connection& db) {
    const Project before = find_project(db, project);
    require(before.sampling.kind != Sampling::Kind::random, ErrorKind::invalid_input,
            "the project has drawn a random sample, which is better than any that is given");
    require_no_audit(db, project);
    require_confirmed(before, {.confirmed = confirmed});
    RandomOrder order = random_order(complete_ones(db, project), seed);
    order.images.resize(order.num_subjects);
    tell(db, "UPDATE images SET place = NULL WHERE project = ?", project);
    put_places(db, order.images);
    note_resized(db, before);
    write_sampling(db, project,
                   {.kind = Sampling::Kind::given,
                    .size = order.num_subjects,
                    .seed = seed,
                    .drawn_at = utc_now(),
                    .largest = order.num_subjects,
                    .units = order.num_subjects,
                    .after_results = !before.integrity.results_seen_at.empty()});
    return find_project(db, project);
  });
}

}  // namespace caos::studio
