#pragma once

#include <string>

namespace caos {

/// What is promised about a method's sets, under `assumption`.
struct Guarantee {
  enum class Kind {
    marginal,           ///< P(Y in set) >= 1 - alpha for a new example
    group_conditional,  ///< the same within each group
    simultaneous,       ///< P(every task's Y in its set) >= 1 - alpha
    none,
  };

  Kind kind = Kind::marginal;
  std::string why_none;  ///< for `none`: what stands in the way

  /// `marginal`, `group-conditional`, `simultaneous` or `none (why)`.
  [[nodiscard]] std::string text() const;
};

/// The words under which every guarantee is given.
inline constexpr const char* assumption =
    "labelled and new examples are exchangeable, and the scorer was fixed before the data were "
    "seen";

}  // namespace caos
