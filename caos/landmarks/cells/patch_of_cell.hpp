#pragma once

#include "caos/backbone.hpp"
#include "caos/scores.hpp"

namespace caos {

/// The patch that holds the middle of a cell.
[[nodiscard]] Label patch_of_cell(const vision::PatchGrid& cells, Label cell,
                                  const vision::PatchGrid& patches);

}  // namespace caos
