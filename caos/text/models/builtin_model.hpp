#pragma once

#include <memory>

#include "caos/text/models/language_model.hpp"

namespace caos::text {

/// A lexical one-shot predictor without weights: the more words and pieces of words a text shares
/// with the reference, the more probability the reference's label gets; a label whose own words are
/// in the text gets some as well; the rest is spread evenly. Weak, fixed, and fitted to nothing.
/// The prompt template does not matter. A label counts as one token.
[[nodiscard]] std::unique_ptr<LanguageModel> make_builtin_model(Question question);

}  // namespace caos::text
