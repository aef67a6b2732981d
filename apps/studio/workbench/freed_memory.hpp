#pragma once

namespace caos::studio {

/// Returns freed memory to the system, where the allocator would keep it. Calibrations are copied
/// while images are labeled and others are predicted, and what was freed of them lies between what
/// stays.
void return_freed_memory();

}  // namespace caos::studio
