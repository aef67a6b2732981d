#include "caos/landmarks/matching/image_batch.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace caos {

using kernels::coarse_group;

namespace {

/// The share of places in groups that so many queries leave empty.
double wasted(std::size_t queries) {
  const std::size_t places = num_coarse_groups(queries) * coarse_group;
  return static_cast<double>(places - queries) /
         static_cast<double>(std::max(places, std::size_t{1}));
}

/// Queries that are filtered at once, at least: few, so that they stay in the cache and the memory
/// of their images is used again.
constexpr std::size_t fewest_filtered = 4 * coarse_group;

/// Moves all rows but the first `count` to `rest`.
void move_rest(CoarseRows& rows, std::size_t count, CoarseRows& rest) {
  std::vector<std::uint32_t> which(rows.size() - count);
  std::iota(which.begin(), which.end(), static_cast<std::uint32_t>(count));
  rest.clear();
  rest.append(rows, which);
  rows.truncate(count);
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

ImageBatch::ImageBatch(std::size_t first, std::size_t last, std::size_t dimension,
                       const std::function<Matrix<float>(std::size_t)>& image,
                       const Candidates& candidates)
    : kept_(0, dimension), starts_{0}, coarse_(dimension) {
  CoarseRows coarse(dimension);
  CoarseRows rest(dimension);
  for (std::size_t i = first; i < last; ++i) {
    images_.push_back(image(i));
    coarse.append(std::as_const(images_.back()).view());
    starts_.push_back(starts_.back() + images_.back().rows());
    // Whole groups; what is left waits for the next image.
    const bool more = i + 1 < last;
    const std::size_t ready = more ? coarse.size() / coarse_group * coarse_group : coarse.size();
    if (more && ready < fewest_filtered) continue;
    move_rest(coarse, ready, rest);
    keep_candidates(coarse, candidates(coarse));
    std::swap(coarse, rest);
  }
  for (std::size_t r = 0; r < kept_.rows(); ++r) {
    rows_.push_back(std::as_const(kept_).row(r).data());
  }
}

/// Of the next queries that were asked about. Images that have no others are dropped.
void ImageBatch::keep_candidates(const CoarseRows& queries, std::span<const std::uint32_t> which) {
  coarse_.append(queries, which);
  for (const std::uint32_t q : which) {
    const std::size_t number = num_filtered_ + q;
    drop_images(number);
    kept_.push_row(images_[num_dropped_].row(number - starts_[num_dropped_]));
    candidates_.push_back(static_cast<std::uint32_t>(number));
  }
  num_filtered_ += queries.size();
  drop_images(num_filtered_);
}

/// Those that end before query `number`.
void ImageBatch::drop_images(std::size_t number) {
  while (num_dropped_ < images_.size() && starts_[num_dropped_ + 1] <= number) {
    images_[num_dropped_++] = {};
  }
}

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

std::size_t images_at_once(std::size_t num_patches) {
  constexpr std::size_t most = 4;
  std::size_t best = 1;
  for (std::size_t images = 2; images <= most; ++images) {
    if (wasted(images * num_patches) < wasted(best * num_patches) - 0.01) best = images;
  }
  return best;
}

std::size_t filtered_images_at_once(std::size_t num_patches) {
  constexpr std::size_t queries = 4096;
  return std::max(images_at_once(num_patches), queries / std::max(num_patches, std::size_t{1}));
}

}  // namespace caos
