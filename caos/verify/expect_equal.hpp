#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "caos/evaluation.hpp"
#include "caos/scores.hpp"
#include "caos/verify/verification.hpp"

namespace caos {

/// Counts a comparison of each single value in two things of one kind, bit for bit, down to numbers
/// and whole sets. `where` names the thing; places in it are added.
template <typename T>
void expect_equal(const T& one, const T& other, const std::string& where, IdentityCheck& check) {
  check.expect(one == other, [&] { return where; });
}

inline void expect_equal(const Outcome& one, const Outcome& other, const std::string& where,
                         IdentityCheck& check) {
  const bool same = one.covered == other.covered && one.size == other.size &&
                    one.singleton == other.singleton && one.empty == other.empty;
  check.expect(same, [&] { return where; });
}

/// A set is compared whole.
inline void expect_equal(const std::vector<Label>& one, const std::vector<Label>& other,
                         const std::string& where, IdentityCheck& check) {
  check.expect(one == other, [&] { return where; });
}

template <typename T>
void expect_equal(const std::vector<T>& some, const std::vector<T>& others,
                  const std::string& where, IdentityCheck& check) {
  check.expect(some.size() == others.size(), [&] { return where + ": not as many"; });
  for (std::size_t i = 0; i < std::min(some.size(), others.size()); ++i) {
    expect_equal(some[i], others[i], fmt::format("{} {}", where, i), check);
  }
}

template <typename T>
void expect_equal(const Matrix<T>& some, const Matrix<T>& others, const std::string& where,
                  IdentityCheck& check) {
  const bool alike = some.rows() == others.rows() && some.cols() == others.cols();
  check.expect(alike, [&] { return where + ": not as many"; });
  for (std::size_t r = 0; alike && r < some.rows(); ++r) {
    for (std::size_t c = 0; c < some.cols(); ++c) {
      expect_equal(some(r, c), others(r, c), fmt::format("{} {} {}", where, r, c), check);
    }
  }
}

}  // namespace caos
