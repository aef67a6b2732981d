#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/studio/store/store.hpp"
#include "apps/studio/workbench/acceptance_statements.hpp"
#include "apps/studio/workbench/audit_statements.hpp"
#include "caos/landmarks/embedding/embedding_cache.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/triage.hpp"
#include "caos/miscoverage.hpp"

namespace caos::studio {

/// What has happened to a project, for its viewers.
struct Event {
  enum class Kind {
    project,  ///< its name, settings or sample
    scheme,
    images,       ///< one came or went
    image,        ///< its points or its subject changed
    embedding,    ///< `done` of `total` images are embedded
    calibration,  ///< regions are other than before
    prediction,   ///< `done` of `total` images are predicted
    acceptance,   ///< `done` of `total` candidates are decided on
  };

  Kind kind = Kind::project;
  Id project = 0;
  Id image = 0;  ///< 0: none in particular
  std::int64_t revision = 0;
  std::string annotator{};
  std::string change{};  ///< the id of the change that did it, so that who made it knows it again
  std::size_t done = 0;
  std::size_t total = 0;
};

/// What regions are guaranteed, for which images, and why not.
struct ProjectGuarantee {
  enum class Kind {
    marginal,      ///< each landmark's region, each on its own
    simultaneous,  ///< all landmarks of an image at once
    none,
  };

  Kind kind = Kind::none;
  std::string alpha{};  ///< at which regions carry it: the target, or the share of a look
  std::string guaranteed_alpha{};  ///< regions miss with at most this probability: with planned
                                   ///< looks the target, as labeling may stop at any of them
  bool by_design = false;   ///< the project drew the sample itself; else it is taken on trust
  bool waiting = false;     ///< for `none`: nothing is wrong, labels or embeddings are to come
  std::string why_none{};   ///< for `none`
  std::string holds_for{};  ///< "any image of the pool as it was on 2026-01-31", "a new subject"
  std::string assumption{};
};

/// A labeled patch whose score a proposal adds.
struct SupportingReference {
  Id image = 0;
  Label patch = 0;
  double score = 0;
  double x = 0;  ///< where the landmark is in that image, pixels
  double y = 0;
};

/// How well every patch of an image suits one landmark.
struct LandmarkRegion {
  Id landmark = 0;
  std::size_t n = 0;      ///< calibrating images
  std::size_t units = 0;  ///< what they weigh (`SortedScores::units`); n without weights
  /// #{i : S_i >= s_y} for each patch y, in units; the p-value is (1 + that) / (units + 1), and y
  /// is in the region at alpha iff it is > alpha. -1: padding, never in a region.
  std::vector<std::int64_t> exceeding{};
  Label proposal = 0;  ///< the most conforming patch
  Offset offset{};     ///< a place in that patch: the mean of its supporting references'
  /// Where the references that fit best have it, in patches; by scores that estimate that.
  std::optional<vision::Point> estimate{};
  Score proposal_score = 0;
  std::shared_ptr<const SortedScores> peers{};  ///< calibration scores that the counts came from
  /// The proposed point, pixels: refined with the pixels around labeled landmarks (`PointRefiner`),
  /// or the estimate, so that it need not lie in the proposed patch; or else in that patch.
  double x = 0;
  double y = 0;
  bool moved = false;  ///< by pixels, or to the estimate
  /// The k references whose scores the proposal adds.
  std::vector<SupportingReference> supporting_references{};
};

/// How well the proposal of a region conforms.
[[nodiscard]] LandmarkConformity conformity_of(const LandmarkRegion& region,
                                               const Miscoverage& alpha);

/// A landmark without regions, and why.
struct NoRegion {
  Id landmark = 0;
  std::string why{};
};

/// The regions of an image at every alpha.
struct ImageRegions {
  Id image = 0;
  std::uint64_t calibration = 0;  ///< counts changes; equal numbers mean equal regions
  std::size_t columns = 0;
  std::size_t rows = 0;
  std::vector<double> x{};  ///< edges of the patches in pixels, columns + 1
  std::vector<double> y{};  ///< rows + 1
  ProjectGuarantee guarantee{};
  std::vector<LandmarkRegion> landmarks{};
  std::vector<NoRegion> unavailable{};
  std::optional<double> shape_deviation{};  ///< of the proposals (`LabeledShapes`)
};

/// An image that waits for review.
struct QueueEntry {
  Id image = 0;
  bool reviewed = false;
  bool predicted = false;              ///< else what follows is not known yet
  ImageConformity conformity{};        ///< of all its landmarks together, which decides the order
  double lowest_p_value = 1;           ///< the smallest of its proposals, one for each landmark
  std::optional<Id> worst_landmark{};  ///< the one that conforms least
  std::size_t total_size = 0;          ///< patches in all its regions
  double mean_area = 0;                ///< of its regions, in square pixels of the original
  double mean_share = 0;               ///< of the image that they cover, from 0 to 1
  std::size_t largest_size = 0;
};

enum class QueueOrder {
  worst,  ///< the images that conform least first (caos/landmarks/triage.hpp)
  random,
};

/// What one landmark's calibration can do.
struct LandmarkStatus {
  Id landmark = 0;
  std::size_t n = 0;
  std::size_t rank = 0;   ///< at the target
  bool feasible = false;  ///< at the target
};

/// How many labels an alpha takes.
struct AlphaNeeds {
  std::string alpha{};
  std::size_t labels = 0;
  std::size_t more = 0;  ///< than there are now, for the landmark that has fewest
};

/// One image of the sample as it joined those before it.
struct AlarmStep {
  Id image = 0;
  double p = 0;
  double log10_wealth = 0;  ///< of the martingale, after this image
};

/// The wealth at which the alarm is raised.
inline constexpr double alarm_limit = 100;

/// A test of exchangeability that may be looked at after every image: were the labeled images
/// exchangeable, its wealth would reach `alarm_limit` with probability at most 1/100.
struct Alarm {
  std::vector<AlarmStep> steps{};
  double log10_largest = 0;
  bool raised = false;  ///< the wealth has reached 100
};

/// How often the regions at the target held what was found in review. Describes; carries no
/// guarantee.
struct ReviewedCoverage {
  std::size_t images = 0;
  std::size_t points = 0;
  std::size_t covered = 0;         ///< of these points
  std::size_t images_covered = 0;  ///< images all of whose points are covered
};

struct Progress {
  std::size_t done = 0;
  std::size_t total = 0;
};

/// How far the planned looks are; without planned ones there is one, at the sample's size.
struct LookStatus {
  std::size_t number = 0;  ///< the last one that is reached, from 1; 0: none yet
  std::size_t count = 0;
  std::size_t size = 0;               ///< images that calibrate at the last one
  std::optional<std::size_t> next{};  ///< size of the next one
};

struct Status {
  std::uint64_t calibration = 0;
  std::size_t num_images = 0;
  std::size_t sample_size = 0;
  std::size_t num_labeled = 0;   ///< complete images of the sample
  std::size_t num_reviewed = 0;  ///< complete images of those to review
  std::size_t num_rest = 0;      ///< images to review: outside of the sample and of audits
  std::size_t n = 0;  ///< calibrating images, of the landmark that has fewest, or of all at once
  std::size_t rank = 0;
  bool feasible = false;
  double smallest_feasible_alpha = 1;
  bool weighted = false;  ///< calibrating images weigh more or less, by the images of subjects
  std::vector<AlphaNeeds> needs{};
  std::vector<LandmarkStatus> landmarks{};
  ProjectGuarantee guarantee{};
  LookStatus look{};
  Alarm alarm{};
  ReviewedCoverage reviewed{};
  Progress embedding{};
  Progress prediction{};
  std::vector<std::string> failed{};  ///< images that could not be embedded, with the reason
};

/// Whether regions are shown to a user, which the store notes.
enum class Showing { to_user, internally };

/// Of which images regions can be seen in what is handed out: a model predicts any image, also
/// those of the sample that are still to be labeled.
enum class Shown { outside_sample, all_unlabeled };

struct WorkbenchOptions {
  std::string backbone = default_backbone;
  std::string working_size{vision::default_working_size};  ///< of new projects
  std::uint64_t cache_bytes = default_cache_bytes;         ///< of embeddings in the data folder
  std::size_t threads = 0;
  /// How long points must not have changed before all images are predicted again: no user wants
  /// numbers of every step on the way.
  std::chrono::milliseconds rest{1500};
};

/// The projects at work: embeds their images in the background, keeps their calibrations in step
/// with the store point by point, and predicts. Knows neither sockets nor JSON. Safe to use from
/// several threads.
class Workbench {
 public:
  using Listener = std::function<void(const Event&)>;

  /// `listener` is called from any thread and must not call back.
  Workbench(Store& store, WorkbenchOptions options, Listener listener);
  ~Workbench();

  /// To be called after something was changed in the store: the points of one image, or anything
  /// else of the project. Cheap, work comes later.
  void changed(Id project, Id image = 0);
  /// To be called after a project was removed.
  void forget(Id project);

  /// The regions of an image outside of the sample; embeds it first if need be. Throws
  /// `invalid_input` for images of the sample and of an open audit, which are labeled blind.
  [[nodiscard]] ImageRegions regions(Id project, Id image, bool simultaneous,
                                     Showing showing = Showing::to_user);

  /// Notes that the regions of these images may have been seen.
  void note_all_seen(Id project, Shown shown);

  /// The references that speak for one patch.
  [[nodiscard]] std::vector<SupportingReference> supporting_references(Id project, Id image,
                                                                       Id landmark, Label patch);

  /// The images outside of the sample and of audits, as they should be checked.
  [[nodiscard]] std::vector<QueueEntry> queue(Id project, const Miscoverage& alpha,
                                              QueueOrder order, bool simultaneous);

  [[nodiscard]] Status status(Id project, bool simultaneous);

  /// The calibration as `caos landmarks predict` takes it. Throws `invalid_input` where no landmark
  /// has images enough.
  [[nodiscard]] LandmarkModel model(Id project);

  /// The project's audits, what they found, and what a further one could show.
  [[nodiscard]] Audits audits(Id project, const AuditQuestion& question = {});
  /// Begins an audit of the regions as they are now (`Store::begin_audit`).
  void begin_audit(Id project, std::size_t size);
  /// Compares the labels of the open audit with the regions, keeps the result, freezes the labels.
  void finish_audit(Id project);

  /// Where accepting without review stands.
  [[nodiscard]] AcceptanceReport acceptance(Id project);
  /// Fixes tolerance, q and candidates (`Store::plan_acceptance`).
  void plan_acceptance(Id project, const std::string& tolerance, const std::string& q,
                       Acceptance::Unit unit, std::optional<std::size_t> references = {});
  /// Decides on the open plan, which may take a while.
  void decide_acceptance(Id project);

  /// How many images have been embedded since the start.
  [[nodiscard]] std::uint64_t num_embedded() const;

  /// How an image of this size would lie in the patches of a project at another working size;
  /// computes nothing of the image.
  [[nodiscard]] vision::Frame frame_at(const Project& project, const std::string& working_size,
                                       std::size_t width, std::size_t height) const;

  /// How an image lies in its patches: for exports. Nothing where it could not be embedded.
  [[nodiscard]] std::optional<vision::Frame> frame(Id project, Id image);

 private:
  struct Impl;

  void note_seen(Id project, Id image);
  void note_results_seen(Id project);

  std::unique_ptr<Impl> impl_;
};

}  // namespace caos::studio
