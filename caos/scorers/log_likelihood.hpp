#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "caos/scores.hpp"

namespace caos {

/// How likely a label is as the continuation of a prompt.
struct LabelLikelihood {
  double log_likelihood = 0;  ///< natural logarithm, summed over the label's tokens; at most 0
  std::uint32_t tokens = 1;   ///< how many of them were scored

  friend bool operator==(const LabelLikelihood&, const LabelLikelihood&) = default;
};

/// How the likelihood of a label becomes its nonconformity score. Each is a fixed function of the
/// reference, the text and the label.
enum class Normalization {
  average,   ///< negative log-likelihood per token: the paper's (eqn. llm)
  sum,       ///< negative log-likelihood
  per_byte,  ///< negative log-likelihood per byte of the label
  pmi,       ///< negative log of how much the text raises the label's likelihood, against no text
  softmax,   ///< negative log of the softmax, over the labels, of minus the average
};

/// `average`, `sum`, `per-byte`, `pmi` or `softmax`.
[[nodiscard]] std::string_view normalization_name(Normalization normalization);

/// Throws `invalid_input` for other names.
[[nodiscard]] Normalization parse_normalization(const std::string& name);

/// The scores of all labels of one text after one reference. `labels` are their names; `no_text`
/// is the likelihoods of the same labels after the same reference and an empty text, needed by
/// `pmi` alone. `scores` holds one per label. A label that is impossible scores +infinity.
/// A label that is impossible without the text has its `sum` for `pmi`.
void nonconformity(Normalization normalization, std::span<const std::string> labels,
                   std::span<const LabelLikelihood> likelihoods,
                   std::span<const LabelLikelihood> no_text, std::span<Score> scores);

}  // namespace caos
