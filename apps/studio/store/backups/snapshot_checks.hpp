#pragma once

#include "apps/studio/store/backups/snapshot.hpp"

namespace caos::studio {

/// Throws `invalid_input` for a snapshot that the store cannot have written, as far as that
/// can be told without the bytes of its images.
void check_snapshot(const ProjectSnapshot& snapshot);

}  // namespace caos::studio
