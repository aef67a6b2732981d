#include "caos/engine/image_batch.hpp"

#include <algorithm>

namespace caos {

using kernels::coarse_group;

namespace {

void compare_rows(const CoarseRows& coarse, std::span<const float* const> rows,
                  const CoarseReferences& references, const ImageBatch::Visit& visit) {
  CoarseSimilarities similarities;
  const std::size_t batch = CoarseSimilarities::batch_size(references);
  for (std::size_t first = 0; first < rows.size(); first += batch) {
    similarities.compare(coarse, first, std::min(batch, rows.size() - first), references);
    for (std::size_t g = 0; g < similarities.num_groups(); ++g) {
      const std::size_t begin = first + g * coarse_group;
      visit(begin / coarse_group,
            {.similarities = similarities.group(g),
             .errors = similarities.errors(g),
             .present = similarities.present(g),
             .rows = rows.subspan(begin, std::min(coarse_group, rows.size() - begin))});
    }
  }
}

}  // namespace

ImageBatch::ImageBatch(std::size_t first, std::size_t last, std::size_t dimension,
                       const std::function<Matrix<float>(std::size_t)>& image)
    : starts_{0}, coarse_(dimension) {
  for (std::size_t i = first; i < last; ++i) {
    images_.push_back(image(i));
    const MatrixView<const float> patches = images_.back().view();
    coarse_.append(patches);
    for (std::size_t y = 0; y < patches.rows(); ++y) rows_.push_back(patches.row(y).data());
    starts_.push_back(rows_.size());
  }
}

std::size_t ImageBatch::num_groups() const { return num_coarse_groups(num_queries()); }

std::vector<ImageBatch::Segment> ImageBatch::segments(std::size_t group) const {
  const std::size_t begin = group * coarse_group;
  const std::size_t end = std::min(begin + coarse_group, num_queries());
  std::vector<Segment> result;
  for (std::size_t i = 0; i < num_images(); ++i) {
    const std::size_t from = std::max(begin, starts_[i]);
    const std::size_t to = std::min(end, starts_[i + 1]);
    if (from >= to) continue;
    const std::uint64_t bits = (std::uint64_t{1} << (to - from)) - 1;
    result.push_back({i, static_cast<std::uint32_t>(bits << (from - begin))});
  }
  return result;
}

void ImageBatch::compare(const CoarseReferences& references, const Visit& visit) const {
  compare_rows(coarse_, rows_, references, visit);
}

void ImageBatch::compare(const CoarseReferences& references, std::span<const std::uint32_t> which,
                         const Visit& visit) const {
  CoarseRows coarse(coarse_.dimension());
  coarse.append(coarse_, which);
  std::vector<const float*> rows;
  for (const std::uint32_t q : which) rows.push_back(rows_[q]);
  compare_rows(coarse, rows, references, visit);
}

std::size_t num_coarse_groups(std::size_t num_queries) {
  return (num_queries + coarse_group - 1) / coarse_group;
}

std::size_t images_at_once(std::size_t num_patches) {
  constexpr std::size_t most = 4;
  std::size_t best = 1;
  const auto wasted = [&](std::size_t images) {
    const std::size_t queries = images * num_patches;
    const std::size_t places = (queries + coarse_group - 1) / coarse_group * coarse_group;
    return static_cast<double>(places - queries) /
           static_cast<double>(std::max(places, std::size_t{1}));
  };
  for (std::size_t images = 2; images <= most; ++images) {
    if (wasted(images) < wasted(best) - 0.01) best = images;
  }
  return best;
}

std::size_t filtered_images_at_once(std::size_t num_patches) {
  constexpr std::size_t queries = 4096;
  return std::max(images_at_once(num_patches), queries / std::max(num_patches, std::size_t{1}));
}

}  // namespace caos
