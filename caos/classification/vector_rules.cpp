#include "caos/classification/vector_rules.hpp"

#include "caos/core/parallel_for.hpp"
#include "caos/kernels/dot.hpp"

namespace caos::classification {
namespace {

constexpr std::size_t inputs_at_once = 16;  // share a pass over the examples

/// Cosines of some unit vectors with all of `references`.
Matrix<double> cosines(MatrixView<const float> some, MatrixView<const float> references) {
  Matrix<double> result(some.rows(), references.rows());
  kernels::dot_rows(some.data(), some.rows(), references.data(), references.rows(), some.cols(),
                    result.view().data(), references.rows());
  return result;
}

}  // namespace

KernelOptions kernel_options(const VectorClassifierOptions& options) {
  return {.temperature = options.temperature,
          .prior_weight = options.prior_weight,
          .threads = options.threads};
}

VectorRule::Rule VectorRule::rule_of(const LabeledVectors& labeled,
                                     const VectorClassifierOptions& options) {
  if (options.method == Method::full_ratio) {
    ReferenceVectors vectors(labeled.vectors.view(), options.distance, labeled.name);
    RatioScores scores = RatioScores::of_vectors(vectors, labeled.labels, labeled.num_labels,
                                                 {.k = options.k, .threads = options.threads});
    return Ratio{std::move(vectors), std::move(scores)};
  }
  Matrix<float> vectors = directions(labeled.vectors.view(), labeled.name);
  Matrix<float> label_vectors =
      directions(labeled.label_vectors.view(), labeled.label_vectors_name);
  KernelVotes votes(vectors.view(), labeled.labels, labeled.num_labels, kernel_options(options),
                    std::as_const(label_vectors).view());
  return Kernel{std::move(vectors), std::move(label_vectors), std::move(votes)};
}

VectorRule::VectorRule(const LabeledVectors& labeled, const VectorClassifierOptions& options)
    : rule_(rule_of(labeled, options)) {}

bool VectorRule::needs_directions() const {
  const auto* ratio = std::get_if<Ratio>(&rule_);
  return ratio == nullptr || ratio->vectors.distance() == VectorDistance::cosine;
}

void VectorRule::for_each(
    MatrixView<const double> inputs, const std::string& name, std::size_t threads,
    const std::function<void(std::size_t t, const CandidateScores& scores)>& use) const {
  const auto by_votes = [&](const Kernel& rule, std::size_t first, std::size_t count) {
    // All rows were checked before; an error here could not name the right one.
    const Matrix<float> rows = directions(inputs.rows_from(first, count), name);
    const Matrix<double> to_examples = cosines(rows.view(), rule.vectors.view());
    const Matrix<double> to_labels = cosines(rows.view(), rule.label_vectors.view());
    for (std::size_t r = 0; r < count; ++r) {
      use(first + r, rule.votes.candidates(to_examples.row(r), to_labels.row(r)));
    }
  };
  const auto by_ratio = [&](const Ratio& rule, std::size_t first, std::size_t count) {
    const Matrix<double> rows = rule.vectors.distances_of(inputs.rows_from(first, count), name);
    for (std::size_t r = 0; r < count; ++r) use(first + r, rule.scores.candidates(rows.row(r)));
  };
  if (needs_directions()) static_cast<void>(directions(inputs, name));
  parallel_for(inputs.rows(), inputs_at_once, threads, [&](std::size_t first, std::size_t last) {
    if (const auto* kernel = std::get_if<Kernel>(&rule_)) {
      by_votes(*kernel, first, last - first);
    } else {
      by_ratio(std::get<Ratio>(rule_), first, last - first);
    }
  });
}

}  // namespace caos::classification
