#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "caos/landmarks/embedding/open_backbone.hpp"

// What the studio keeps, as plain values.
namespace caos::studio {

/// The number of a row: of a project, a landmark, an image.
using Id = std::int64_t;

/// What the user chooses for a project. The score and k are fixed once its sample is drawn, as the
/// theorem needs a scorer that was chosen before the data were seen.
struct Settings {
  std::string score = default_score;  ///< as `parse_patch_score` reads it
  std::size_t k = 3;
  std::string alpha = "0.1";       ///< the target; other alphas may be looked at
  bool simultaneous = false;       ///< one guarantee for all landmarks of an image
  bool use_corrections = false;    ///< images corrected in review refer and calibrate: no guarantee
  std::string target = "subject";  ///< where subjects have several images: what the guarantee is
                                   ///< for, as `parse_target` reads it; fixed as the score is
  std::optional<double> mm_per_pixel{};  ///< of images that have no scale of their own

  friend bool operator==(const Settings&, const Settings&) = default;
};

/// A moment, fixed at the draw, at which regions carry the guarantee: when the first `size` images
/// of the order are labeled, at this alpha.
struct Look {
  std::size_t size = 0;
  std::string alpha{};

  friend bool operator==(const Look&, const Look&) = default;
};

/// Which images are labeled blind, and calibrate.
struct Sampling {
  enum class Kind {
    none,    ///< not drawn yet
    random,  ///< the first `size` images of a random order of the pool
    given,   ///< those that were labeled when the user said so, not a random draw
  };

  Kind kind = Kind::none;
  std::size_t size = 0;
  std::uint64_t seed = 0;
  std::string drawn_at{};
  bool seed_given = false;  ///< by the caller, who may have tried others; else the program drew it
  std::vector<Look> looks{};  ///< of growing size; empty: one, at `size`, with the whole alpha
  std::size_t largest = 0;    ///< the largest size it ever had
  /// Places with which the order began at the draw: one for each subject, or each image. Images
  /// that are removed leave their places empty.
  std::size_t units = 0;
  bool after_results = false;  ///< results had been seen, which may have chosen score, k and target

  friend bool operator==(const Sampling&, const Sampling&) = default;
};

/// What happened that a guarantee depends on. Nothing of it is ever taken back.
struct Integrity {
  std::size_t removed = 0;        ///< images that left the project after they were in the sample
  std::string results_seen_at{};  ///< when results were first shown or exported; empty: never
  std::string resized_at{};       ///< when the sample's size was first changed off plan after that
  std::string retargeted_at{};    ///< when alpha, `simultaneous` or the landmarks of a simultaneous
                                  ///< target were first changed after that
  std::string rescaled_at{};      ///< when the working size was first changed after that
  std::string relabeled_at{};  ///< when points of the sample were first changed or taken away after
                               ///< that
  std::string restored_at{};   ///< when the project was restored from a backup; empty: it was not
  std::string backup_at{};     ///< when that backup was made; empty: it does not say

  friend bool operator==(const Integrity&, const Integrity&) = default;
};

/// What may be audited next.
struct AuditLimits {
  std::size_t population = 0;  ///< images after the sample and earlier audits, also those
                               ///< that were removed since the draw; of each subject one
  std::size_t largest = 0;     ///< how many of them come before one that was removed, or whose
                               ///< regions were shown
  std::string why_none{};      ///< why no audit can begin; empty: one can
};

/// What an audit found for one landmark.
struct AuditedLandmark {
  std::string name{};
  std::vector<std::string> missed{};  ///< images whose region does not contain the landmark
  std::size_t absent = 0;             ///< images that lack it, which count as satisfied

  friend bool operator==(const AuditedLandmark&, const AuditedLandmark&) = default;
};

/// Images that come next in the random order and are labeled without sight of regions, to bound how
/// many of the remaining regions contain their landmark. The images are those with places from
/// `first` up to, not including, `end`.
struct Audit {
  Id id = 0;
  std::size_t first = 0;
  std::size_t end = 0;
  std::size_t size = 0;        ///< images, fixed at the beginning
  std::size_t population = 0;  ///< images that it was drawn from, itself included
  bool by_subject = false;     ///< units are subjects, each with one image drawn at random
  std::string alpha{};         ///< of the regions that are judged
  bool simultaneous = false;   ///< kind of the regions that are judged
  std::string calibration{};   ///< fingerprint of what the regions are made of
  std::string begun_at{};
  std::string finished_at{};                 ///< empty: not yet; labels are frozen afterwards
  std::string discarded_at{};                ///< empty: it was not
  std::vector<AuditedLandmark> landmarks{};  ///< those with regions; once finished

  [[nodiscard]] bool is_open() const { return finished_at.empty() && discarded_at.empty(); }
  /// How many images have a landmark outside its region.
  [[nodiscard]] std::size_t num_images_missed() const;

  friend bool operator==(const Audit&, const Audit&) = default;
};

/// Whether an image belongs to an audit that was not discarded.
enum class AuditRole {
  none,
  open,      ///< to be labeled without sight of regions
  finished,  ///< its labels are frozen
};

struct Project {
  Id id = 0;
  std::string name{};
  std::string created_at{};
  std::string backbone{};             ///< as it was asked for
  std::string working_size{};         ///< as `vision::WorkingSize::recorded` reads it
  std::string precision = "float16";  ///< of embeddings; float32 in projects of version 0.1.0
  Settings settings{};
  Sampling sampling{};
  Integrity integrity{};
  std::int64_t scheme_revision = 0;

  friend bool operator==(const Project&, const Project&) = default;
};

/// A landmark of a project's scheme; they are listed in the order in which they are placed.
struct SchemeLandmark {
  Id id = 0;  ///< 0: not stored yet
  std::string name{};
  std::string color{};                ///< #rrggbb; where it is empty, the store chooses one
  std::optional<std::string> pair{};  ///< the name of its other side, left or right; goes both ways

  friend bool operator==(const SchemeLandmark&, const SchemeLandmark&) = default;
};

/// The color of the landmark at this place of the scheme, where none was chosen; the page has the
/// same (web/src/palette.ts).
[[nodiscard]] std::string color_at(std::size_t place);

struct ImageRecord {
  Id id = 0;
  std::string name{};     ///< as it was uploaded; unique in its project
  std::string sha256{};   ///< of its bytes, which are kept under that name
  std::size_t width = 0;  ///< upright
  std::size_t height = 0;
  std::optional<std::string> subject{};
  std::optional<double> mm_per_pixel{};
  std::string added_at{};
  std::optional<std::size_t> order{};  ///< its place in the random order; none: added afterwards
  std::string seen_at{};               ///< when its regions were first shown; empty: never
  std::int64_t revision = 0;           ///< of the first reading
  std::size_t num_points = 0;          ///< landmarks with a state, of the first reading
  bool complete = false;               ///< all landmarks of the scheme have one
  AuditRole audit = AuditRole::none;
  std::size_t num_second_points = 0;  ///< landmarks with a state, of the second reading
  bool second_complete = false;

  /// Whether it is to be labeled blind, and calibrates.
  [[nodiscard]] bool in_sample(const Sampling& sampling) const {
    return sampling.kind != Sampling::Kind::none && order && *order < sampling.size;
  }
  [[nodiscard]] bool in_audit() const { return audit != AuditRole::none; }
  /// Whether its regions must not be shown: it is labeled without sight of them.
  [[nodiscard]] bool is_blind(const Sampling& sampling) const {
    return in_sample(sampling) || audit == AuditRole::open;
  }
  /// Its own mm_per_pixel, or else that of all images of the project.
  [[nodiscard]] std::optional<double> scale(const Settings& settings) const {
    return mm_per_pixel ? mm_per_pixel : settings.mm_per_pixel;
  }

  friend bool operator==(const ImageRecord&, const ImageRecord&) = default;
};

/// Which images of a project are listed, in which order, and which part of the list.
struct ImageQuery {
  enum class Which {
    all,
    sample,
    audit,   ///< of audits that were not discarded
    review,  ///< of neither
  };
  enum class Sort {
    added,
    name,
    order,  ///< the random order; those without a place come last
  };

  Which which = Which::all;
  Sort sort = Sort::added;
  std::string search{};                ///< a part of the name, whatever its case; empty: any
  std::size_t offset = 0;              ///< images that are left out at the beginning
  std::optional<std::size_t> limit{};  ///< at most so many; none: all
};

/// `all`, `sample`, `audit` or `review`; `added`, `name` or `order`. Other texts are an Error
/// invalid_input.
[[nodiscard]] ImageQuery::Which parse_which(const std::string& text);
[[nodiscard]] ImageQuery::Sort parse_sort(const std::string& text);

/// Part of a list of images.
struct ImagePage {
  std::vector<ImageRecord> images{};
  std::size_t total = 0;  ///< of the whole list
};

/// What is known of a landmark in an image.
enum class PointState {
  visible,
  hidden,   ///< its place is known, but it cannot be seen; calibrates nothing
  missing,  ///< looked for and absent; x and y are unused
};

/// `visible`, `hidden` or `missing`, and back; other texts are an Error invalid_input.
[[nodiscard]] std::string name_of(PointState state);
[[nodiscard]] PointState parse_point_state(const std::string& text);

/// Where a point came from.
enum class Source {
  blind,
  accept,   ///< a proposal, by a person who saw it
  correct,  ///< in review
  import,
  restore,
  automatic,  ///< a proposal that was accepted without review
};
[[nodiscard]] std::string name_of(Source source);
[[nodiscard]] Source parse_source(const std::string& text);

/// `none`, `random` or `given`.
[[nodiscard]] std::string name_of(Sampling::Kind kind);
[[nodiscard]] Sampling::Kind parse_sampling_kind(const std::string& text);

/// `none`, `open` or `finished`.
[[nodiscard]] std::string name_of(AuditRole role);

struct Point {
  Id landmark = 0;
  PointState state = PointState::visible;
  double x = 0;  ///< in pixels of the upright original, continuous, from its upper left corner
  double y = 0;
  std::string annotator{};
  std::string at{};  ///< UTC, 2026-01-31T12:00:00.000Z
  Source source = Source::blind;

  friend bool operator==(const Point&, const Point&) = default;
};

/// The points of one reading of an image: the first one counts, a second one is made to compare.
struct Reading {
  std::int64_t revision = 0;
  std::vector<Point> points{};  ///< in the order of the scheme
  bool complete = false;
  std::string changed_by{};  ///< who made this revision; empty: unchanged so far
  std::string changed_at{};

  friend bool operator==(const Reading&, const Reading&) = default;
};

/// What becomes of one landmark; without a state it is as if never touched.
struct Edit {
  Id landmark = 0;
  std::optional<PointState> state{};
  double x = 0;
  double y = 0;
};

/// One change of an image by an annotator.
struct Change {
  std::string id{};  ///< the client's, unique: a change that is sent twice happens once
  Id image = 0;
  int reading = 1;        ///< 1 or 2
  std::int64_t base = 0;  ///< the revision that the annotator saw
  std::string annotator{};
  Source source = Source::blind;
  std::vector<Edit> edits{};
};

/// What became of a change.
struct ChangeOutcome {
  bool applied = false;  ///< now or before; else the image has another revision than was seen
  Reading reading{};     ///< as it is now
};

/// One line of an image's history.
struct HistoryEntry {
  std::int64_t revision = 0;
  int reading = 1;
  Id landmark = 0;
  std::string landmark_name{};        ///< also of landmarks that were deleted since
  std::optional<PointState> state{};  ///< none: the point was taken back
  double x = 0;
  double y = 0;
  std::string annotator{};
  std::string at{};
  Source source = Source::blind;
  std::string change{};

  friend bool operator==(const HistoryEntry&, const HistoryEntry&) = default;
};

/// One landmark of one image as two annotators placed it, each the last time.
struct PairOfPoints {
  Id image = 0;
  Id landmark = 0;
  double distance = 0;                  ///< pixels
  std::optional<double> distance_mm{};  ///< where the image or the project has a scale
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
};

}  // namespace caos::studio
