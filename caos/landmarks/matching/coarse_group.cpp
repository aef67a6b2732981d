#include "caos/landmarks/matching/coarse_group.hpp"

#include <algorithm>

namespace caos {

using kernels::coarse_group;

void compare_in_groups(const CoarseRows& queries, std::span<const float* const> rows,
                       const CoarseReferences& references, CoarseSimilarities& similarities,
                       const std::function<void(std::size_t, const CoarseGroup&)>& visit) {
  const std::size_t batch = CoarseSimilarities::batch_size(references);
  for (std::size_t start = 0; start < queries.size(); start += batch) {
    similarities.compare(queries, start, std::min(batch, queries.size() - start), references);
    for (std::size_t g = 0; g < similarities.num_groups(); ++g) {
      const std::size_t first = start + g * coarse_group;
      CoarseGroup group{.similarities = similarities.group(g),
                        .errors = similarities.errors(g),
                        .present = similarities.present(g)};
      if (!rows.empty()) {
        group.rows = rows.subspan(first, std::min(coarse_group, rows.size() - first));
      }
      visit(first / coarse_group, group);
    }
  }
}

}  // namespace caos
