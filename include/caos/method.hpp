#pragma once

#include <span>
#include <string_view>

#include "caos/grouping.hpp"
#include "caos/guarantee.hpp"

namespace caos {

/// Ways to turn pools of scores into sets.
enum class Method {
  caos,         ///< Alg. 1
  full_caos,    ///< Alg. 3
  scos,         ///< Alg. 2, averaged over references
  scos_best,    ///< the reference with the smallest sets on the calibration half
  scos_oracle,  ///< the reference with the smallest set that contains the true label; in hindsight
  split_caos,   ///< calibration half against reference half
  split_caos_cal,  ///< calibration half against all
  split_caos_ref,  ///< all against reference half
  full_kernel,     ///< full conformal with kernel votes; of vectors, not of score arrays
  full_ratio,      ///< full conformal with ratios of distances; of vectors, too
};

/// The methods on score arrays: all but full_kernel and full_ratio.
[[nodiscard]] std::span<const Method> all_methods();

/// The name on the command line and in JSON: `full-caos`.
[[nodiscard]] std::string_view method_name(Method method);

/// Throws `invalid_input`, listing the names, for one that is not among `all_methods`.
[[nodiscard]] Method parse_method(std::string_view name);

/// Whether the method takes vectors.
[[nodiscard]] bool is_full_conformal_of_vectors(Method method);

/// Whether the method is one of the SCOS, or of the Split CAOS, family.
[[nodiscard]] bool is_scos(Method method);
[[nodiscard]] bool is_split_caos(Method method);

/// The guarantee of the method's theorem, if it has one, with groups of this kind.
/// `clipped` says that a rank beyond n was clipped, which voids it.
[[nodiscard]] Guarantee guarantee_of(Method method, Grouping::Kind grouping = Grouping::Kind::none,
                                     bool clipped = false);

}  // namespace caos
