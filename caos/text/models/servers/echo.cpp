#include "caos/text/models/servers/echo.hpp"

#include <algorithm>
#include <charconv>
#include <span>

namespace caos::text {
namespace {

/// SentencePiece writes a byte that is not a character as <0x0A>.
bool is_byte(std::string_view token) {
  return token.size() == 6 && token.starts_with("<0x") && token.ends_with('>');
}

char byte_of(std::string_view token) {
  unsigned value = 0;
  std::from_chars(token.data() + 3, token.data() + 5, value, 16);
  return static_cast<char>(value);
}

void append_printable(std::string_view text, std::string& result) {
  std::ranges::copy_if(text, std::back_inserter(result),
                       [](char c) { return c > ' ' && c <= '~'; });
}

std::string spelled(std::span<const std::string> tokens) {
  std::string result;
  for (const std::string& token : tokens) {
    if (is_byte(token)) {
      const char byte = byte_of(token);
      append_printable({&byte, 1}, result);
    } else if (!token.starts_with("bytes:")) {  // OpenAI's way to write a part of a character
      append_printable(token, result);
    }
  }
  return result;
}

std::size_t generated_tokens(const Json& answer, std::size_t expected) {
  const auto usage = answer.find("usage");
  if (usage == answer.end() || !usage->is_object() || expected == 0) return expected;
  return std::min(usage->value("completion_tokens", expected), expected);
}

}  // namespace

Echo read_echo(const Json& answer, std::size_t generated) {
  const Json& logprobs = answer.at("choices").at(0).at("logprobs");
  Echo echo;
  echo.tokens = logprobs.at("tokens").get<std::vector<std::string>>();
  const Json& values = logprobs.at("token_logprobs");
  const std::size_t dropped = generated_tokens(answer, generated);
  if (values.size() != echo.tokens.size() || echo.tokens.size() < dropped + 1) {
    throw WrongAnswer("tokens and token_logprobs differ in number or are empty");
  }
  echo.tokens.resize(echo.tokens.size() - dropped);
  echo.log_probabilities.resize(echo.tokens.size());
  for (std::size_t t = 1; t < echo.tokens.size(); ++t) {
    echo.log_probabilities[t] = log_probability(values.at(t));
  }
  return echo;
}

bool spells(const std::vector<std::string>& tokens, std::string_view prompt) {
  std::string expected;
  append_printable(prompt, expected);
  const std::span<const std::string> all(tokens);
  return !tokens.empty() && (spelled(all) == expected || spelled(all.subspan(1)) == expected);
}

LabelLikelihood likelihood_after(const std::vector<std::string>& prompt, const Echo& whole) {
  const auto differs = std::ranges::mismatch(whole.tokens, prompt).in1;
  const auto first = static_cast<std::size_t>(differs - whole.tokens.begin());
  LabelLikelihood result{.log_likelihood = 0, .tokens = 0};
  for (std::size_t t = first; first > 0 && t < whole.tokens.size(); ++t) {
    result.log_likelihood += whole.log_probabilities[t];
    ++result.tokens;
  }
  return result;
}

}  // namespace caos::text
