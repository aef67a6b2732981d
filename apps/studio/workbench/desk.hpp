#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/studio/workbench/acceptance_job.hpp"
#include "apps/studio/workbench/acceptance_statements.hpp"
#include "apps/studio/workbench/audit_statements.hpp"
#include "apps/studio/workbench/labeled_set.hpp"
#include "apps/studio/workbench/peers.hpp"
#include "apps/studio/workbench/project_view.hpp"
#include "apps/studio/workbench/proposal_refiner.hpp"
#include "apps/studio/workbench/region_sizes.hpp"
#include "apps/studio/workbench/workbench.hpp"
#include "caos/landmarks/image_scores.hpp"

namespace caos::studio {

/// The regions of one image in numbers, as of one calibration and one revision of its points.
struct PredictedImage {
  std::uint64_t calibration = 0;
  std::int64_t revision = 0;
  std::vector<RegionSize> each{};          ///< by landmark of the scheme
  std::vector<RegionSize> simultaneous{};  ///< the same where all hold at once
  std::optional<double> shape_deviation{};

  [[nodiscard]] const std::vector<RegionSize>& sizes(bool at_once) const {
    return at_once ? simultaneous : each;
  }
};

/// What predicting an image takes, free of the project, so that others may change that meanwhile.
struct PredictionJob {
  Id image = 0;
  std::int64_t revision = 0;
  Embedding embedding{};
  std::vector<Id> relatives{};
  std::vector<std::optional<Label>> marked{};  ///< by landmark
  std::size_t new_images = 1;                  ///< of its subject in the pool
  std::shared_ptr<const Calibrated> calibrated{};

  [[nodiscard]] PredictedImage run(std::size_t threads) const;

 private:
  [[nodiscard]] std::optional<PatchCounts> counts(const ImageScores& scores, const Peers& peers,
                                                  std::size_t landmark, bool simultaneous) const;
};

/// Images of a project that are embedded, and at which working size.
struct EmbeddedImages {
  std::string working_size{};
  std::vector<Id> images{};
};

/// One project at work. For one thread at a time; the caller holds `mutex`.
class Desk {
 public:
  /// `embedded` is what an earlier desk of the project had.
  Desk(Store& store, Embedder& embedder, Id project, std::size_t threads,
       EmbeddedImages embedded = {});

  std::mutex mutex;

  void note_change(Id image) { view_.note_change(image); }
  [[nodiscard]] bool is_stale() const { return view_.is_stale() || !followed_; }
  /// Takes over what the store has; whether regions are other than before.
  bool follow();
  void note_embedded(Id image, const std::string& failure);
  void note_predicted(Id image, PredictedImage predicted);

  [[nodiscard]] const ProjectView& view() const { return view_; }
  [[nodiscard]] EmbeddedImages embedded() const {
    return {view_.project().working_size, view_.embedded()};
  }
  /// Whether the store knows that results were seen; before the draw there is nothing to know.
  [[nodiscard]] bool has_shown_results() const {
    return !view_.project().integrity.results_seen_at.empty();
  }
  [[nodiscard]] std::optional<Id> next_to_embed() const { return view_.next_to_embed(); }
  /// The next image whose numbers are out of date.
  [[nodiscard]] std::optional<Id> next_to_predict() const;
  [[nodiscard]] PredictionJob job(Id image);
  /// When regions last became other than before.
  [[nodiscard]] std::chrono::steady_clock::time_point changed_at() const { return changed_at_; }

  [[nodiscard]] ImageRegions regions(Id image, bool simultaneous);
  [[nodiscard]] std::vector<SupportingReference> supporting_references(Id image, Id landmark,
                                                                       Label patch);
  [[nodiscard]] std::vector<QueueEntry> queue(const Miscoverage& alpha, QueueOrder order,
                                              bool simultaneous) const;
  [[nodiscard]] Status status(bool simultaneous) const;
  [[nodiscard]] Progress embedding_progress() const;
  [[nodiscard]] Progress prediction_progress() const;
  [[nodiscard]] LandmarkModel model() const;
  [[nodiscard]] Embedding embedding(Id image);
  /// How the project's images are embedded.
  [[nodiscard]] EmbeddingRecord embedding_record() const {
    return embedder_.record(view_.project());
  }

  /// Where accepting without review stands.
  [[nodiscard]] AcceptanceReport acceptance() const;
  /// The plan that a user asks for; `references` is how many labeled images propose, by default
  /// half of them. Throws `invalid_input` where none can be made.
  [[nodiscard]] AcceptanceRequest acceptance_request(const std::string& tolerance,
                                                     const std::string& q, Acceptance::Unit unit,
                                                     std::optional<std::size_t> references) const;
  /// What deciding on the open plan takes.
  [[nodiscard]] AcceptanceJob acceptance_job(const Acceptance& plan) const;

  /// What the regions are made of (`calibration_fingerprint`).
  [[nodiscard]] std::string fingerprint() const;
  /// Throws `invalid_input` where there are no regions to audit, or not all of them yet.
  void require_regions_to_audit() const;
  /// Why an audit does not judge the present regions; empty: it does.
  [[nodiscard]] std::string why_void(const Audit& audit) const;
  /// How many images of an audit are labeled.
  [[nodiscard]] std::size_t num_labeled(const Audit& audit) const;
  /// Images of the population that the audit was drawn from and that have left the project.
  [[nodiscard]] std::size_t num_removed(const Audit& audit) const;
  /// Which regions contain the landmarks of the audit's images. Requires that these are labeled.
  [[nodiscard]] std::vector<AuditedLandmark> audit_outcome(const Audit& audit);

 private:
  struct OpenImage {
    Id image;
    std::vector<Id> relatives;
    ImageScores scores;
  };

  [[nodiscard]] ImageScores& open(const ImageCard& card);
  [[nodiscard]] std::size_t index_of(Id landmark) const;
  [[nodiscard]] std::vector<SupportingReference> supporting_references(
      const std::vector<ImageNeighbor>& neighbors, std::size_t landmark) const;
  [[nodiscard]] Peers peers(const ImageCard& card) const;
  [[nodiscard]] std::size_t new_images(const ImageCard& card) const;
  [[nodiscard]] LandmarkRegion region(std::size_t landmark, const PatchCounts& counts,
                                      const Embedding& image,
                                      std::shared_ptr<const SortedScores> peers) const;
  [[nodiscard]] const ProposalRefiner& refiner();
  void refine(const ImageCard& card, ImageRegions& regions);
  [[nodiscard]] QueueEntry queue_entry(const ImageCard& card, const Miscoverage& alpha,
                                       bool simultaneous) const;
  [[nodiscard]] std::vector<LandmarkConformity> conformities(const ImageCard& card,
                                                             const PredictedImage& predicted,
                                                             const Miscoverage& alpha,
                                                             bool simultaneous) const;
  [[nodiscard]] std::vector<std::size_t> subject_sizes() const;
  [[nodiscard]] const PredictedImage* predicted(const ImageCard& card) const;
  void take_embedded();
  void list_to_predict(Id image);
  void list_to_predict(const Refreshed& refreshed, bool changed);
  [[nodiscard]] bool has_other_embeddings() const;
  [[nodiscard]] ProjectGuarantee guarantee(bool simultaneous,
                                           const ImageCard* image = nullptr) const;
  [[nodiscard]] LookStatus look() const;
  [[nodiscard]] std::vector<Id> images_of(const Audit& audit) const;
  void judge(const ImageCard& card, const Audit& audit, std::vector<AuditedLandmark>& landmarks);
  void add_landmark(Status& status, std::size_t t, bool simultaneous) const;
  void add_calibration(Status& status, bool simultaneous) const;
  [[nodiscard]] ReviewedCoverage reviewed(bool simultaneous) const;
  [[nodiscard]] std::vector<ImageKey> joining_order() const;
  [[nodiscard]] const Alarm& alarm() const;

  Store& store_;
  Embedder& embedder_;
  std::size_t threads_;
  EmbeddedImages embedded_before_;
  ProjectView view_;
  LabeledSet labeled_;
  bool followed_ = false;
  EmbeddingRecord open_as_{};  ///< how the open images are embedded
  std::chrono::steady_clock::time_point changed_at_{};
  std::list<OpenImage> open_{};  ///< the latest first
  std::optional<ProposalRefiner> refiner_{};
  std::map<Id, PredictedImage> predicted_{};
  std::set<Id> to_predict_{};  ///< images to review that are embedded and have no fresh numbers

  /// The alarm of one calibration, as many ask for it.
  struct KnownAlarm {
    std::uint64_t number = 0;
    std::vector<ImageKey> order{};
    Alarm alarm{};
  };
  mutable KnownAlarm alarm_{};
};

}  // namespace caos::studio
