#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "apps/studio/store/acceptance/acceptance_record.hpp"
#include "apps/studio/store/backups/snapshot.hpp"
#include "apps/studio/store/measures/measures.hpp"
#include "apps/studio/store/records.hpp"

namespace caos::studio {

/// An image to be stored.
struct NewImage {
  std::string name{};
  std::optional<std::string> subject{};
  std::optional<double> mm_per_pixel{};
};

/// Why an image was not stored: the project has one of that name, or with the same bytes.
struct DuplicateImage {
  ImageRecord image{};  ///< the one that is there
  bool same_content = false;

  /// For people: what already exists, and what to do.
  [[nodiscard]] std::string message() const;
};

/// What sample is wanted.
struct SampleRequest {
  std::size_t size = 0;
  std::vector<Look> looks{};  ///< instead of `size`; without alphas they share the target equally
  std::uint64_t seed = 0;
  bool seed_given = false;  ///< by the caller; else the program drew it
  bool confirmed = false;   ///< even where it costs the guarantee
};

/// What changing the sample off plan costs, for people.
inline constexpr const char* resizing_cost =
    "regions have been seen, and a sample whose size is changed after that has no guarantee: results "
    "would decide when to stop; send confirm to change it anyway";

/// What drawing a sample costs once results were seen, for people.
inline constexpr const char* late_draw_cost =
    "regions have been seen, so that score, k and target may have been chosen by results: a sample "
    "drawn now has no guarantee. Make a new project, or send confirm to draw anyway";

/// What changing the target costs, for people.
inline constexpr const char* retargeting_cost =
    "regions have been seen, and a target that is chosen after that has no guarantee; send confirm "
    "to change it anyway";

/// What changing the working size costs, for people.
inline constexpr const char* rescaling_cost =
    "regions have been seen, and a working size that is chosen after that has no guarantee; send "
    "confirm to change it anyway";

/// All that the studio keeps: a database and image files in one folder, which one process at a time
/// may use. What a call that changes something has done is on the disk when it returns. Safe to use
/// from several threads.
/// Errors: `not_found` for a row that is not there, `invalid_input` for a request that cannot be
/// met, `backend` where the disk fails.
class Store {
 public:
  /// Opens the folder, makes it if need be, and brings an older schema up to date. Throws
  /// `invalid_input` if another process uses it or a newer version made it.
  explicit Store(const std::string& folder);
  ~Store();

  [[nodiscard]] const std::string& folder() const;

  /// Runs `action`, which may call this store, while no other thread does: what it reads fits
  /// together, and what it changes happens whole or, if it throws, not at all. Others wait for it.
  void together(const std::function<void()>& action);

  // Projects.
  [[nodiscard]] std::vector<Project> projects();
  [[nodiscard]] Project project(Id project);
  Project add_project(const std::string& name, const std::string& backbone,
                      const std::string& working_size, const Settings& settings);
  Project rename_project(Id project, const std::string& name);
  /// Refuses to change score or k once the sample is drawn, and unless `confirmed` whatever
  /// `retargeting_costs_guarantee` says; planned looks share a new alpha equally.
  Project change_settings(Id project, const Settings& settings, bool confirmed = false);
  /// Whether alpha or `simultaneous` would be others than when results were first seen.
  [[nodiscard]] bool retargeting_costs_guarantee(Id project, const Settings& settings);
  /// Refuses, unless `confirmed`, whatever `rescaling_costs_guarantee` says, and while an audit is
  /// open, which judges regions as they are.
  Project change_working_size(Id project, const std::string& working_size, bool confirmed = false);
  /// Whether the working size would be another than when results were first seen.
  [[nodiscard]] bool rescaling_costs_guarantee(Id project, const std::string& working_size);
  /// Image files that no other project has go too.
  void remove_project(Id project);

  // The landmark scheme.
  [[nodiscard]] std::vector<SchemeLandmark> scheme(Id project);
  /// Replaces the scheme: landmarks with an id stay, whatever becomes of their name, those without
  /// are new, others go. `base` is the revision that was seen; nothing if it is another now.
  /// Refuses to take away landmarks that have points unless `drop_points`, and unless `confirmed`
  /// whatever `rescheming_costs_guarantee` says.
  std::optional<Project> replace_scheme(Id project, std::int64_t base,
                                        const std::vector<SchemeLandmark>& scheme, bool drop_points,
                                        bool confirmed = false);
  /// Whether landmarks would come or go that are part of a simultaneous target, after results were
  /// seen.
  [[nodiscard]] bool rescheming_costs_guarantee(Id project,
                                                const std::vector<SchemeLandmark>& scheme);
  /// How many points, of all readings, `replace_scheme` would take away.
  [[nodiscard]] std::size_t points_lost(Id project, const std::vector<SchemeLandmark>& scheme);

  // What is measured.
  [[nodiscard]] Measures measures(Id project);
  /// Replaces them. `base` is the revision that was seen; nothing if it is another now.
  std::optional<Measures> replace_measures(Id project, std::int64_t base, const Measures& measures);

  // Images.
  [[nodiscard]] std::vector<ImageRecord> images(Id project);
  /// Part of a list of them.
  [[nodiscard]] ImagePage images(Id project, const ImageQuery& query);
  /// How many there are, in constant time.
  [[nodiscard]] std::size_t num_images(Id project);
  [[nodiscard]] ImageRecord image(Id project, Id image);
  /// Keeps the bytes under their hash. Refuses bytes that are not an image, too large or damaged,
  /// or have EXIF that contradicts itself or them (`bad_format`, with a reason), and invalid file
  /// names (`invalid_input`). That the project has such an image already is an outcome.
  std::variant<ImageRecord, DuplicateImage> try_add_image(Id project, const NewImage& image,
                                                          std::span<const std::byte> bytes);
  /// The same for those who expect none of that kind; else it is an Error invalid_input.
  ImageRecord add_image(Id project, const NewImage& image, std::span<const std::byte> bytes);
  /// Refuses another subject once the sample is drawn, which depended on it.
  ImageRecord change_image(Id project, Id image, const std::optional<std::string>& subject,
                           std::optional<double> mm_per_pixel);
  /// One that was ever in the sample counts as removed from it from then on.
  void remove_image(Id project, Id image);
  /// Notes that this image's regions were shown, and with them results.
  void mark_seen(Id project, Id image);
  /// Notes that results that depend on labels were shown, whatever the image; also before the
  /// draw, where score, k and target could be chosen by it.
  void mark_results_seen(Id project);
  /// Where the bytes of an image are, for those who map or send them.
  [[nodiscard]] std::string path_of(const ImageRecord& image) const;

  // Points.
  [[nodiscard]] Reading reading(Id project, Id image, int reading = 1);
  /// First readings of all images, in the order of `images`.
  [[nodiscard]] std::vector<Reading> readings(Id project);
  /// Checks that landmarks exist and points lie within the image; applies all edits or none.
  /// Images of the sample are labeled blind or imported, and take no other source. A change whose
  /// id this reading of the image knows already is applied, and not applied again.
  ChangeOutcome apply(Id project, const Change& change);
  /// Several images at once, all or none, whatever their revisions: for imports, and for a backup
  /// that is restored, whose source images of the sample take, too. `base` is ignored.
  void apply_all(Id project, std::span<const Change> changes);
  /// The newest first.
  [[nodiscard]] std::vector<HistoryEntry> history(Id project, Id image);
  [[nodiscard]] std::vector<std::string> annotators(Id project);
  /// Landmarks that both placed, from their last points in any reading.
  [[nodiscard]] std::vector<PairOfPoints> compare(Id project, const std::string& first,
                                                  const std::string& second);

  // The sample.
  /// Puts the images that are there now, the pool, into a random order and takes the first `size`;
  /// with subjects, one random image of each subject comes first, and `size` is at most the number
  /// of subjects. Called again, only `size` and `looks` change: to the size of a planned look at
  /// any time; else never below an image that has points, and once results were seen only where
  /// that is confirmed.
  Project draw_sample(Id project, const SampleRequest& request);
  Project draw_sample(Id project, std::size_t size, std::uint64_t seed) {
    return draw_sample(project, {.size = size, .seed = seed});
  }
  /// Whether a sample would be drawn, or its size or looks change off plan, after results were
  /// seen.
  [[nodiscard]] bool resizing_costs_guarantee(Id project, const SampleRequest& request);
  /// Takes the images that are complete now, in a random order, as the sample; with subjects, one
  /// random image of each. May be called again, once results were seen only where that is
  /// confirmed, but not after `draw_sample`.
  Project take_labeled_as_sample(Id project, std::uint64_t seed, bool confirmed = false);

  // Audits.
  /// The oldest first; at most the last one is open.
  [[nodiscard]] std::vector<Audit> audits(Id project);
  /// How large the next audit may be.
  [[nodiscard]] AuditLimits audit_limits(Id project);
  /// Takes the next `size` images of the random order. From now on their regions must not be shown.
  /// `alpha` is that of the regions, `calibration` a fingerprint of what they are made of. Refuses
  /// where an audit is open, the sample is not labeled whole, one of these images was removed, or a
  /// region of them was ever shown. Images further on that were removed stay in the population.
  Audit begin_audit(Id project, std::size_t size, const std::string& alpha,
                    const std::string& calibration);
  /// Notes the result and freezes the labels of its images. Requires an open audit all of whose
  /// images are labeled, and the calibration that it began with.
  Audit finish_audit(Id project, const std::string& calibration,
                     const std::vector<AuditedLandmark>& landmarks);
  /// Gives up the open audit. Its images are as others are; a later audit does not use them, as it
  /// might have been given up because of them.
  Audit discard_audit(Id project);

  // Acceptance without review.
  /// The oldest first; at most the last one is open.
  [[nodiscard]] std::vector<Acceptance> acceptances(Id project);
  /// What could be accepted now.
  [[nodiscard]] CandidateImages candidates(Id project);
  /// The candidates of the open plan that are still there.
  [[nodiscard]] std::vector<Id> planned_candidates(Id project);
  /// Fixes tolerance, q and candidates. Refuses where a plan is open or nothing is to be accepted.
  Acceptance plan_acceptance(Id project, const AcceptanceRequest& request);
  /// Notes what the open plan has found, which counts as results that were seen.
  Acceptance decide_acceptance(Id project, const AcceptanceDecision& decision);
  /// Takes over the accepted points of the decided plan, except where a person placed one
  /// meanwhile. Their images count as seen.
  Acceptance apply_acceptance(Id project, const std::string& annotator);
  /// Gives up the open plan, which is recorded.
  Acceptance discard_acceptance(Id project);

  // Backups.
  [[nodiscard]] ProjectSnapshot snapshot(Id project);
  /// Makes a new project of a snapshot, whole or not at all; `bytes_of(sha256)` gives the bytes of
  /// its images. Trusts nothing: what no project could be is an Error bad_format. Notes that the
  /// project was restored, as it is unknown what was seen since the backup was made.
  Project restore(const ProjectSnapshot& snapshot,
                  const std::function<std::vector<std::byte>(const std::string&)>& bytes_of);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace caos::studio
