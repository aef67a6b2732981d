#pragma once

#include <string>
#include <string_view>

#include "caos/landmarks/formats/instances.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// Reads the table of a .h5 file as DeepLabCut writes it: a pandas data frame, stored as `fixed` or
/// as `table`, with the rows and columns of its CSV file. Errors are bad_format.
[[nodiscard]] LandmarkTable parse_deeplabcut_hdf5(std::string_view bytes, const std::string& name,
                                                  const InstanceOptions& options = {});

/// The same table as `write_deeplabcut`, as a pandas data frame called `df_with_missing` (fixed).
[[nodiscard]] std::string write_deeplabcut_hdf5(const LandmarkTable& table);

}  // namespace caos::landmarks
