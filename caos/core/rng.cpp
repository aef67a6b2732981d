#include "caos/rng.hpp"

#include <cassert>

namespace caos {

Rng Rng::stream(std::uint64_t seed, std::uint64_t index) {
  // The finalizer of `next` is a bijection, so distinct indices start at distinct, unrelated
  // states.
  Rng mixer(index);
  return Rng(seed ^ mixer.next());
}

std::uint64_t Rng::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

double Rng::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

std::size_t Rng::below(std::size_t bound) {
  assert(bound >= 1);
  // Values past the largest multiple of `bound` would favor small results: draw again.
  const std::uint64_t excess = (UINT64_MAX % bound + 1) % bound;
  std::uint64_t draw = next();
  while (draw > UINT64_MAX - excess) draw = next();
  return draw % bound;
}

}  // namespace caos
