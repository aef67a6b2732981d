#include "caos/numerics/big_natural.hpp"

#include <algorithm>
#include <cassert>

namespace caos {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int limb_bits = 64;

}  // namespace

BigNatural::BigNatural(std::uint64_t value) {
  if (value > 0) limbs_.push_back(value);
}

BigNatural BigNatural::choose(std::uint64_t n, std::uint64_t k) {
  BigNatural result(1);
  for (std::uint64_t i = 1; i <= std::min(k, n - k); ++i) (result *= n - i + 1) /= i;
  return result;
}

BigNatural& BigNatural::operator+=(const BigNatural& other) {
  limbs_.resize(std::max(limbs_.size(), other.limbs_.size()) + 1);
  Wide carry = 0;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    carry += limbs_[i];
    if (i < other.limbs_.size()) carry += other.limbs_[i];
    limbs_[i] = static_cast<std::uint64_t>(carry);
    carry >>= limb_bits;
  }
  drop_leading_zeros();
  return *this;
}

BigNatural& BigNatural::operator*=(std::uint64_t factor) {
  Wide carry = 0;
  for (std::uint64_t& limb : limbs_) {
    carry += static_cast<Wide>(limb) * factor;
    limb = static_cast<std::uint64_t>(carry);
    carry >>= limb_bits;
  }
  limbs_.push_back(static_cast<std::uint64_t>(carry));
  drop_leading_zeros();
  return *this;
}

BigNatural& BigNatural::operator/=(std::uint64_t divisor) {
  Wide remainder = 0;
  for (auto limb = limbs_.rbegin(); limb != limbs_.rend(); ++limb) {
    const Wide part = remainder << limb_bits | *limb;
    *limb = static_cast<std::uint64_t>(part / divisor);
    remainder = part % divisor;
  }
  assert(remainder == 0);
  drop_leading_zeros();
  return *this;
}

std::strong_ordering operator<=>(const BigNatural& a, const BigNatural& b) {
  if (a.limbs_.size() != b.limbs_.size()) return a.limbs_.size() <=> b.limbs_.size();
  return std::lexicographical_compare_three_way(a.limbs_.rbegin(), a.limbs_.rend(),
                                                b.limbs_.rbegin(), b.limbs_.rend());
}

void BigNatural::drop_leading_zeros() {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
}

}  // namespace caos
