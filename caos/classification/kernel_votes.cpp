#include "caos/classification/kernel_votes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "caos/calibration.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/kernels/dot.hpp"
#include "caos/kernels/exp.hpp"
#include "caos/kernels/vote_weights.hpp"

namespace caos::classification {
namespace {

constexpr double prior_with_label_vectors = 0.1;
constexpr double prior_without = 0.001;
constexpr std::size_t most_examples = 4'000'000;  // 2^22 weights of at most 2^40 fit 63 bits
constexpr std::size_t rows_at_once = 16;          // share a pass over the examples

double share(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::vector<std::int64_t> weights_of(std::span<const double> similarities, double temperature) {
  std::vector<std::int64_t> weights(similarities.size());
  kernels::vote_weights(similarities.data(), weights.size(), temperature, weights.data());
  return weights;
}

/// Softmax; the sum goes from the smallest term to the largest, whatever the order of labels.
std::vector<double> softmax(std::span<const double> similarities, double temperature) {
  const double largest = std::ranges::max(similarities);
  std::vector<double> terms(similarities.size());
  std::ranges::transform(similarities, terms.begin(), [&](double similarity) {
    return kernels::exp_of_negative((similarity - largest) / temperature);
  });
  std::vector<double> ascending = terms;
  std::ranges::sort(ascending);
  const double sum = std::accumulate(ascending.begin(), ascending.end(), 0.0);
  for (double& term : terms) term /= sum;
  return terms;
}

std::int64_t prior_units(double prior) {
  return std::max<std::int64_t>(1, std::llrint(prior * static_cast<double>(kernels::vote_unit)));
}

void check_examples(std::size_t rows, std::span<const Label> labels, std::size_t num_labels) {
  require(!labels.empty(), ErrorKind::invalid_input, "full-kernel needs a labeled example");
  require(labels.size() <= most_examples, ErrorKind::invalid_input, [&] {
    return fmt::format("full-kernel takes at most {} labeled examples, not {}", most_examples,
                       labels.size());
  });
  check_labels(labels, rows, num_labels, "labels");
}

void check_label_rows(std::size_t rows, std::size_t cols, std::size_t expected_rows,
                      std::size_t expected_cols) {
  require(rows == 0 || (rows == expected_rows && cols == expected_cols), ErrorKind::invalid_input,
          [&] {
            return fmt::format("the label vectors give an array [{}, {}]; expected [{}, {}]", rows,
                               cols, expected_rows, expected_cols);
          });
}

}  // namespace

double KernelOptions::prior_weight_of(bool with_label_vectors) const {
  return prior_weight.value_or(with_label_vectors ? prior_with_label_vectors : prior_without);
}

bool KernelOptions::are_default(bool with_label_vectors) const {
  return temperature == KernelOptions{}.temperature &&
         prior_weight_of(with_label_vectors) == KernelOptions{}.prior_weight_of(with_label_vectors);
}

void check(const KernelOptions& options) {
  require(options.temperature >= 1e-6 && options.temperature <= 1e6, ErrorKind::invalid_input, [&] {
    return fmt::format("temperature {} is not usable; give a number from 1e-6 to 1e6",
                       options.temperature);
  });
  const double prior = options.prior_weight.value_or(1);
  require(prior >= 1e-9 && prior <= 1000, ErrorKind::invalid_input, [&] {
    return fmt::format("prior weight {} is not usable; give a number from 1e-9 to 1000", prior);
  });
}

LabelPrior label_prior(std::span<const double> similarities, std::size_t num_labels,
                       const KernelOptions& options) {
  LabelPrior prior{.units = std::vector<std::int64_t>(num_labels)};
  const double weight = options.prior_weight_of(!similarities.empty());
  if (similarities.empty()) {
    std::ranges::fill(prior.units, prior_units(weight / static_cast<double>(num_labels)));
  } else {
    std::ranges::transform(softmax(similarities, options.temperature), prior.units.begin(),
                           [&](double p0) { return prior_units(weight * p0); });
  }
  prior.total = std::accumulate(prior.units.begin(), prior.units.end(), std::int64_t{0});
  return prior;
}

KernelVotes::KernelVotes(std::span<const Label> labels, std::size_t num_labels,
                         const KernelOptions& options, bool has_label_vectors)
    : labels_(labels.begin(), labels.end()),
      num_labels_(num_labels),
      options_(options),
      has_label_vectors_(has_label_vectors),
      for_own_(labels.size()),
      for_all_(labels.size()) {
  check(options);
}

KernelVotes::KernelVotes(MatrixView<const float> vectors, std::span<const Label> labels,
                         std::size_t num_labels, const KernelOptions& options,
                         MatrixView<const float> label_vectors)
    : KernelVotes(labels, num_labels, options, label_vectors.rows() > 0) {
  check_examples(vectors.rows(), labels, num_labels);
  check_label_rows(label_vectors.rows(), label_vectors.cols(), num_labels, vectors.cols());
  const auto fill = [&](std::size_t first, std::size_t last) {
    const std::size_t rows = last - first;
    Matrix<double> similarities(rows, size());
    Matrix<double> to_labels(rows, label_vectors.rows());
    const float* queries = vectors.row(first).data();
    kernels::dot_rows(queries, rows, vectors.data(), size(), vectors.cols(),
                      similarities.view().data(), size());
    kernels::dot_rows(queries, rows, label_vectors.data(), label_vectors.rows(), vectors.cols(),
                      to_labels.view().data(), label_vectors.rows());
    for (std::size_t i = first; i < last; ++i) {
      set_example(i, similarities.row(i - first), to_labels.row(i - first));
    }
  };
  parallel_for(size(), rows_at_once, options.threads, fill);
}

KernelVotes KernelVotes::of_similarities(MatrixView<const double> similarities,
                                         std::span<const Label> labels, std::size_t num_labels,
                                         const KernelOptions& options,
                                         MatrixView<const double> label_similarities) {
  KernelVotes votes(labels, num_labels, options, label_similarities.rows() > 0);
  check_examples(similarities.rows(), labels, num_labels);
  require(similarities.cols() == labels.size(), ErrorKind::invalid_input,
          "similarities of labeled examples must be a square");
  check_label_rows(label_similarities.rows(), label_similarities.cols(), labels.size(), num_labels);
  for (std::size_t i = 0; i < votes.size(); ++i) {
    votes.set_example(
        i, similarities.row(i),
        votes.has_label_vectors_ ? label_similarities.row(i) : std::span<const double>());
  }
  return votes;
}

void KernelVotes::set_example(std::size_t i, std::span<const double> similarities,
                              std::span<const double> label_similarities) {
  const std::vector<std::int64_t> weights = weights_of(similarities, options_.temperature);
  const LabelPrior prior = label_prior(label_similarities, num_labels_, options_);
  for_own_[i] = prior.units[labels_[i]];
  for_all_[i] = prior.total;
  for (std::size_t j = 0; j < size(); ++j) {
    if (j == i) continue;
    for_all_[i] += weights[j];
    for_own_[i] += labels_[j] == labels_[i] ? weights[j] : 0;
  }
}

CandidateScores KernelVotes::candidates(std::span<const double> similarities,
                                        std::span<const double> label_similarities) const {
  assert(similarities.size() == size());
  assert(label_similarities.size() == (has_label_vectors_ ? num_labels_ : 0));
  const std::vector<std::int64_t> weights = weights_of(similarities, options_.temperature);
  LabelPrior prior = label_prior(label_similarities, num_labels_, options_);
  CandidateScores scores{.candidates = std::vector<Score>(num_labels_),
                         .with_same = std::vector<Score>(size()),
                         .with_other = std::vector<Score>(size())};
  for (std::size_t i = 0; i < size(); ++i) {
    const std::int64_t all = for_all_[i] + weights[i];
    scores.with_same[i] = -share(for_own_[i] + weights[i], all);
    scores.with_other[i] = -share(for_own_[i], all);
    prior.units[labels_[i]] += weights[i];
    prior.total += weights[i];
  }
  std::ranges::transform(prior.units, scores.candidates.begin(),
                         [&](std::int64_t votes) { return -share(votes, prior.total); });
  return scores;
}

std::vector<double> KernelVotes::probabilities(std::span<const double> similarities,
                                               std::span<const double> label_similarities) const {
  std::vector<double> result = candidates(similarities, label_similarities).candidates;
  for (double& value : result) value = -value;
  return result;
}

}  // namespace caos::classification
