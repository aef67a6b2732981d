#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "caos/scorers/log_likelihood.hpp"
#include "caos/text/models/servers/json_server.hpp"

// For the completions server; not for users of the library.
namespace caos::text {

/// A prompt as a server gave it back.
struct Echo {
  std::vector<std::string> tokens{};
  std::vector<double> log_probabilities{};  ///< as many; the first is unused
};

/// Reads the answer to a request for the prompt's log-probabilities and `generated` tokens more,
/// which are dropped. Throws Json::exception or WrongAnswer where
/// something is missing or cannot be.
[[nodiscard]] Echo read_echo(const Json& answer, std::size_t generated);

/// Whether the tokens are those of this prompt: apart from a special token at the start, they spell
/// its printable ASCII characters in order. Spaces and other characters are not compared, because
/// servers write those of a single token in many ways.
[[nodiscard]] bool spells(const std::vector<std::string>& tokens, std::string_view prompt);

/// The likelihood of a label, from the first token of `whole`, the prompt with the label, that the
/// prompt by itself does not have. No tokens where there is none, or where it is the very first.
[[nodiscard]] LabelLikelihood likelihood_after(const std::vector<std::string>& prompt,
                                               const Echo& whole);

}  // namespace caos::text
