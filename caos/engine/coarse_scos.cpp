#include "caos/engine/coarse_scos.hpp"

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
    if (open != 0) settle(group, scratch, r, words);
  }
}

void CoarseScos::settle(const CoarseGroup& group, CoarseScratch& scratch, std::size_t r,
                        std::span<std::uint32_t> words) const {
  for (std::size_t a = 0; a < num_alphas_; ++a) {
    const std::size_t cell = r * num_alphas_ + a;
    std::uint32_t open = scratch.verdicts[cell].open & group.present;
    for (; open != 0; open &= open - 1) {
      const int q = std::countr_zero(open);
      Score score = 0;
      scratch.exact.scores(group.rows[static_cast<std::size_t>(q)], {&columns_[r], 1}, &score);
      if (score <= thresholds_[cell]) words[cell] |= std::uint32_t{1} << q;
    }
  }
}

}  // namespace caos
