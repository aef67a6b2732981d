#pragma once

#include <string>
#include <string_view>

namespace caos {

/// The guarantee of a method's sets, under `assumption`.
struct Guarantee {
  enum class Kind {
    marginal,           ///< P(Y in set) >= 1 - alpha for a new example
    group_conditional,  ///< the same within each group
    simultaneous,       ///< P(every task's Y in its set) >= 1 - alpha
    fdr,                ///< E(share of wrong ones among accepted predictions) <= q
    pac,                ///< with some confidence P(Y in set | calibration) >= 1 - alpha
    none,
  };

  Kind kind = Kind::marginal;
  std::string why_none;  ///< for `none`: the reason
  /// The list of labels is what the labeled examples happen to have, so that a label that is not in
  /// it is in no set: P(Y in set) >= 1 - alpha - P(Y not in the list).
  bool listed_labels_only = false;
  std::string scope{};  ///< for `pac`: which confidence, over which draws

  /// `marginal`, `group-conditional`, `simultaneous`, `FDR`, `PAC` or `none`.
  [[nodiscard]] std::string name() const;
  /// The name, with the reason for `none`, the scope of `PAC` and with what listed labels cost.
  [[nodiscard]] std::string text() const;
};

/// The price of a list of labels that comes from the labeled examples.
inline constexpr const char* listed_labels_cost =
    "for listed labels (1 - alpha - P(label not in the list))";

/// The assumption of every guarantee, in words.
inline constexpr const char* assumption =
    "labeled and new examples are exchangeable, and the scorer was fixed before the data were "
    "seen";

/// The assumption of a guarantee: a PAC guarantee needs independent draws, or a random draw from a
/// pool, as its scope says; the others need `otherwise`.
[[nodiscard]] std::string assumption_of(const Guarantee& guarantee,
                                        std::string_view otherwise = assumption);

}  // namespace caos
