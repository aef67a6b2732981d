#include "caos/landmarks/matching/coarse_scos.hpp"

#include <bit>

namespace caos {

CoarseScos::CoarseScos(const ScosRule& rule, Score unit)
    : num_alphas_(rule.thresholds.size()), columns_(rule.columns) {
  for (std::size_t r = 0; r < columns_.size(); ++r) {
    for (const auto& of_alpha : rule.thresholds) {
      thresholds_.push_back(of_alpha[r]);
      limits_.push_back(coarse_limit(1, of_alpha[r], unit));
    }
  }
}

void CoarseScos::decide(const CoarseGroup& group, CoarseScratch& scratch,
                        std::span<std::uint32_t> words) const {
  scratch.verdicts.resize(limits_.size());
  kernels::decide_references(group.similarities, columns_, group.errors, limits_.data(),
                             num_alphas_, scratch.verdicts.data());
  scratch.open.clear();
  for (std::size_t r = 0; r < columns_.size(); ++r) {
    std::uint32_t open = 0;
    for (std::size_t a = 0; a < num_alphas_; ++a) {
      const kernels::CoarseVerdict& verdict = scratch.verdicts[r * num_alphas_ + a];
      words[r * num_alphas_ + a] = verdict.reached & group.present;
      open |= verdict.open & group.present;
    }
    for (; open != 0; open &= open - 1) {
      scratch.open.push_back(
          {static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(std::countr_zero(open))});
    }
  }
  settle(group, scratch, words);
}

void CoarseScos::settle(const CoarseGroup& group, CoarseScratch& scratch,
                        std::span<std::uint32_t> words) const {
  scratch.open_rows.clear();
  scratch.open_columns.clear();
  for (const CoarseScratch::Open& pair : scratch.open) {
    scratch.open_rows.push_back(group.rows[pair.query]);
    scratch.open_columns.push_back(columns_[pair.reference]);
  }
  const auto scores = scratch.exact.scores(scratch.open_rows, scratch.open_columns);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::uint32_t bit = std::uint32_t{1} << scratch.open[i].query;
    for (std::size_t a = 0; a < num_alphas_; ++a) {
      const std::size_t cell = scratch.open[i].reference * num_alphas_ + a;
      words[cell] = scores[i] <= thresholds_[cell] ? words[cell] | bit : words[cell] & ~bit;
    }
  }
}

}  // namespace caos
