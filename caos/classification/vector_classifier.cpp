#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "caos/calibration.hpp"
#include "caos/classification.hpp"
#include "caos/classification/standardize.hpp"
#include "caos/classification/vector_rules.hpp"
#include "caos/error.hpp"
#include "caos/rng.hpp"

namespace caos {
namespace {

using classification::CandidateCounts;
using classification::CandidateScores;
using classification::VectorRule;

void check_labeled_vectors(const LabeledVectors& labeled) {
  require(labeled.vectors.rows() > 0 && labeled.vectors.cols() > 0, ErrorKind::invalid_input,
          [&] { return fmt::format("{}: has no labeled vectors", labeled.name); });
  check_labels(labeled.labels, labeled.vectors.rows(), labeled.num_labels, "labels");
  classification::check_vectors(labeled.vectors.view(), labeled.name, labeled.vectors.cols());
  if (labeled.label_vectors.rows() == 0) return;
  classification::check_vectors(labeled.label_vectors.view(), labeled.label_vectors_name,
                                labeled.vectors.cols());
  require(labeled.label_vectors.rows() == labeled.num_labels, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} rows; expected {}, one per label", labeled.label_vectors_name,
                       labeled.label_vectors.rows(), labeled.num_labels);
  });
}

void check_vector_options(const VectorClassifierOptions& options, const LabeledVectors& labeled) {
  require(is_full_conformal_of_vectors(options.method), ErrorKind::invalid_input, [&] {
    return fmt::format("{} takes score arrays; choose full-kernel or full-ratio",
                       method_name(options.method));
  });
  classification::check(classification::kernel_options(options));
  require(options.method == Method::full_kernel || labeled.label_vectors.rows() == 0,
          ErrorKind::invalid_input, "full-ratio does not use label vectors; leave them out");
}

/// The labeled vectors as the rule takes them, standardized together with the inputs.
LabeledVectors standardized(const LabeledVectors& labeled,
                            const classification::Standardization& by) {
  return {.vectors = by.apply(labeled.vectors.view()),
          .labels = labeled.labels,
          .num_labels = labeled.num_labels,
          .label_vectors = labeled.label_vectors.rows() == 0
                               ? Matrix<double>()
                               : by.apply(labeled.label_vectors.view()),
          .name = labeled.name,
          .label_vectors_name = labeled.label_vectors_name};
}

/// Sets and p-values of one input, with the random numbers of its own stream.
VectorPrediction decide(const CandidateScores& scores, const CandidateCounts& counts,
                        std::size_t index, const VectorPredictOptions& options) {
  VectorPrediction result{.p_values = counts.p_values()};
  const auto best = std::ranges::min_element(scores.candidates);
  result.point = static_cast<Label>(best - scores.candidates.begin());
  if (!options.smoothing_seed) {
    for (const Miscoverage& alpha : options.alphas) {
      result.sets.push_back(counts.predict_set(alpha, options.rule));
    }
    return result;
  }
  Rng rng = Rng::stream(*options.smoothing_seed, index);
  result.sets.resize(options.alphas.size());
  for (Label y = 0; y < result.p_values.size(); ++y) {
    result.p_values[y] = smoothed_p_value(counts.exceedances[y], counts.peers[y], rng.uniform());
    for (std::size_t a = 0; a < options.alphas.size(); ++a) {
      if (result.p_values[y] > options.alphas[a].value()) result.sets[a].push_back(y);
    }
  }
  return result;
}

std::vector<std::size_t> group_sizes(const Grouping& grouping) {
  std::vector<std::size_t> sizes(grouping.num_groups());
  for (std::size_t i = 0; i < grouping.num_examples(); ++i) ++sizes[grouping.of_example(i)];
  return sizes;
}

}  // namespace

bool VectorClassifierOptions::are_default(bool with_label_vectors) const {
  if (method == Method::full_ratio) {
    const VectorClassifierOptions defaults;
    return k == defaults.k && distance == defaults.distance;
  }
  return classification::kernel_options(*this).are_default(with_label_vectors);
}

struct VectorClassifier::Parts {
  LabeledVectors labeled;
  VectorClassifierOptions options;
  Grouping grouping;
  std::optional<VectorRule> rule;  ///< nothing where it depends on the new vectors, too
};

VectorClassifier::VectorClassifier(LabeledVectors labeled, const VectorClassifierOptions& options)
    : VectorClassifier(std::move(labeled), Grouping::none(0), options) {}

VectorClassifier::VectorClassifier(LabeledVectors labeled, Grouping grouping,
                                   const VectorClassifierOptions& options) {
  check_labeled_vectors(labeled);
  check_vector_options(options, labeled);
  const std::size_t n = labeled.labels.size();
  if (grouping.kind() == Grouping::Kind::none) grouping = Grouping::none(n);
  require(grouping.num_examples() == n, ErrorKind::invalid_input, [&] {
    return fmt::format("groups were given for {} examples; there are {}", grouping.num_examples(),
                       n);
  });
  std::optional<VectorRule> rule;
  if (!options.standardize) rule.emplace(labeled, options);
  parts_ = std::make_shared<const Parts>(
      Parts{std::move(labeled), options, std::move(grouping), std::move(rule)});
}

std::size_t VectorClassifier::size() const { return parts_->labeled.labels.size(); }
std::size_t VectorClassifier::num_labels() const { return parts_->labeled.num_labels; }
const LabeledVectors& VectorClassifier::labeled() const { return parts_->labeled; }
const VectorClassifierOptions& VectorClassifier::options() const { return parts_->options; }
const Grouping& VectorClassifier::grouping() const { return parts_->grouping; }

double VectorClassifier::smallest_feasible_alpha() const {
  return caos::smallest_feasible_alpha(std::ranges::min(group_sizes(grouping())));
}

bool VectorClassifier::is_feasible(const Miscoverage& alpha) const {
  return std::ranges::all_of(group_sizes(grouping()),
                             [&](std::size_t n) { return caos::is_feasible(n, alpha); });
}

Guarantee VectorClassifier::guarantee(const Miscoverage& alpha, RankRule rule) const {
  const bool clipped =
      rule == RankRule::clip && std::ranges::any_of(group_sizes(grouping()), [&](std::size_t n) {
        return n > 0 && !caos::is_feasible(n, alpha);
      });
  return guarantee_of(options().method, grouping().kind(), clipped);
}

std::vector<VectorPrediction> VectorClassifier::predict(MatrixView<const double> inputs,
                                                        const VectorPredictOptions& options) const {
  classification::check_vectors(inputs, options.name, parts_->labeled.vectors.cols());
  const bool grouped = grouping().kind() == Grouping::Kind::by_input;
  require(options.groups.size() == (grouped ? inputs.rows() : 0), ErrorKind::invalid_input, [&] {
    return fmt::format("groups were given for {} of {} inputs, and the examples have {}",
                       options.groups.size(), inputs.rows(),
                       grouped ? "groups of inputs" : "none of inputs");
  });
  Matrix<double> standardized_inputs;
  std::optional<VectorRule> own_rule;
  if (parts_->options.standardize) {
    const std::array<MatrixView<const double>, 2> all = {parts_->labeled.vectors.view(), inputs};
    const classification::Standardization by(all);
    own_rule.emplace(standardized(parts_->labeled, by), parts_->options);
    standardized_inputs = by.apply(inputs);
    inputs = std::as_const(standardized_inputs).view();
  }
  std::vector<VectorPrediction> result(inputs.rows());
  std::mutex mutex;
  std::size_t done = 0;
  const auto use = [&](std::size_t t, const CandidateScores& scores) {
    const CandidateCounts counts = classification::count(scores, parts_->labeled.labels, grouping(),
                                                         grouped ? options.groups[t] : GroupId{0});
    result[t] = decide(scores, counts, options.first_input + t, options);
    if (!options.progress) return;
    const std::lock_guard lock(mutex);
    options.progress(++done, result.size());
  };
  (own_rule ? *own_rule : *parts_->rule)
      .for_each(inputs, options.name, options.threads.value_or(parts_->options.threads), use);
  return result;
}

}  // namespace caos
