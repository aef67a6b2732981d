#pragma once

#include "apps/studio/store/backups/snapshot.hpp"

namespace caos::studio {

/// Throws `invalid_input` where a snapshot is none that the store could have made, as far as that
/// shows without the bytes of its images.
void check_snapshot(const ProjectSnapshot& snapshot);

}  // namespace caos::studio
