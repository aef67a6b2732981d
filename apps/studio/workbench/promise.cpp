#include "apps/studio/workbench/promise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "caos/conformal/guarantee.hpp"
#include "caos/engine/landmark_model.hpp"

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

/// The names of those images of the sample that are so.
std::vector<std::string> sample_where(const ProjectView& view,
                                      const std::function<bool(const ImageCard&)>& is_so) {
  std::vector<std::string> names;
  for (const Id id : view.sample()) {
    if (is_so(view.image(id))) names.push_back(view.image(id).record.name);
  }
  return names;
}

bool is_labeled(const ImageCard& card) { return card.record.complete; }

/// Images of the sample that were passed over: they come before one that is labelled.
std::vector<std::string> skipped(const ProjectView& view) {
  const std::vector<Id> sample = view.sample();
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

/// Images of the sample that are not in the project any more.
std::size_t num_removed(const ProjectView& view) {
  return view.project().sampling.size - view.sample().size();
}

/// Whether points of the sample came from files after it was drawn: how, nobody here has seen.
bool has_later_imports(const ProjectView& view) {
  const auto is_later = [&](const Point& point) {
    return point.source == Source::import && point.at > view.project().sampling.drawn_at;
  };
  return std::ranges::any_of(view.sample(), [&](Id id) {
    return std::ranges::any_of(view.image(id).reading.points, is_later);
  });
}

bool has_subjects(const ProjectView& view) {
  return std::ranges::any_of(
      view.images(), [](const auto& image) { return image.second.record.subject.has_value(); });
}

/// What stands in the way of any promise; empty: nothing.
std::string why_none(const ProjectView& view) {
  if (view.project().sampling.kind == Sampling::Kind::none) {
    return "no sample of images has been drawn to be labelled";
  }
  if (view.project().settings.use_corrections) {
    return "images that were corrected in review, with regions in sight, are used as references";
  }
  if (const std::size_t removed = num_removed(view); removed > 0) {
    return fmt::format(
        "{} of the sample {} removed from the project, which makes the rest a choice",
        removed == 1 ? "an image" : fmt::format("{} images", removed),
        removed == 1 ? "was" : "were");
  }
  if (sample_where(view, is_labeled).empty()) return "no image of the sample is labelled yet";
  const auto failed = sample_where(
      view, [](const ImageCard& card) { return is_labeled(card) && !card.failure.empty(); });
  if (!failed.empty()) {
    return fmt::format("{} of the sample cannot be used, which makes the sample a choice",
                       some_names(failed));
  }
  const auto waiting =
      sample_where(view, [](const ImageCard& card) { return is_labeled(card) && !card.embedded; });
  if (!waiting.empty()) return "labelled images are still being embedded; wait a moment";
  if (const auto names = skipped(view); !names.empty()) {
    return fmt::format(
        "{} of the sample {} passed over: leaving out images makes the sample a choice; label "
        "{} as well",
        some_names(names), names.size() == 1 ? "was" : "were", names.size() == 1 ? "it" : "them");
  }
  const auto seen = sample_where(
      view, [](const ImageCard& card) { return is_labeled(card) && !card.record.seen_at.empty(); });
  if (!seen.empty()) {
    return fmt::format("{} {} seen with regions before being labelled for the sample",
                       some_names(seen), seen.size() == 1 ? "was" : "were");
  }
  return {};
}

/// What lies in its region, if the promise is kept.
std::string what_is_held(bool simultaneous) {
  return simultaneous ? "all landmarks that are present and have regions, at once"
                      : "a landmark that is present";
}

/// What the studio can neither see nor prevent, as far as a drawn sample needs it.
constexpr const char* remaining_assumption =
    "neither points of the sample nor how many of its images are labelled were changed because of "
    "results; score, k and alpha were chosen before results were seen";

std::string holds_for(const ProjectView& view, bool simultaneous) {
  const bool by_subject = has_subjects(view);
  const std::string date = view.project().sampling.drawn_at.substr(0, 10);
  const std::string pool =
      view.project().sampling.kind == Sampling::Kind::random
          ? fmt::format("{} drawn at random from the rest of the pool as it was on {}",
                        by_subject ? "an image of a new subject" : "an image", date)
      : by_subject ? "an image of a new subject"
                   : "an image that comes as the labelled ones did";
  return fmt::format("{}, in {}", what_is_held(simultaneous), pool);
}

std::string assumption_of(bool is_drawn, bool by_design) {
  if (!is_drawn) return caos::assumption;
  return fmt::format("{}; {}",
                     by_design ? "the sample was drawn at random by this project and labelled "
                                 "without sight of regions"
                               : "the points of the sample that were imported after it was drawn "
                                 "were placed without sight of regions",
                     remaining_assumption);
}

}  // namespace

Promise promise_of(const ProjectView& view, bool simultaneous) {
  Promise promise{.why_none = why_none(view)};
  if (!promise.why_none.empty()) return promise;
  promise.kind = simultaneous ? Promise::Kind::simultaneous : Promise::Kind::marginal;
  const bool is_drawn = view.project().sampling.kind == Sampling::Kind::random;
  promise.by_design = is_drawn && !has_later_imports(view);
  promise.holds_for = holds_for(view, simultaneous);
  promise.assumption = assumption_of(is_drawn, promise.by_design);
  return promise;
}

Promise promise_of(const ProjectView& view, const ImageCard& card, bool simultaneous) {
  Promise promise = promise_of(view, simultaneous);
  if (promise.kind == Promise::Kind::none) return promise;
  if (!view.relatives(card, view.labeled()).empty()) {
    return {.why_none = "the same subject was labelled in the sample; the promise is for others"};
  }
  if (!card.record.order) {
    promise.by_design = false;
    promise.holds_for = fmt::format("{}, in an image that was added after the sample was drawn",
                                    what_is_held(simultaneous));
    promise.assumption = caos::assumption;
  }
  return promise;
}

}  // namespace caos::studio
