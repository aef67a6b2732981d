#include "caos/engine/coarse_scos.hpp"

#include <array>
#include <bit>

namespace caos {

CoarseScos::CoarseScos(const PatchTask& task, const Indices& references,
                       const std::vector<std::vector<Score>>& thresholds)
    : num_alphas_(thresholds.size()) {
  for (std::size_t r = 0; r < references.size(); ++r) {
    columns_.push_back(task.columns[references[r]]);
    for (const auto& of_alpha : thresholds) {
      thresholds_.push_back(of_alpha[r]);
      limits_.push_back(coarse_limit(1, of_alpha[r]));
    }
  }
}

void CoarseScos::decide(const CoarseGroup& group, CoarseScratch& scratch,
                        std::span<std::uint32_t> words) const {
  scratch.verdicts.resize(limits_.size());
  kernels::decide_references(group.similarities, columns_, group.errors, limits_.data(),
                             num_alphas_, scratch.verdicts.data());
  for (std::size_t r = 0; r < columns_.size(); ++r) {
    std::uint32_t open = 0;
    for (std::size_t a = 0; a < num_alphas_; ++a) {
      const kernels::CoarseVerdict& verdict = scratch.verdicts[r * num_alphas_ + a];
      words[r * num_alphas_ + a] = verdict.reached & group.present;
      open |= verdict.open & group.present;
    }
    if (open != 0) settle(group, scratch, r, open, words);
  }
}

void CoarseScos::settle(const CoarseGroup& group, CoarseScratch& scratch, std::size_t r,
                        std::uint32_t open, std::span<std::uint32_t> words) const {
  std::array<std::uint32_t, kernels::coarse_group> queries{};
  std::array<const float*, kernels::coarse_group> rows{};
  std::array<Score, kernels::coarse_group> scores{};
  std::size_t count = 0;
  for (; open != 0; open &= open - 1) {
    queries[count] = static_cast<std::uint32_t>(std::countr_zero(open));
    rows[count] = group.rows[queries[count]];
    ++count;
  }
  scratch.exact.scores_under(columns_[r], std::span(rows).first(count), scores.data());
  for (std::size_t a = 0; a < num_alphas_; ++a) {
    const std::size_t cell = r * num_alphas_ + a;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t bit = std::uint32_t{1} << queries[i];
      words[cell] = scores[i] <= thresholds_[cell] ? words[cell] | bit : words[cell] & ~bit;
    }
  }
}

}  // namespace caos
