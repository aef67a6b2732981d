#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "caos/landmarks/growing_landmarks.hpp"
#include "caos/landmarks/matching/cell_pool.hpp"

namespace caos {

/// A labeled image whose score a CAOS score adds.
struct ImageNeighbor {
  ImageKey image = 0;
  Score score = 0;
};

/// How every patch of an image suits one landmark, for all alphas at once.
struct PatchCounts {
  std::size_t n = 0;  ///< `SortedScores::units` of the calibration scores compared with
  /// #{i : S_i >= s_y} of each patch y, in units, whose p-value is (1 + that) / (n + 1); -1 for
  /// patches that are known not to hold a landmark.
  std::vector<std::int64_t> at_least{};
  Label proposal = 0;        ///< the most conforming patch
  Score proposal_score = 0;  ///< its CAOS score; +infinity where no patch is possible
  std::vector<ImageNeighbor>
      supporting_references{};  ///< of the proposal: its k smallest scores, ascending
  /// Where the references that fit best have it, in patches; by scores that estimate that.
  std::optional<vision::Point> estimate{};
};

/// One image's scores under the labeled images, kept while these change: only patches that have
/// become references since are scored. Not safe to change from two threads at once.
class ImageScores {
 public:
  /// Scores under references of `left_out` do not count: images of the same subject. Scores that
  /// read positions need the grid of labels, and `cells` where these are cells.
  explicit ImageScores(SharedPatches patches, std::vector<Label> impossible = {},
                       std::vector<ImageKey> left_out = {}, const vision::PatchGrid& grid = {},
                       const std::optional<CellSource>& cells = {});

  /// Brings the scores up to date with these labeled images. All calls below are about them.
  void update(const GrowingLandmarks& labeled, std::size_t threads);

  /// Compares with the landmark's own calibration scores, or with `others`, such as joint or
  /// weighted ones. Nothing where the landmark is not calibrated, or fewer than k references are
  /// left. Cells whose scores exceed all that they are compared with need no vectors; those of
  /// others are kept, so that one thread at a time may ask.
  [[nodiscard]] std::optional<PatchCounts> counts(const GrowingLandmarks& labeled,
                                                  std::size_t landmark,
                                                  const SortedScores* others = nullptr) const;

  /// The k smallest scores of one patch. Requires a landmark that has counts.
  [[nodiscard]] std::vector<ImageNeighbor> neighbors(const GrowingLandmarks& labeled,
                                                     std::size_t landmark, Label patch) const;

  /// How many patches have been scored as references so far, for tests of how little that is.
  [[nodiscard]] std::size_t num_scored() const { return num_scored_; }

 private:
  /// A reference patch: of which image, and which of its patches; where scores read positions, also
  /// where in it. The key would not do, as another image may come under it.
  struct Reference {
    GridPatches image;
    std::int64_t patch = 0;
    Offset offset{};

    [[nodiscard]] auto key() const { return std::tuple(image.patches, patch, offset.x, offset.y); }
    friend bool operator<(const Reference& a, const Reference& b) { return a.key() < b.key(); }
  };

  [[nodiscard]] std::vector<Score> column_of(const Reference& reference) const;
  [[nodiscard]] GridPatches grid_patches() const {
    return {patches_, cells_ ? cells_->patches : grid_};
  }
  [[nodiscard]] CellPool cell_pool(const GrowingLandmarks& labeled, std::size_t landmark,
                                   std::span<const ImageKey> images) const;
  [[nodiscard]] PatchCounts count_cells(const CellPool& pool, const SortedScores& peers,
                                        std::span<const ImageKey> images, std::size_t k) const;
  [[nodiscard]] std::optional<vision::Point> estimate(const GrowingLandmarks& labeled,
                                                      std::size_t landmark,
                                                      std::span<const ImageKey> images) const;
  void prepare_estimates(std::span<const Reference> wanted, std::size_t threads);
  [[nodiscard]] static Reference reference(const GrowingLandmarks& labeled, ImageKey image,
                                           std::size_t landmark);
  [[nodiscard]] std::vector<Reference> missing(const GrowingLandmarks& labeled) const;
  void forget_unused(const GrowingLandmarks& labeled);
  [[nodiscard]] std::vector<ImageKey> references(const GrowingLandmarks& labeled,
                                                 std::size_t landmark) const;
  [[nodiscard]] Matrix<Score> pools(const GrowingLandmarks& labeled, std::size_t landmark,
                                    std::span<const ImageKey> images) const;

  SharedPatches patches_;
  vision::PatchGrid grid_;
  std::vector<Label> impossible_;
  std::vector<ImageKey> left_out_;
  std::optional<PatchScore> score_{};                ///< of the columns
  std::map<Reference, std::vector<Score>> columns_;  ///< scores of all patches under each; of cells
                                                     ///< none
  /// For scores that read positions: from each labeled image to this one.
  std::map<SharedPatches, GeometryEstimate> estimates_;
  std::unique_ptr<const CellSource> cells_;  ///< stays where it is when this moves
  std::unique_ptr<CellVectors> vectors_;
  std::size_t num_scored_ = 0;
};

}  // namespace caos
