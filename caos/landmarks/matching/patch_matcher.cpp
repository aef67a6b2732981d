#include "caos/landmarks/matching/patch_matcher.hpp"

#include <fmt/format.h>

#include "caos/error.hpp"
#include "caos/kernels/coarse_decide.hpp"

namespace caos {

std::shared_ptr<const PatchMatcher> make_matcher(const LabeledPatches& labeled,
                                                 const ReferencePatches& references,
                                                 const PatchScore& score, std::size_t threads) {
  return score.kind == PatchScore::Kind::cosine ? coarse_matcher(labeled, references, threads)
                                                : exact_matcher(labeled, references, score);
}

void check_k(const PatchScore& score, std::size_t k) {
  require(score.kind != PatchScore::Kind::cosine || k <= kernels::most_coarse_k,
          ErrorKind::invalid_input, [&] {
            return fmt::format("k = {} is too large; k is at most {} with the score cosine", k,
                               kernels::most_coarse_k);
          });
}

}  // namespace caos
