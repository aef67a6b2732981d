#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "caos/scorers/log_likelihood.hpp"
#include "caos/text/models/servers/json_server.hpp"

// For the chat server; not for users of the library.
namespace caos::text {

/// A token with which an answer may begin.
struct ListedToken {
  std::string text{};
  double log_probability = 0;
};

/// The likeliest first tokens of an answer, as chat completions list them. Throws Json::exception
/// or WrongAnswer where they are missing or cannot be.
[[nodiscard]] std::vector<ListedToken> read_first_token(const Json& answer);

/// "A", "B", ...: what label `y` is called in a chat.
[[nodiscard]] std::string letter_of(Label y);

/// Whether a token is this letter, apart from blanks around it.
[[nodiscard]] bool is_letter(const ListedToken& token, Label y);

/// The likelihood of each of the first `num_labels` letters: the sum over the listed tokens that
/// are this letter. A letter that is not listed gets as much as the least likely token that is, and
/// no more than what all listed ones leave: it can hardly be likelier.
[[nodiscard]] std::vector<LabelLikelihood> letter_likelihoods(
    const std::vector<ListedToken>& listed, std::size_t num_labels);

}  // namespace caos::text
