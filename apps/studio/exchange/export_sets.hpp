#pragma once

#include <string>

#include "apps/studio/exchange/export_landmarks.hpp"
#include "apps/studio/exchange/spooled_file.hpp"
#include "apps/studio/workbench/workbench.hpp"

namespace caos::studio {

struct SetsOptions {
  bool csv = false;  ///< else JSON
  Miscoverage alpha;
  bool simultaneous = false;
};

/// The regions of every image outside of the sample at one alpha, with p-values, proposals and the
/// guarantee, as `caos landmarks predict` writes them. All these images count as seen then.
[[nodiscard]] LargeDownload export_sets(Store& store, Workbench& workbench, Id project,
                                        const SetsOptions& options);

/// The calibration as `caos landmarks predict` takes it. Refused where there is no guarantee.
[[nodiscard]] Download export_model(Store& store, Workbench& workbench, Id project);

/// What is proposed for an image that is not labeled blind, with conformities. Who hands it out
/// notes that it was seen.
[[nodiscard]] std::vector<landmarks::Landmark> proposed_landmarks(Store& store,
                                                                  Workbench& workbench, Id project,
                                                                  const ImageRecord& image);

}  // namespace caos::studio
