#pragma once

#include "apps/studio/store/store.hpp"

namespace caos::studio {

/// A project to try things out: drawn faces with known landmarks, a random half of them labeled
/// with the truth, the others open for review.
Project make_demo_project(Store& store);

}  // namespace caos::studio
