#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/predictions/json_text.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/evaluation/landmark_experiment.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/points/point_error.hpp"
#include "caos/vision/codecs/decode.hpp"

namespace caos::cli {

using predictions::Json;

/// A test image of the first split.
struct LandmarkImage {
  struct Point {
    std::string landmark{};
    double x = 0;
    double y = 0;
    std::optional<double> scos{};  ///< set size at the first alpha
    std::optional<double> caos{};
  };

  std::string name{};
  std::size_t width = 0;
  std::size_t height = 0;
  std::string jpeg{};  ///< in base64
  std::vector<Point> points{};
};

/// What `experiment landmarks` did and found.
struct LandmarkResults {
  std::string command{};  ///< without what changes no result
  std::string backbone{};
  std::optional<EmbeddingRecord> embedding{};  ///< of images
  AnnotatedImages images{};                    ///< without files where only embeddings were given
  std::vector<LandmarkSplit> splits{};
  bool random_splits = false;
  std::uint64_t seed = 0;
  std::size_t landmark_step = 1;
  std::size_t num_landmarks = 0;  ///< before some were passed over
  bool own_parameter = false;     ///< the score's parameter was given and is not the default
  LandmarkExperimentOptions options{};
  LandmarkExperiment experiment{};
  std::optional<PointSummary> points{};   ///< where images are given: errors of proposed points
  std::vector<LandmarkImage> examples{};  ///< for the page alone

  /// Which new image the guarantees are for.
  [[nodiscard]] ImageTarget target() const { return experiment.first.target; }
  [[nodiscard]] const std::string& landmark(std::size_t t) const {
    return images.patches.tasks[experiment.landmarks[t]];
  }
};

using ResultList = std::vector<const ExperimentResult*>;

/// Alpha by alpha: the methods of the paper's Table 1 in its order, and Full CAOS.
[[nodiscard]] ResultList main_results(const LandmarkResults& results);

/// Alpha by alpha: the methods of the paper's data-reuse ablation; empty without split methods.
[[nodiscard]] ResultList reuse_results(const LandmarkResults& results);

/// Alpha by alpha: CAOS under every score, the cosine first.
[[nodiscard]] ResultList score_results(const LandmarkResults& results);

/// The score, and its cells where labels were cells.
[[nodiscard]] std::string score_text(const ExperimentResult& result);

/// The mean set size under a score in units of the cosine's; nothing if that is 0.
[[nodiscard]] std::optional<double> ratio_to_cosine(const LandmarkResults& results,
                                                    const ExperimentResult& of_score);

/// Whether the user gave this score's parameter, so that only they know if it was fixed in advance.
[[nodiscard]] bool has_own_parameter(const LandmarkResults& results, const PatchScore& score);

/// `easy`, `medium` or `hard` by landmark; empty without the Oracle.
[[nodiscard]] std::vector<std::string> strata_of(const LandmarkResults& results);

/// CAOS with some k on the landmarks of a stratum, at the first alpha.
struct StratumResult {
  std::string stratum{};
  std::size_t k = 0;
  SplitFigures mean_set_size{};
};

[[nodiscard]] std::vector<StratumResult> stratum_results(const LandmarkResults& results);

/// For figures of single landmarks, at the first alpha: the main methods, and CAOS by k.
struct FirstAlpha {
  ResultList methods{};
  ResultList by_k{};
};

[[nodiscard]] FirstAlpha at_first_alpha(const LandmarkResults& results);

/// Figures that every split has one of.
[[nodiscard]] SplitFigures by_split(const std::vector<double>& values);

/// The grid of all images; nothing where they differ, or without image files.
[[nodiscard]] std::optional<vision::PatchGrid> grid_of(const AnnotatedImages& images);

/// How many images the splits are of.
[[nodiscard]] std::size_t num_images(const LandmarkResults& results);

/// The first test images of the first split; empty without image files.
[[nodiscard]] std::vector<LandmarkImage> example_images(const LandmarkResults& results,
                                                        const vision::DecodeOptions& decode);

/// A caution about standard errors over few splits; empty for one split or enough of them.
[[nodiscard]] std::string unsteady_error_text(std::size_t splits);

/// What a reader has to know besides the figures.
[[nodiscard]] std::vector<std::string> landmark_notes(const LandmarkResults& results);

/// The mean share of the image that a method's regions take, over splits.
[[nodiscard]] double region_share(const ExperimentResult& result);

/// What to try for smaller regions, with the first method and alpha that has large ones although it
/// is feasible; nothing where none has.
[[nodiscard]] std::optional<std::string> large_regions_text(const LandmarkResults& results);

/// Everything but the images: figures should not carry faces about.
[[nodiscard]] Json to_json(const LandmarkResults& results);

/// The main table.
[[nodiscard]] std::string to_text(const LandmarkResults& results);

/// File name and text of each part that has rows, with every digit.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> landmark_csvs(
    const LandmarkResults& results);

/// A page with tables, plots and test images. Self-contained: it opens from a file without any
/// request, and its own policy forbids them. Empty parts are left out. Tables and images need no
/// script; plots are drawn by Vega, and where the program was built without it the page says so.
[[nodiscard]] std::string landmark_page(const LandmarkResults& results);

}  // namespace caos::cli
