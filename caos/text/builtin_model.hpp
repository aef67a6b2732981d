#pragma once

#include <memory>

#include "caos/text/language_model.hpp"

namespace caos::text {

/// A lexical one-shot predictor without weights: the more hashed words and character n-grams a text
/// shares with the reference, the more probability its label gets; the rest is spread evenly over
/// the other labels. Weak, fixed, and fitted to nothing. A label counts as one token.
[[nodiscard]] std::unique_ptr<LanguageModel> make_builtin_model(Question question);

}  // namespace caos::text
