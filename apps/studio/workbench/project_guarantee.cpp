#include "apps/studio/workbench/project_guarantee.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "caos/guarantee.hpp"
#include "caos/landmarks/landmark_model.hpp"

namespace caos::studio {
namespace {

/// Names of images, not more than a sentence bears.
std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  const std::vector<std::string> first(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size())));
  return fmt::format("{}{}", fmt::join(first, ", "),
                     names.size() > most ? fmt::format(" and {} more", names.size() - most) : "");
}

/// The images of the sample that calibrate, or will: up to the last look that is reached.
std::vector<Id> calibrating(const ProjectView& view) {
  std::vector<Id> images = view.sample();
  const std::size_t places = view.calibrating_places();
  std::erase_if(images, [&](Id id) { return *view.image(id).record.order >= places; });
  return images;
}

/// The names of those images that calibrate and are so.
std::vector<std::string> sample_where(const ProjectView& view,
                                      const std::function<bool(const ImageCard&)>& is_so) {
  std::vector<std::string> names;
  for (const Id id : calibrating(view)) {
    if (is_so(view.image(id))) names.push_back(view.image(id).record.name);
  }
  return names;
}

bool is_labeled(const ImageCard& card) { return card.record.complete; }

/// Images of the sample that were passed over: they come before one that is labeled.
std::vector<std::string> skipped(const ProjectView& view) {
  const std::vector<Id> sample = calibrating(view);
  std::vector<std::string> open;
  std::size_t num_skipped = 0;
  for (const Id id : sample) {
    const ImageCard& card = view.image(id);
    if (is_labeled(card)) {
      num_skipped = open.size();
    } else {
      open.push_back(card.record.name);
    }
  }
  open.resize(num_skipped);
  return open;
}

/// Whether points of the sample came from files after it was drawn: how they were made is unknown.
bool has_later_imports(const ProjectView& view) {
  const auto is_later = [&](const Point& point) {
    return point.source == Source::import && point.at > view.project().sampling.drawn_at;
  };
  return std::ranges::any_of(view.sample(), [&](Id id) {
    return std::ranges::any_of(view.image(id).reading.points, is_later);
  });
}

/// What stands in the way of a guarantee.
struct Obstacle {
  std::string why{};     ///< empty: nothing
  bool waiting = false;  ///< it goes away when labels or embeddings come
};

/// What happened and cannot be undone.
std::string why_spoiled(const ProjectView& view) {
  const Integrity& integrity = view.project().integrity;
  if (const std::size_t removed = integrity.removed; removed > 0) {
    return fmt::format("{} of the {} {} removed from the project, which makes the rest a choice",
                       removed == 1 ? "an image" : fmt::format("{} images", removed),
                       view.target() == ImageTarget::image ? "sample or its pool" : "sample",
                       removed == 1 ? "was" : "were");
  }
  if (view.project().sampling.after_results) {
    return "regions had been seen before the sample was drawn, so that score, k and target may have "
           "been chosen by results";
  }
  if (!integrity.resized_at.empty()) {
    return "the size of the sample was changed after regions had been seen, so that results may "
           "have decided when to stop";
  }
  if (!integrity.rescaled_at.empty()) {
    return "the working size was changed after regions had been seen, so that results may have "
           "chosen it";
  }
  return {};
}

/// The same, of the target.
std::string why_retargeted(const ProjectView& view) {
  if (view.project().integrity.retargeted_at.empty()) return {};
  return "the target was changed after regions had been seen, so that results may have chosen it";
}

/// Labels that a look still lacks.
Obstacle what_is_open(const ProjectView& view) {
  if (sample_where(view, is_labeled).empty()) {
    return {"no image of the sample is labeled yet", true};
  }
  if (const auto names = skipped(view); !names.empty()) {
    return {fmt::format(
        "{} of the sample {} passed over: leaving out images makes the sample a "
        "choice; label {} as well",
        some_names(names), names.size() == 1 ? "was" : "were", names.size() == 1 ? "it" : "them")};
  }
  if (view.looks_reached() > 0) return {};
  const Sampling& sampling = view.project().sampling;
  const std::size_t first = sampling.looks.empty() ? sampling.size : sampling.looks[0].size;
  return {fmt::format("{} of {} images are labeled; the guarantee begins when all of these are, as "
                      "their number was fixed before results were seen",
                      view.labeled_up_to(), first),
          true};
}

/// Labeled images that cannot calibrate, or should not.
Obstacle what_is_unfit(const ProjectView& view) {
  const auto failed = sample_where(
      view, [](const ImageCard& card) { return is_labeled(card) && !card.failure.empty(); });
  if (!failed.empty()) {
    return {fmt::format("{} of the sample cannot be used, which makes the sample a choice",
                        some_names(failed))};
  }
  const auto waiting =
      sample_where(view, [](const ImageCard& card) { return is_labeled(card) && !card.embedded; });
  if (!waiting.empty()) return {"labeled images are still being embedded; wait a moment", true};
  const auto seen = sample_where(
      view, [](const ImageCard& card) { return is_labeled(card) && !card.record.seen_at.empty(); });
  if (!seen.empty()) {
    return {fmt::format("{} {} seen with regions before being labeled for the sample",
                        some_names(seen), seen.size() == 1 ? "was" : "were")};
  }
  return {};
}

Obstacle obstacle_of(const ProjectView& view, bool simultaneous) {
  const Settings& settings = view.project().settings;
  if (view.project().sampling.kind == Sampling::Kind::none) {
    return {"no sample of images has been drawn to be labeled", true};
  }
  if (settings.use_corrections) {
    return {"images that were corrected in review, with regions in sight, are used as references"};
  }
  if (std::string why = why_spoiled(view); !why.empty()) return {std::move(why)};
  if (std::string why = why_retargeted(view); !why.empty()) return {std::move(why)};
  if (Obstacle open = what_is_open(view); !open.why.empty()) return open;
  if (Obstacle unfit = what_is_unfit(view); !unfit.why.empty()) return unfit;
  if (simultaneous == settings.simultaneous) return {};
  return {fmt::format(
      "the target of the project, fixed before results were seen, is {}; these "
      "regions are for looking",
      settings.simultaneous ? "all landmarks of an image at once" : "each landmark by itself")};
}

/// What lies in its region, if the guarantee is kept.
std::string what_is_held(bool simultaneous) {
  return simultaneous ? "all landmarks that are present and have regions, at once"
                      : "a landmark that is present";
}

/// What the studio can neither see nor prevent, as far as a drawn sample needs it.
constexpr const char* remaining_assumption =
    "points of the sample were not changed because of results, and its size was not chosen by what "
    "its images show";

/// The new image, of a pool that the sample was drawn from.
std::string new_image_of_pool(ImageTarget target, const std::string& date) {
  switch (target) {
    case ImageTarget::subject:
      return fmt::format(
          "a random image of a subject drawn at random from the rest of the pool as it was on {}",
          date);
    case ImageTarget::image:
      return fmt::format(
          "an image drawn at random from those of the pool as it was on {} whose subjects have no "
          "labeled image",
          date);
    case ImageTarget::any:
      break;
  }
  return fmt::format("an image drawn at random from the rest of the pool as it was on {}", date);
}

/// The new image, where images were given and not drawn.
std::string new_image_of_given(ImageTarget target) {
  switch (target) {
    case ImageTarget::subject:
      return "a random image of a new subject";
    case ImageTarget::image:
      return "a random image of this project whose subject has no labeled image";
    case ImageTarget::any:
      break;
  }
  return "an image that comes as the labeled ones did";
}

/// What planned looks cost: alpha is divided among them, and labeling may stop at any.
std::string look_words(const ProjectView& view) {
  const std::size_t looks = view.project().sampling.looks.size();
  if (looks < 2) return {};
  return fmt::format(
      "; regions are those of look {} of {} at alpha {}, and as labeling may stop at any look, the "
      "guarantee is 1 - {}",
      view.looks_reached(), looks, view.alpha().text(), view.guaranteed_alpha().text());
}

std::string holds_for(const ProjectView& view, bool simultaneous) {
  const Sampling& sampling = view.project().sampling;
  const std::string image =
      sampling.kind == Sampling::Kind::random
          ? new_image_of_pool(view.target(), sampling.drawn_at.substr(0, 10)) +
                ", on average over the samples that might have been drawn"
          : new_image_of_given(view.target());
  return fmt::format("{}, in {}{}", what_is_held(simultaneous), image, look_words(view));
}

/// What is taken on trust of any sample, drawn or given; empty: nothing.
std::vector<std::string> trusted_of(const Integrity& integrity) {
  std::vector<std::string> trusted;
  if (!integrity.restored_at.empty()) {
    trusted.push_back(
        fmt::format("the project was {}, and no results were seen between the backup and {}",
                    backup_words(integrity), integrity.restored_at.substr(0, 10)));
  }
  if (!integrity.relabeled_at.empty()) {
    trusted.emplace_back(
        "points of the sample that were changed after results had been seen were not changed because "
        "of them");
  }
  return trusted;
}

/// What is taken on trust of a sample that the project drew; empty: nothing.
std::vector<std::string> trusted(const ProjectView& view) {
  std::vector<std::string> trusted;
  if (view.project().sampling.seed_given) {
    trusted.emplace_back(
        "the seed of the draw was given, not drawn by the studio, and was not chosen by what it "
        "draws");
  }
  if (has_later_imports(view)) {
    trusted.emplace_back(
        "the points of the sample that were imported after it was drawn were placed without sight "
        "of regions");
  }
  for (std::string& one : trusted_of(view.project().integrity)) trusted.push_back(std::move(one));
  return trusted;
}

/// Of a sample that was given.
std::string given_assumption(const Integrity& integrity) {
  std::string text = caos::assumption;
  for (const std::string& one : trusted_of(integrity)) text += "; " + one;
  return text;
}

std::string assumption_of(const std::vector<std::string>& trusted) {
  return fmt::format("{}; {}",
                     trusted.empty() ? "the sample was drawn at random by this project and labeled "
                                       "without sight of regions"
                                     : fmt::format("{}", fmt::join(trusted, "; ")),
                     remaining_assumption);
}

}  // namespace

std::string why_sample_unfit(const ProjectView& view) {
  if (view.project().sampling.kind == Sampling::Kind::none) {
    return "no sample of images has been drawn to be labeled";
  }
  if (std::string why = why_spoiled(view); !why.empty()) return why;
  if (Obstacle open = what_is_open(view); !open.why.empty()) return open.why;
  return what_is_unfit(view).why;
}

std::vector<std::string> trusted_of_sample(const ProjectView& view) { return trusted(view); }

std::string backup_words(const Integrity& integrity) {
  return integrity.backup_at.empty()
             ? "restored from a backup"
             : fmt::format("restored from a backup of {}", integrity.backup_at.substr(0, 10));
}

ProjectGuarantee guarantee_of(const ProjectView& view, bool simultaneous) {
  const Obstacle obstacle = obstacle_of(view, simultaneous);
  ProjectGuarantee guarantee{.alpha = view.alpha().text(),
                             .guaranteed_alpha = view.guaranteed_alpha().text(),
                             .waiting = obstacle.waiting,
                             .why_none = obstacle.why};
  if (!guarantee.why_none.empty()) return guarantee;
  guarantee.kind =
      simultaneous ? ProjectGuarantee::Kind::simultaneous : ProjectGuarantee::Kind::marginal;
  const bool is_drawn = view.project().sampling.kind == Sampling::Kind::random;
  const std::vector<std::string> on_trust = trusted(view);
  guarantee.by_design = is_drawn && on_trust.empty();
  guarantee.holds_for = holds_for(view, simultaneous);
  guarantee.assumption =
      is_drawn ? assumption_of(on_trust) : given_assumption(view.project().integrity);
  return guarantee;
}

ProjectGuarantee guarantee_of(const ProjectView& view, const ImageCard& card, bool simultaneous) {
  ProjectGuarantee guarantee = guarantee_of(view, simultaneous);
  if (guarantee.kind == ProjectGuarantee::Kind::none) return guarantee;
  if (!view.relatives(card, view.labeled()).empty()) {
    return {.alpha = guarantee.alpha,
            .guaranteed_alpha = guarantee.guaranteed_alpha,
            .why_none = "the same subject was labeled in the sample; the guarantee is for others"};
  }
  if (view.target() == ImageTarget::image && !view.in_pool(card)) {
    return {.alpha = guarantee.alpha,
            .guaranteed_alpha = guarantee.guaranteed_alpha,
            .why_none =
                "the image was added after the sample was drawn, and the guarantee is for a "
                "random image of the pool"};
  }
  if (!card.record.order) {
    guarantee.by_design = false;
    guarantee.holds_for = fmt::format("{}, in an image that was added after the sample was drawn{}",
                                      what_is_held(simultaneous), look_words(view));
    guarantee.assumption = caos::assumption;
  }
  return guarantee;
}

}  // namespace caos::studio
