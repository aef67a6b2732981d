#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <string>

#include "apps/studio/store/acceptance/acceptance_rows.hpp"
#include "apps/studio/store/database/ask.hpp"
#include "apps/studio/store/database/rows.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;

/// Images of one subject are not exchangeable with one image each of several.
std::string why_dependent(const std::vector<ImageRecord>& labeled,
                          const std::vector<ImageRecord>& candidates) {
  std::set<std::string> subjects;
  for (const auto* const images : {&labeled, &candidates}) {
    for (const ImageRecord& image : *images) {
      if (!image.subject || subjects.insert(*image.subject).second) continue;
      return fmt::format(
          "'{}' shows a subject of which another image is labeled or would be accepted; accepting "
          "without review needs one image of each subject: keep one at random in this project",
          image.name);
    }
  }
  return {};
}

std::set<Id> images_with_history(Connection& db, Id project) {
  Ask ask(db,
          "SELECT DISTINCT image FROM history JOIN images ON images.id = image WHERE project = ? "
          "AND reading = 1",
          project);
  std::set<Id> images;
  while (ask.next()) images.insert(ask.integer(0));
  return images;
}

/// Candidates of plans that were decided: deciding twice on an image is a choice.
std::set<Id> decided_before(Connection& db, Id project) {
  Ask ask(db,
          "SELECT image FROM candidates JOIN acceptances ON acceptances.id = acceptance WHERE "
          "project = ? AND decided_at <> ''",
          project);
  std::set<Id> images;
  while (ask.next()) images.insert(ask.integer(0));
  return images;
}

}  // namespace

CandidateImages candidates_now(Connection& db, const Project& project) {
  const Sampling& sampling = project.sampling;
  if (sampling.kind == Sampling::Kind::none) {
    return {.why_none = "no sample of images has been drawn to be labeled"};
  }
  const std::set<Id> touched = images_with_history(db, project.id);
  const std::set<Id> decided = decided_before(db, project.id);
  std::vector<ImageRecord> labeled;
  std::vector<ImageRecord> free;
  CandidateImages now;
  for (ImageRecord& image : images_of(db, project.id)) {
    now.by_subject = now.by_subject || image.subject.has_value();
    if (image.in_sample(sampling)) {
      labeled.push_back(std::move(image));
    } else if (!image.in_audit() && !decided.contains(image.id)) {
      free.push_back(std::move(image));
    }
  }
  // The random order begins with one random image of each subject.
  if (now.by_subject && sampling.kind == Sampling::Kind::random) {
    std::erase_if(free, [&](const ImageRecord& image) {
      return !image.order || *image.order >= sampling.units;
    });
  }
  now.why_none = now.by_subject ? why_dependent(labeled, free) : std::string();
  for (const ImageRecord& image : free) {
    if (touched.contains(image.id)) {
      ++now.reviewed_before;
      continue;
    }
    now.images.push_back(image.id);
    now.has_late_images =
        now.has_late_images || (sampling.kind == Sampling::Kind::random && !image.order);
  }
  if (now.why_none.empty() && now.images.empty()) {
    now.why_none =
        "no images are left to accept: all outside of the sample were reviewed or decided";
  }
  return now;
}

}  // namespace caos::studio
