#include "caos/classification/vote_scores.hpp"

#include <cassert>

#include "caos/classification/reference_vectors.hpp"
#include "caos/classification/standardize.hpp"
#include "caos/classification/vector_rules.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/kernels/dot.hpp"
#include "caos/kernels/exp.hpp"
#include "caos/kernels/vote_weights.hpp"

namespace caos::classification {
namespace {

double minus_log_share(std::int64_t part, std::int64_t whole) {
  return -kernels::log_of_positive(static_cast<double>(part) / static_cast<double>(whole));
}

std::vector<std::int64_t> vote_weights_of(std::span<const double> cosines, double temperature) {
  std::vector<std::int64_t> weights(cosines.size());
  kernels::vote_weights(cosines.data(), weights.size(), temperature, weights.data());
  return weights;
}

std::vector<double> cosines_with(std::span<const float> x, MatrixView<const float> rows) {
  std::vector<double> result(rows.rows());
  kernels::dot_rows(x.data(), 1, rows.data(), rows.rows(), rows.cols(), result.data(), rows.rows());
  return result;
}

}  // namespace

void vote_scores(std::span<const double> cosines, const LabelPrior& prior,
                 std::span<const Label> labels, double temperature, MatrixView<Score> out) {
  assert(out.rows() == prior.units.size() && out.cols() == labels.size());
  const std::vector<std::int64_t> weights = vote_weights_of(cosines, temperature);
  for (Label y = 0; y < out.rows(); ++y) {
    for (std::size_t j = 0; j < labels.size(); ++j) {
      const std::int64_t own = prior.units[y] + (labels[j] == y ? weights[j] : 0);
      out(y, j) = minus_log_share(own, prior.total + weights[j]);
    }
  }
}

void reverse_vote_scores(std::span<const double> cosines, std::span<const LabelPrior> priors,
                         std::span<const Label> labels, double temperature, MatrixView<Score> out) {
  assert(priors.size() == labels.size() && out.cols() == labels.size());
  const std::vector<std::int64_t> weights = vote_weights_of(cosines, temperature);
  for (Label y = 0; y < out.rows(); ++y) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::int64_t own = priors[i].units[labels[i]] + (labels[i] == y ? weights[i] : 0);
      out(y, i) = minus_log_share(own, priors[i].total + weights[i]);
    }
  }
}

std::vector<LabelPrior> VoteReferences::priors(MatrixView<const float> inputs) const {
  std::vector<LabelPrior> result(inputs.rows());
  for (std::size_t t = 0; t < inputs.rows(); ++t) {
    result[t] = label_prior(cosines_with(inputs.row(t), label_vectors), num_labels, options);
  }
  return result;
}

Matrix<Score> VoteReferences::scores(MatrixView<const float> inputs) const {
  Matrix<Score> result(inputs.rows() * num_labels, labels.size());
  const std::vector<LabelPrior> of_inputs = priors(inputs);
  parallel_for(inputs.rows(), 4, options.threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      vote_scores(cosines_with(inputs.row(t), vectors), of_inputs[t], labels, options.temperature,
                  result.view().rows_from(t * num_labels, num_labels));
    }
  });
  return result;
}

Matrix<Score> VoteReferences::reverse_scores(MatrixView<const float> inputs) const {
  Matrix<Score> result(inputs.rows() * num_labels, labels.size());
  const std::vector<LabelPrior> of_examples = priors(vectors);
  parallel_for(inputs.rows(), 4, options.threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      reverse_vote_scores(cosines_with(inputs.row(t), vectors), of_examples, labels,
                          options.temperature, result.view().rows_from(t * num_labels, num_labels));
    }
  });
  return result;
}

VoteArrays::VoteArrays(const LabeledVectors& labeled, const VectorClassifierOptions& options)
    : num_labels_(labeled.num_labels) {
  Matrix<double> standardized;
  Matrix<double> standardized_names;
  MatrixView<const double> rows = labeled.vectors.view();
  MatrixView<const double> names = labeled.label_vectors.view();
  if (options.standardize) {
    const Standardization by(std::span(&rows, 1));
    standardized = by.apply(rows);
    standardized_names = by.apply(names);
    rows = std::as_const(standardized).view();
    names = std::as_const(standardized_names).view();
  }
  const Matrix<float> vectors = directions(rows, labeled.name);
  const Matrix<float> label_vectors = directions(names, labeled.label_vectors_name);
  const VoteReferences references{.vectors = vectors.view(),
                                  .labels = labeled.labels,
                                  .num_labels = labeled.num_labels,
                                  .label_vectors = label_vectors.view(),
                                  .options = kernel_options(options)};
  scores_ = references.scores(vectors.view());
  reverse_ = references.reverse_scores(vectors.view());
}

double VoteArrays::bytes(const LabeledVectors& labeled) {
  const auto n = static_cast<double>(labeled.labels.size());
  return 2 * n * n * static_cast<double>(labeled.num_labels) * sizeof(Score);
}

ScoreTensor VoteArrays::scores() const { return {scores_.view(), num_labels_, "votes"}; }

ScoreTensor VoteArrays::reverse() const { return {reverse_.view(), num_labels_, "reverse votes"}; }

}  // namespace caos::classification
