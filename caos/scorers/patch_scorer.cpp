#include "caos/scorers/patch_scorer.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "caos/kernels/dot.hpp"
#include "caos/kernels/patch_scores.hpp"

namespace caos {
namespace {

/// References whose similarities with an image's patches stay in the cache until they are scores.
constexpr std::size_t block_size = 64;

Matrix<float> gather_rows(MatrixView<const float> image, std::span<const Label> patches) {
  Matrix<float> rows(patches.size(), image.cols());
  for (std::size_t i = 0; i < patches.size(); ++i) {
    std::ranges::copy(image.row(patches[i]), rows.row(i).begin());
  }
  return rows;
}

void take_smaller(const Matrix<Score>& other, Matrix<Score>& scores) {
  for (std::size_t y = 0; y < scores.rows(); ++y) {
    const std::span<Score> row = scores.row(y);
    const std::span<const Score> of_other = other.row(y);
    for (std::size_t r = 0; r < row.size(); ++r) row[r] = std::min(row[r], of_other[r]);
  }
}

}  // namespace

PatchScorer::PatchScorer(Matrix<float> references, PatchScore score,
                         std::vector<Matrix<float>> rotated)
    : references_(std::move(references)), score_(score) {
  for (Matrix<float>& at_angle : rotated) rotated_.emplace_back(std::move(at_angle), score);
}

Matrix<Score> PatchScorer::scores(MatrixView<const float> image) const {
  Matrix<Score> result = upright_scores(image);
  for (const PatchScorer& other : rotated_) take_smaller(other.upright_scores(image), result);
  return result;
}

Matrix<Score> PatchScorer::scores(MatrixView<const float> image,
                                  std::span<const Label> patches) const {
  Matrix<Score> result = upright_scores(image, patches);
  for (const PatchScorer& other : rotated_) {
    take_smaller(other.upright_scores(image, patches), result);
  }
  return result;
}

std::size_t PatchScorer::rotation(MatrixView<const float> image, Label patch,
                                  std::size_t reference) const {
  const auto score_of = [&](const PatchScorer& scorer) {
    Matrix<float> row(0, dimension());
    row.push_row(scorer.references_.row(reference));
    return PatchScorer(std::move(row), score_).scores(image, {&patch, 1})(0, 0);
  };
  std::size_t best = 0;
  Score smallest = score_of(*this);
  for (std::size_t r = 0; r < rotated_.size(); ++r) {
    const Score score = score_of(rotated_[r]);
    if (score >= smallest) continue;
    smallest = score;
    best = r + 1;
  }
  return best;
}

Matrix<Score> PatchScorer::upright_scores(MatrixView<const float> image) const {
  Matrix<Score> result(image.rows(), size());
  if (image.rows() == 0) return result;
  for (std::size_t first = 0; first < size(); first += block_size) {
    score_block(image, first, std::min(block_size, size() - first), &result(0, first), size());
  }
  return result;
}

Matrix<Score> PatchScorer::upright_scores(MatrixView<const float> image,
                                          std::span<const Label> patches) const {
  // Alone among the scores, the cosine of a patch does not depend on the image's other patches.
  if (score_.kind == PatchScore::Kind::cosine) {
    const Matrix<float> rows = gather_rows(image, patches);
    return upright_scores(rows.view());
  }
  Matrix<Score> result(patches.size(), size());
  Matrix<Score> block(image.rows(), block_size);
  for (std::size_t first = 0; first < size(); first += block_size) {
    const std::size_t count = std::min(block_size, size() - first);
    score_block(image, first, count, &block(0, 0), block_size);
    for (std::size_t i = 0; i < patches.size(); ++i) {
      std::ranges::copy(block.row(patches[i]).first(count), &result(i, first));
    }
  }
  return result;
}

void PatchScorer::score_block(MatrixView<const float> image, std::size_t first, std::size_t count,
                              Score* out, std::size_t stride) const {
  assert(image.cols() == dimension());
  kernels::dot_rows(&image(0, 0), image.rows(), &references_(first, 0), count, dimension(), out,
                    stride);
  switch (score_.kind) {
    case PatchScore::Kind::cosine:
      return kernels::cosine_scores(out, image.rows(), count, stride);
    case PatchScore::Kind::margin:
      return kernels::margin_scores(out, image.rows(), count, stride, score_.parameter);
    case PatchScore::Kind::geometry:
      break;  // reads positions, which are not here
    case PatchScore::Kind::softmax:
      return kernels::softmax_scores(out, image.rows(), count, stride, 1 / score_.parameter);
  }
}

}  // namespace caos
