#include "caos/classification/vector_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/kernels/dot.hpp"
#include "caos/scorers/distance.hpp"
#include "caos/scorers/unit_rows.hpp"

namespace caos::classification {
namespace {

constexpr std::size_t inputs_at_once = 16;  // share a pass over the examples

Matrix<double> copy_of(MatrixView<const double> rows) {
  Matrix<double> copy(rows.rows(), rows.cols());
  std::copy_n(rows.data(), rows.rows() * rows.cols(), copy.view().data());
  return copy;
}

/// Cosines of some unit vectors with all of `references`.
Matrix<double> cosines(MatrixView<const float> some, MatrixView<const float> references) {
  Matrix<double> result(some.rows(), references.rows());
  kernels::dot_rows(some.data(), some.rows(), references.data(), references.rows(), some.cols(),
                    result.view().data(), references.rows());
  return result;
}

}  // namespace

void check_vectors(MatrixView<const double> vectors, const std::string& name,
                   std::size_t dimension) {
  require(vectors.cols() == dimension, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has vectors of {} values; the labeled vectors have {}", name,
                       vectors.cols(), dimension);
  });
  for (std::size_t r = 0; r < vectors.rows(); ++r) {
    const auto row = vectors.row(r);
    const auto bad = std::ranges::find_if(row, [](double value) { return !std::isfinite(value); });
    require(bad == row.end(), ErrorKind::bad_format, [&] {
      return fmt::format("{}: row {}, column {} is {}, which is not finite; remove the row", name,
                         r, bad - row.begin(), *bad);
    });
  }
}

Matrix<float> directions(MatrixView<const double> vectors, const std::string& name) {
  Matrix<float> result(vectors.rows(), vectors.cols());
  for (std::size_t r = 0; r < vectors.rows(); ++r) {
    std::ranges::transform(vectors.row(r), result.row(r).begin(),
                           [](double value) { return static_cast<float>(value); });
    const auto row = result.row(r);
    require(std::ranges::all_of(row, [](float value) { return std::isfinite(value); }),
            ErrorKind::bad_format, [&] {
              return fmt::format("{}: row {} has a value beyond the range of float32", name, r);
            });
    require(std::ranges::any_of(row, [](float value) { return value != 0; }), ErrorKind::bad_format,
            [&] {
              return fmt::format(
                  "{}: row {} is all zeros, so that it has no cosine with others; remove it, or "
                  "use full-ratio",
                  name, r);
            });
  }
  return unit_rows(std::move(result), name);
}

KernelOptions kernel_options(const VectorClassifierOptions& options) {
  return {.temperature = options.temperature,
          .prior_weight = options.prior_weight,
          .threads = options.threads};
}

VectorRule::Rule VectorRule::rule_of(const LabeledVectors& labeled,
                                     const VectorClassifierOptions& options) {
  if (options.method == Method::full_ratio) {
    return Ratio{copy_of(labeled.vectors.view()),
                 RatioScores::of_points(labeled.vectors.view(), labeled.labels, labeled.num_labels,
                                        {.k = options.k, .threads = options.threads})};
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
    const Matrix<double> rows = distances(inputs.rows_from(first, count), rule.points.view(), 1);
    for (std::size_t r = 0; r < count; ++r) use(first + r, rule.scores.candidates(rows.row(r)));
  };
  if (std::holds_alternative<Kernel>(rule_)) static_cast<void>(directions(inputs, name));
  parallel_for(inputs.rows(), inputs_at_once, threads, [&](std::size_t first, std::size_t last) {
    if (const auto* kernel = std::get_if<Kernel>(&rule_)) {
      by_votes(*kernel, first, last - first);
    } else {
      by_ratio(std::get<Ratio>(rule_), first, last - first);
    }
  });
}

}  // namespace caos::classification
