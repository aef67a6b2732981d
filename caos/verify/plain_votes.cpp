#include "caos/verify/plain_votes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "caos/classification/reference_vectors.hpp"
#include "caos/kernels/exp.hpp"

namespace caos::plain {
namespace {

using Rows = std::vector<std::vector<double>>;

/// The sum of terms in the one order that distances and similarities have.
template <typename Term>
double sum_of_terms(std::size_t count, Term term) {
  std::array<double, 8> s{};
  for (std::size_t d = 0; d < count; ++d) s[d % 8] += term(d);
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

double compared(std::span<const double> a, std::span<const double> b, bool cosines,
                VectorDistance distance) {
  if (cosines) return sum_of_terms(a.size(), [&](std::size_t d) { return a[d] * b[d]; });
  if (distance == VectorDistance::cosine) {
    return std::max(0.0, 1 - compared(a, b, true, distance));
  }
  if (distance == VectorDistance::manhattan) {
    return sum_of_terms(a.size(), [&](std::size_t d) { return std::abs(a[d] - b[d]); });
  }
  return std::sqrt(
      sum_of_terms(a.size(), [&](std::size_t d) { return (a[d] - b[d]) * (a[d] - b[d]); }));
}

/// The rows as they are compared: as they are, or of length 1 in float.
Rows comparable(MatrixView<const double> rows, bool by_angle) {
  Rows result;
  Matrix<float> units;
  if (by_angle) units = classification::directions(rows, "vectors");
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    result.emplace_back(rows.row(r).begin(), rows.row(r).end());
    if (by_angle) result[r].assign(units.row(r).begin(), units.row(r).end());
  }
  return result;
}

std::int64_t weight_of(double cosine, double temperature) {
  const double below = (std::min(cosine, 1.0) - 1.0) / temperature;
  return std::llrint(std::ldexp(kernels::exp_of_negative(below), 40));
}

std::int64_t units_of_prior(double prior) {
  return std::max<std::int64_t>(1, std::llrint(std::ldexp(prior, 40)));
}

/// b p0 of every label in units of 2^-40; `cosines` with the labels' vectors may be empty.
std::vector<std::int64_t> prior_of(std::span<const double> cosines, std::size_t num_labels,
                                   double temperature, double b) {
  std::vector<std::int64_t> units;
  if (cosines.empty()) {
    units.assign(num_labels, units_of_prior(b / static_cast<double>(num_labels)));
    return units;
  }
  std::vector<double> terms;
  for (const double c : cosines) {
    terms.push_back(kernels::exp_of_negative((c - std::ranges::max(cosines)) / temperature));
  }
  std::vector<double> ascending = terms;
  std::ranges::sort(ascending);
  double sum = 0;
  for (const double term : ascending) sum += term;
  for (const double term : terms) units.push_back(units_of_prior(b * (term / sum)));
  return units;
}

/// The sum of the k smallest, the last of fewer repeated; +inf without any.
double sum_of_smallest(std::vector<double> values, std::size_t k) {
  if (values.empty()) return std::numeric_limits<double>::infinity();
  std::ranges::sort(values);
  while (values.size() < k) values.push_back(values.back());
  double sum = 0;
  for (std::size_t r = 0; r < k; ++r) sum += values[r];
  return sum;
}

}  // namespace

VectorDefinition::VectorDefinition(const LabeledVectors& labeled, std::span<const double> input,
                                   const VectorClassifierOptions& how)
    : labeled_(labeled), how_(how) {
  const bool votes = how.method == Method::full_kernel;
  const bool by_angle = votes || how.distance == VectorDistance::cosine;
  Rows rows = comparable(labeled.vectors.view(), by_angle);
  rows.push_back(comparable({input.data(), 1, input.size()}, by_angle)[0]);
  pairs_ = Matrix<double>(rows.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) {
      pairs_(i, j) = compared(rows[i], rows[j], votes, how.distance);
    }
  }
  if (!votes || labeled.label_vectors.rows() == 0) return;
  const Rows names = comparable(labeled.label_vectors.view(), true);
  to_labels_ = Matrix<double>(rows.size(), names.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t y = 0; y < names.size(); ++y) {
      to_labels_(i, y) = compared(rows[i], names[y], true, how.distance);
    }
  }
}

double VectorDefinition::p_value(Label y, bool by_label) const {
  std::vector<Label> labels = labeled_.labels;
  const std::size_t n = labels.size();
  labels.push_back(y);
  const Score candidate = score(labels, n);
  std::size_t at_least = 1;
  std::size_t all = 1;
  for (std::size_t i = 0; i < n; ++i) {
    if (by_label && labels[i] != y) continue;
    ++all;
    if (score(labels, i) >= candidate) ++at_least;
  }
  return static_cast<double>(at_least) / static_cast<double>(all);
}

Score VectorDefinition::score(const std::vector<Label>& labels, std::size_t i) const {
  return how_.method == Method::full_kernel ? kernel_score(labels, i) : ratio_score(labels, i);
}

Score VectorDefinition::kernel_score(const std::vector<Label>& labels, std::size_t i) const {
  const bool named = to_labels_.rows() > 0;
  const std::vector<std::int64_t> prior =
      prior_of(named ? to_labels_.row(i) : std::span<const double>(), labeled_.num_labels,
               how_.temperature, how_.prior_weight.value_or(named ? 0.1 : 0.001));
  std::int64_t own = prior[labels[i]];
  std::int64_t whole = 0;
  for (const std::int64_t units : prior) whole += units;
  for (std::size_t j = 0; j < labels.size(); ++j) {
    if (j == i) continue;
    const std::int64_t weight = weight_of(pairs_(i, j), how_.temperature);
    whole += weight;
    if (labels[j] == labels[i]) own += weight;
  }
  return -(static_cast<double>(own) / static_cast<double>(whole));
}

Score VectorDefinition::ratio_score(const std::vector<Label>& labels, std::size_t i) const {
  std::vector<double> same;
  std::vector<double> other;
  for (std::size_t j = 0; j < labels.size(); ++j) {
    if (j != i) (labels[j] == labels[i] ? same : other).push_back(pairs_(i, j));
  }
  const double numerator = sum_of_smallest(same, how_.k);
  const double denominator = sum_of_smallest(other, how_.k);
  if (denominator == 0) return numerator == 0 ? 1 : std::numeric_limits<double>::infinity();
  return numerator / denominator;
}

}  // namespace caos::plain
