#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "apps/cli/landmarks/prediction/image_renderer.hpp"
#include "caos/dist/communicator.hpp"
#include "caos/landmarks/pool_predictors.hpp"
#include "caos/landmarks/predict_stream.hpp"

namespace caos::cli {

/// What a process predicts with.
struct PredictingProcess {
  const PoolPredictors& predictors;
  const PatchSource& source;
  const ImageRenderer& renderer;
};

/// The images, for the first process.
struct ImagesToPredict {
  std::size_t count = 0;
  std::size_t threads = 0;  ///< of a process
  std::function<ImageFile(std::size_t)> file_of{};
  /// Gets what became of them, in order.
  std::function<void(RenderedImage&&)> take{};
  std::function<void(std::size_t done, std::size_t total)> progress{};
};

/// Predicts images on all processes, for the first of them; the others `help_to_predict`. Returns
/// those without a prediction, in order.
[[nodiscard]] std::vector<FailedImage> predict_on_processes(dist::Communicator& processes,
                                                            const PredictingProcess& own,
                                                            const ImagesToPredict& images);
void help_to_predict(dist::Communicator& processes, const PredictingProcess& own);

}  // namespace caos::cli
