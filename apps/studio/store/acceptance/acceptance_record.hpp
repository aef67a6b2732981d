#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/studio/store/records.hpp"

// Proposals that are accepted without review, as plain values.
namespace caos::studio {

/// What conformal selection found for one landmark.
struct AcceptedLandmark {
  std::string name{};
  std::size_t num_wrong = 0;     ///< proposals for calibration images that are off by too much
  std::size_t num_accepted = 0;  ///< of the candidates

  friend bool operator==(const AcceptedLandmark&, const AcceptedLandmark&) = default;
};

/// One plan to accept proposals without review: what was fixed beforehand, what was decided, and
/// what became of it. Candidates are images outside of the sample and of audits that have not
/// been reviewed.
struct Acceptance {
  enum class Unit {
    points,  ///< each landmark by itself
    images,  ///< whole images, in which every proposal is right
  };

  Id id = 0;
  std::string tolerance{};  ///< as `LandmarkTolerance::parse` reads it
  std::string q{};          ///< expected share of wrong ones among the accepted, at most
  Unit unit = Unit::points;
  std::size_t num_references = 0;   ///< first images of the sample, which propose
  std::size_t num_calibration = 0;  ///< the others, which calibrate
  std::string labels{};             ///< fingerprint of labels, landmarks and settings
  std::size_t num_candidates = 0;   ///< images, fixed by the plan
  bool by_subject = false;          ///< one random image of each subject
  bool has_late_images = false;     ///< some were added after the draw
  bool results_seen = false;        ///< when it was planned
  std::size_t reviewed_before = 0;  ///< images that were left out, as they had points already
  bool retuned = false;             ///< a plan with another tolerance, q or unit was decided before
  std::string planned_at{};

  std::string decided_at{};             ///< empty: not yet
  std::size_t reviewed_since = 0;       ///< candidates that were reviewed before the decision
  bool labels_changed = false;          ///< between plan and decision
  bool candidates_changed = false;      ///< some were removed between plan and decision
  std::size_t num_failed = 0;           ///< candidates that could not be embedded
  std::size_t num_images_accepted = 0;  ///< images all of whose proposals are accepted
  std::vector<AcceptedLandmark> landmarks{};
  std::vector<std::string> left_out{};  ///< landmarks that too few references have

  std::string accepted_at{};  ///< empty: its points were not taken over
  std::string accepted_by{};
  std::string discarded_at{};

  [[nodiscard]] bool is_open() const { return accepted_at.empty() && discarded_at.empty(); }
  [[nodiscard]] bool is_decided() const { return !decided_at.empty(); }
  [[nodiscard]] std::size_t num_accepted() const;  ///< points

  friend bool operator==(const Acceptance&, const Acceptance&) = default;
};

/// `points` or `images`; other texts are an Error invalid_input.
[[nodiscard]] std::string name_of(Acceptance::Unit unit);
[[nodiscard]] Acceptance::Unit parse_unit(const std::string& text);

/// What can be accepted without review now.
struct CandidateImages {
  std::vector<Id> images{};
  bool by_subject = false;
  bool has_late_images = false;
  std::size_t reviewed_before = 0;
  std::string why_none{};  ///< why there is no plan; empty: there can be one
};

/// What a user fixes before results are seen.
struct AcceptanceRequest {
  std::string tolerance{};
  std::string q{};
  Acceptance::Unit unit = Acceptance::Unit::points;
  std::size_t num_references = 0;
  std::size_t num_calibration = 0;
  std::string labels{};  ///< fingerprint
};

/// A proposal for a candidate, and whether it is accepted.
struct DecidedPoint {
  Id image = 0;
  Id landmark = 0;
  double x = 0;
  double y = 0;
  bool accepted = false;
};

struct AcceptanceDecision {
  std::string labels{};  ///< fingerprint of what the proposals were made with
  std::size_t num_failed = 0;
  std::size_t num_images_accepted = 0;
  std::vector<AcceptedLandmark> landmarks{};
  std::vector<std::string> left_out{};
  std::vector<DecidedPoint> points{};
};

}  // namespace caos::studio
