#pragma once

#include <string>
#include <string_view>

#include "caos/conformal/guarantee.hpp"

namespace caos {

/// What a guarantee rests on: a PAC guarantee needs independent draws, or a random draw from a
/// pool, as its scope says; the others need `otherwise`.
[[nodiscard]] std::string assumption_of(const Guarantee& guarantee,
                                        std::string_view otherwise = assumption);

}  // namespace caos
