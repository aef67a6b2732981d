#include "caos/scorers/log_likelihood.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "caos/error.hpp"
#include "caos/kernels/patch_scores.hpp"

namespace caos {
namespace {

constexpr std::array<std::pair<Normalization, std::string_view>, 5> names = {
    {{Normalization::average, "average"},
     {Normalization::sum, "sum"},
     {Normalization::per_byte, "per-byte"},
     {Normalization::pmi, "pmi"},
     {Normalization::softmax, "softmax"}}};

constexpr Score impossible = std::numeric_limits<Score>::infinity();

/// Minus the log of what the text multiplies the label's likelihood by. Against a label that is
/// impossible without the text nothing can be compared, so its likelihood stands for itself.
Score pointwise_information(const LabelLikelihood& with_text, const LabelLikelihood& without) {
  if (std::isinf(with_text.log_likelihood)) return impossible;
  const double base = std::isinf(without.log_likelihood) ? 0 : without.log_likelihood;
  return base - with_text.log_likelihood;
}

/// From minus the averages, in place.
void soften(std::span<Score> scores) {
  if (std::ranges::max(scores) == -impossible) {
    std::ranges::fill(scores, impossible);
    return;
  }
  kernels::softmax_scores(scores.data(), scores.size(), 1, 1, 1.0);
}

}  // namespace

std::string_view normalization_name(Normalization normalization) {
  return std::ranges::find(names, normalization, &decltype(names)::value_type::first)->second;
}

Normalization parse_normalization(const std::string& name) {
  const auto found = std::ranges::find(names, name, &decltype(names)::value_type::second);
  require(found != names.end(), ErrorKind::invalid_input, [&] {
    return fmt::format("'{}' is not a normalization; choose average, sum, per-byte, pmi or softmax",
                       name);
  });
  return found->first;
}

void nonconformity(Normalization normalization, std::span<const std::string> labels,
                   std::span<const LabelLikelihood> likelihoods,
                   std::span<const LabelLikelihood> no_text, std::span<Score> scores) {
  assert(likelihoods.size() == labels.size() && scores.size() == labels.size());
  for (std::size_t y = 0; y < scores.size(); ++y) {
    const LabelLikelihood& of = likelihoods[y];
    switch (normalization) {
      case Normalization::average:
        scores[y] = -of.log_likelihood / of.tokens;
        break;
      case Normalization::sum:
        scores[y] = -of.log_likelihood;
        break;
      case Normalization::per_byte:
        scores[y] = -of.log_likelihood / static_cast<double>(labels[y].size());
        break;
      case Normalization::pmi:
        scores[y] = pointwise_information(of, no_text[y]);
        break;
      case Normalization::softmax:
        scores[y] = of.log_likelihood / of.tokens;
        break;
    }
  }
  if (normalization == Normalization::softmax) soften(scores);
}

}  // namespace caos
