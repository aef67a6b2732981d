#pragma once

#include <memory>
#include <string>

#include "caos/text/models/language_models.hpp"

namespace caos::text {

/// A model behind OpenAI-compatible chat completions that list the likeliest tokens of an answer
/// (`logprobs`, `top_logprobs`), for servers that give nothing else.
///
/// One request per text: the labels with their letters, in the order of the label space, then the
/// prompt with the letter as the reference's label. The score is the log-probability of the letter
/// as the first token of the answer; see letter_likelihoods. Texts are cut as for a completions
/// server. Opening sends one fixed question.
///
/// Throws `invalid_input` for more than 20 labels, which is how many tokens servers list, and
/// `backend` for a server that lists none, or fewer than there are labels, or whose model does not
/// answer the fixed question with a letter.
[[nodiscard]] std::unique_ptr<LanguageModel> make_chat_server(const std::string& url,
                                                              Question question,
                                                              const LanguageModelOptions& options);

}  // namespace caos::text
