#pragma once

#include <string>

namespace caos::studio {

/// The time now: UTC, 2026-01-31T12:00:00.000Z. For people; nothing is ordered by it, as clocks are
/// set back.
[[nodiscard]] std::string utc_now();

/// Whether a text looks like that.
[[nodiscard]] bool is_utc(const std::string& text);

}  // namespace caos::studio
