#include "caos/text/models/servers/chat_answer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

namespace caos::text {
namespace {

/// Servers write log-probabilities of 32 bits: how far their sum may be off.
constexpr double rounding = 1e-6;

/// The logarithm of the sum of probabilities, also where each is too small for a double.
double log_sum_of(const std::vector<ListedToken>& listed) {
  std::vector<double> logarithms;
  for (const ListedToken& token : listed) logarithms.push_back(token.log_probability);
  std::ranges::sort(logarithms);  // so that the order of the list does not matter
  const double largest = logarithms.back();
  double sum = 0;
  for (const double one : logarithms) sum += std::exp(one - largest);
  return largest + std::log(sum);
}

/// The token's text without blanks, which vocabularies write in several ways.
std::string_view without_blanks(std::string_view text) {
  constexpr std::array<std::string_view, 6> blanks = {" ", "\n", "\t", "\r", "\u2581", "\u0120"};
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::string_view blank : blanks) {
      if (text.starts_with(blank)) {
        text.remove_prefix(blank.size());
        changed = true;
      } else if (text.ends_with(blank)) {
        text.remove_suffix(blank.size());
        changed = true;
      }
    }
  }
  return text;
}

double unlisted_log_probability(const std::vector<ListedToken>& listed) {
  double least = 0;
  for (const ListedToken& token : listed) least = std::min(least, token.log_probability);
  return std::min(least, std::log(std::max(0.0, 1 - std::exp(log_sum_of(listed))) + rounding));
}

}  // namespace

std::vector<ListedToken> read_first_token(const Json& answer) {
  const Json& logprobs = answer.at("choices").at(0).at("logprobs");
  std::vector<ListedToken> listed;
  for (const Json& entry : logprobs.at("content").at(0).at("top_logprobs")) {
    listed.push_back({.text = entry.at("token").get<std::string>(),
                      .log_probability = log_probability(entry.at("logprob"))});
  }
  if (listed.empty()) throw WrongAnswer("top_logprobs is empty");
  if (std::exp(log_sum_of(listed)) > 1.01)
    throw WrongAnswer("the probabilities add up to more than 1");
  return listed;
}

std::string letter_of(Label y) { return std::string(1, static_cast<char>('A' + y)); }

bool is_letter(const ListedToken& token, Label y) {
  return without_blanks(token.text) == letter_of(y);
}

std::vector<LabelLikelihood> letter_likelihoods(const std::vector<ListedToken>& listed,
                                                std::size_t num_labels) {
  const double unlisted = unlisted_log_probability(listed);
  std::vector<LabelLikelihood> result;
  for (Label y = 0; y < num_labels; ++y) {
    std::vector<ListedToken> of_letter;
    std::ranges::copy_if(listed, std::back_inserter(of_letter),
                         [&](const ListedToken& token) { return is_letter(token, y); });
    result.push_back(
        {.log_likelihood = of_letter.empty() ? unlisted : std::min(log_sum_of(of_letter), 0.0)});
  }
  return result;
}

}  // namespace caos::text
