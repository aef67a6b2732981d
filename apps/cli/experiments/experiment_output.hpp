#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/cli/program.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/evaluation/landmark_experiment.hpp"
#include "caos/vision/codecs/decode.hpp"

namespace caos::cli {

/// The methods of the paper's Table 1 in its order, and Full CAOS.
inline constexpr std::array main_methods = {Method::scos, Method::scos_best, Method::caos,
                                            Method::full_caos, Method::scos_oracle};

/// What `experiment landmarks` did and found.
struct ExperimentOutput {
  std::string command{};  ///< without what changes no result
  std::string backbone{};
  AnnotatedImages images{};  ///< without files where only embeddings were given
  std::vector<LandmarkSplit> splits{};
  bool random_splits = false;
  std::uint64_t seed = 0;
  std::size_t landmark_step = 1;
  std::size_t num_landmarks = 0;  ///< before some were passed over
  bool own_parameter = false;     ///< the score's parameter was given and is not the default
  LandmarkExperimentOptions options{};
  vision::DecodeOptions decode{};  ///< how image files were read
  LandmarkExperiment experiment{};
  std::string report{};  ///< where the page is
};

/// The results as the page on landmarks wants them, except for its test images.
[[nodiscard]] Json to_json(const ExperimentOutput& output);

/// The first test images of the first split, as JPEG with their landmarks and set sizes; empty
/// where there are no image files.
[[nodiscard]] Json example_images(const ExperimentOutput& output);

/// What a reader has to know besides the figures.
[[nodiscard]] std::vector<std::string> experiment_notes(const ExperimentOutput& output);

/// Which new image guarantees are for.
[[nodiscard]] ImageTarget target_of(const ExperimentOutput& output);

/// The main table and where the page is.
[[nodiscard]] std::string to_text(const ExperimentOutput& output);

}  // namespace caos::cli
