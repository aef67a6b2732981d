#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "apps/studio/store/database/clock.hpp"
#include "apps/studio/store/database/rows.hpp"
#include "apps/studio/store/store_impl.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;
using Images = std::vector<ImageRecord>;

std::string names_of(const Images& images) {
  constexpr std::size_t most = 3;
  std::vector<std::string> names;
  for (const ImageRecord& image : images) {
    if (names.size() < most) names.push_back(image.name);
  }
  const std::string more =
      images.size() > most ? fmt::format(" and {} more", images.size() - most) : "";
  return fmt::format("{}{}", fmt::join(names, ", "), more);
}

/// The place in the random order from which on no image was sampled or audited, not even in an
/// audit that was discarded: what was seen of its images may have been the reason.
std::size_t first_free_place(Connection& db, const Project& project) {
  std::size_t first = project.sampling.largest;
  for (const Audit& audit : audits_of(db, project.id)) first = std::max(first, audit.end);
  return first;
}

/// What the next audit is drawn from: places of the random order. Those whose images were removed
/// stay, as leaving them out would be a choice.
struct Population {
  std::size_t first = 0;
  std::size_t size = 0;
  Images images{};  ///< those that are there, in the random order

  [[nodiscard]] bool has(const ImageRecord& image) const {
    return image.order && *image.order >= first && *image.order - first < size;
  }
};

Population population_of(Connection& db, const Project& project) {
  const std::size_t first = first_free_place(db, project);
  Population population{.first = first,
                        .size = std::max(project.sampling.units, first) - first,
                        .images = images_of(db, project.id)};
  std::erase_if(population.images,
                [&](const ImageRecord& image) { return !population.has(image); });
  std::ranges::sort(population.images, {}, &ImageRecord::order);
  return population;
}

void require_drawn(const Project& project) {
  require(
      project.sampling.kind == Sampling::Kind::random, ErrorKind::invalid_input,
      "an audit takes the next images of the project's random order; draw a random sample first");
}

void require_none_open(Connection& db, Id project) {
  const std::vector<Audit> audits = audits_of(db, project);
  require(audits.empty() || !audits.back().is_open(), ErrorKind::invalid_input,
          "an audit is open; finish or discard it before another one begins");
}

/// Labels that came later would change the regions that are judged.
void require_labeled_sample(Connection& db, const Project& project) {
  Images open = images_of(db, project.id);
  std::erase_if(open, [&](const ImageRecord& image) {
    return !image.in_sample(project.sampling) || image.complete;
  });
  require(open.empty(), ErrorKind::invalid_input, [&] {
    return fmt::format("label the whole sample before an audit begins; {} left: {}",
                       open.size() == 1 ? "one image is" : fmt::format("{} are", open.size()),
                       names_of(open));
  });
}

/// How many images come before one whose regions were shown or that was removed.
std::size_t num_auditable(const Population& population) {
  std::size_t count = 0;
  for (const ImageRecord& image : population.images) {
    if (*image.order != population.first + count || !image.seen_at.empty()) break;
    ++count;
  }
  return count;
}

/// Requires images in the random order.
void require_present(const Images& images, std::size_t first, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const bool is_there = i < images.size() && *images[i].order == first + i;
    require(is_there, ErrorKind::invalid_input, [&] {
      return fmt::format(
          "the next {} images of the random order cannot be audited: number {} of the order was "
          "removed from the project, and passing over it would be a choice{}",
          size, first + i + 1,
          i == 0 ? "" : fmt::format(". An audit of at most {} is possible", i));
    });
  }
}

void require_unseen(const Images& images) {
  Images seen = images;
  std::erase_if(seen, [](const ImageRecord& image) { return image.seen_at.empty(); });
  require(seen.empty(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "the next {} images of the random order cannot be audited: regions or proposals of {} were "
        "shown or exported before. An audit comes before the review",
        images.size(), names_of(seen));
  });
}

void require_audit_size(std::size_t size, std::size_t population) {
  require(population >= 1, ErrorKind::invalid_input,
          "no image is left to audit: all of the pool are in the sample or an earlier audit");
  require(size >= 1 && size <= population, ErrorKind::invalid_input, [&] {
    return fmt::format("an audit of {} images is not possible; choose between 1 and {}", size,
                       population);
  });
}

/// What a new audit is drawn from, if it may begin: its first `size` images are audited.
Population next_population(Connection& db, const Project& project, std::size_t size) {
  require_drawn(project);
  require_none_open(db, project.id);
  require_labeled_sample(db, project);
  Population population = population_of(db, project);
  require_audit_size(size, population.size);
  require_present(population.images, population.first, size);
  population.images.resize(size);
  require_unseen(population.images);
  return population;
}

/// Why not even one image can be audited; empty: it can.
std::string why_no_audit(Connection& db, const Project& project) {
  try {
    static_cast<void>(next_population(db, project, 1));
    return {};
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::invalid_input) throw;
    return error.what();
  }
}

bool names_any_subject(Connection& db, Id project) {
  return std::ranges::any_of(images_of(db, project),
                             [](const ImageRecord& image) { return image.subject.has_value(); });
}

Audit open_audit(Connection& db, Id project) {
  static_cast<void>(find_project(db, project));
  std::vector<Audit> audits = audits_of(db, project);
  require(!audits.empty() && audits.back().is_open(), ErrorKind::invalid_input,
          "no audit is open in this project; begin one first");
  return std::move(audits.back());
}

void require_labeled_audit(Connection& db, Id project, const Audit& audit) {
  Images images = images_of(db, project);
  std::erase_if(images, [](const ImageRecord& image) { return image.audit != AuditRole::open; });
  const auto labeled = static_cast<std::size_t>(
      std::ranges::count_if(images, [](const ImageRecord& image) { return image.complete; }));
  require(labeled == audit.size, ErrorKind::invalid_input, [&] {
    return fmt::format("{} of {} images of the audit are labeled; label all before it is finished",
                       labeled, audit.size);
  });
}

}  // namespace

std::vector<Audit> Store::audits(Id project) {
  return impl_->read([&](Connection& db) {
    static_cast<void>(find_project(db, project));
    return audits_of(db, project);
  });
}

AuditLimits Store::audit_limits(Id project) {
  return impl_->read([&](Connection& db) {
    const Project found = find_project(db, project);
    AuditLimits limits{.why_none = why_no_audit(db, found)};
    if (found.sampling.kind != Sampling::Kind::random) return limits;
    const Population population = population_of(db, found);
    limits.population = population.size;
    limits.largest = num_auditable(population);
    return limits;
  });
}

Audit Store::begin_audit(Id project, std::size_t size, const std::string& alpha,
                         const std::string& calibration) {
  return impl_->write([&](Connection& db) {
    const Project found = find_project(db, project);
    const Population population = next_population(db, found, size);
    insert_audit(db, project,
                 {.first = population.first,
                  .end = population.first + size,
                  .size = size,
                  .population = population.size,
                  .by_subject = names_any_subject(db, project),
                  .alpha = alpha,
                  .simultaneous = found.settings.simultaneous,
                  .calibration = calibration,
                  .begun_at = utc_now()});
    return open_audit(db, project);
  });
}

Audit Store::finish_audit(Id project, const std::string& calibration,
                          const std::vector<AuditedLandmark>& landmarks) {
  return impl_->write([&](Connection& db) {
    const Audit audit = open_audit(db, project);
    require(
        calibration == audit.calibration, ErrorKind::invalid_input,
        "the calibration changed since the audit began, so the audit does not judge the present "
        "regions; take the change back or discard the audit");
    require_labeled_audit(db, project, audit);
    tell(db, "UPDATE audits SET finished_at = ? WHERE id = ?", utc_now(), audit.id);
    insert_audited_landmarks(db, audit.id, landmarks);
    mark_results_seen(project);  // how many regions are right
    return audits_of(db, project).back();
  });
}

Audit Store::discard_audit(Id project) {
  return impl_->write([&](Connection& db) {
    const Audit audit = open_audit(db, project);
    tell(db, "UPDATE audits SET discarded_at = ? WHERE id = ?", utc_now(), audit.id);
    return audits_of(db, project).back();
  });
}

}  // namespace caos::studio
