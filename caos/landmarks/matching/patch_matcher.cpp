#include "caos/landmarks/matching/patch_matcher.hpp"

#include <fmt/format.h>

#include "caos/error.hpp"
#include "caos/kernels/coarse_decide.hpp"
#include "caos/scorers/competing_similarities.hpp"

namespace caos {

std::shared_ptr<const PatchMatcher> make_matcher(const LabeledPatches& labeled,
                                                 const ReferencePatches& references,
                                                 const PatchScore& score, std::size_t threads) {
  require(!labeled.has_cells() || score.reads_positions(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "the score {} compares patches, not cells; choose the score geometry, or cell 16",
        patch_score_text(score));
  });
  const bool is_rotated = !references.rotated.empty();
  if (is_rotated && !score.reads_positions()) return exact_matcher(labeled, references, score);
  if (score.kind == PatchScore::Kind::cosine) return coarse_matcher(labeled, references, threads);
  if (score.reads_positions()) return geometry_matcher(labeled, references, threads);
  if (competes_coarsely(score)) return competing_matcher(labeled, references, score, threads);
  return exact_matcher(labeled, references, score);
}

void check_k(const PatchScore& score, std::size_t k) {
  const bool is_coarse = score.kind == PatchScore::Kind::cosine || competes_coarsely(score);
  require(!is_coarse || k <= kernels::most_coarse_k, ErrorKind::invalid_input, [&] {
    return fmt::format("k = {} is too large; k is at most {} with the score {}", k,
                       kernels::most_coarse_k, patch_score_text(score));
  });
}

void check_method(const PatchScore& score, bool rotated, Method method) {
  require(
      method != Method::full_caos || !rotated, ErrorKind::invalid_input,
      "full-caos is not available with rotated references (--rotation): it inserts every candidate as a "
      "reference, and a candidate is not embedded rotated; choose caos, or rotation none");
  require(method != Method::full_caos || !score.reads_positions(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "full-caos is not available with the score {}: it inserts every candidate as a reference, and a "
        "candidate has a patch but no exact position; choose caos, or the score cosine from the beginning",
        patch_score_text(score));
  });
}

}  // namespace caos
