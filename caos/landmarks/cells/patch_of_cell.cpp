#include "caos/landmarks/cells/patch_of_cell.hpp"

#include <algorithm>

namespace caos {

Label patch_of_cell(const vision::PatchGrid& cells, Label cell, const vision::PatchGrid& patches) {
  const auto place = [&](std::size_t at, std::size_t count) {
    return std::min((2 * at + 1) * cells.patch_size / (2 * patches.patch_size), count - 1);
  };
  return place(cell / cells.columns, patches.rows) * patches.columns +
         place(cell % cells.columns, patches.columns);
}

}  // namespace caos
