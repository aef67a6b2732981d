#include "caos/text/models/prompt_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/utf8.hpp"

namespace caos::text {
namespace {

Tokens joined(Tokens first, const Tokens& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

bool begins_with(const Tokens& tokens, const Tokens& start) {
  return tokens.size() >= start.size() && std::equal(start.begin(), start.end(), tokens.begin());
}

std::size_t first_difference(const Tokens& a, const Tokens& b) {
  const auto [end, unused] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(end - a.begin());
}

std::string without_space_at_end(const std::string& text) {
  return text.substr(0, text.find_last_not_of(" \t\r\n\f\v") + 1);
}

/// A model's tokens for the beginning of a text, never twice: chat templates often bring their own.
Tokens start_and_before(const Tokenizer& tokenizer, const PromptFrame& frame) {
  const Tokens before = tokenizer.tokenize_special(frame.before);
  return begins_with(before, frame.start) ? before : joined(frame.start, before);
}

/// The tokens of one label after a prompt of which `alone` are the tokens.
LabelPrompt label_prompt(const Tokens& alone, Tokens with_label, const std::string& label) {
  // Nothing comes before the first token that could predict it.
  const std::size_t from = std::max<std::size_t>(first_difference(with_label, alone), 1);
  require(from < with_label.size(), ErrorKind::invalid_input, [&] {
    return fmt::format("the label '{}' has no token of its own in this model's vocabulary", label);
  });
  return {.tokens = std::move(with_label), .scored_from = from};
}

std::size_t longest(const std::vector<LabelPrompt>& prompts) {
  std::size_t length = 0;
  for (const LabelPrompt& prompt : prompts) length = std::max(length, prompt.tokens.size());
  return length;
}

std::size_t first_scored(const std::vector<LabelPrompt>& prompts) {
  std::size_t first = prompts.front().scored_from;
  for (const LabelPrompt& prompt : prompts) first = std::min(first, prompt.scored_from);
  return first;
}

}  // namespace

std::size_t TextPrompts::separate_tokens() const {
  std::size_t tokens = 0;
  for (const LabelPrompt& prompt : labels) tokens += prompt.tokens.size() - 1;
  return tokens;
}

PromptTokens::PromptTokens(const Tokenizer& tokenizer, Question question, std::size_t context,
                           PromptFrame frame)
    : tokenizer_(tokenizer),
      question_(std::move(question)),
      context_(context),
      frame_(std::move(frame)),
      before_(start_and_before(tokenizer, frame_)) {
  for (const std::string& label : question_.labels.names()) {
    label_is_plain_.push_back(tokenizer.tokenize(label) == tokenizer.tokenize_special(label));
  }
  set_share();
}

void PromptTokens::set_share() {
  std::size_t longest_label = 0;
  for (const std::string& label : question_.labels.names()) {
    const std::size_t tokens = tokenizer_.tokenize(" " + label).size();
    longest_label = std::max(longest_label, tokens);
    label_tokens_ += tokens + 1;
  }
  const std::size_t words = before_.size() + tokenizer_.tokenize_special(frame_.after).size() +
                            tokenizer_.tokenize(question_.prompt.prompt("", "", "")).size();
  const std::size_t needed = words + 2 * longest_label + reserve;
  require(needed + 2 <= context_, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "a context of {} tokens leaves no space for texts: the prompt template takes {}, the "
        "longest label twice {}, and {} are kept free; use a shorter template, a larger context or "
        "another model",
        context_, words, 2 * longest_label, reserve);
  });
  share_ = (context_ - needed) / 2;
}

Tokens PromptTokens::prompt_tokens(const std::string& prompt) const {
  if (!frame_.chat) return joined(before_, tokenizer_.tokenize(prompt));
  return joined(joined(before_, tokenizer_.tokenize(prompt)),
                tokenizer_.tokenize_special(frame_.after));
}

std::vector<LabelPrompt> PromptTokens::label_prompts(const ReferencePrompt& reference,
                                                     const std::string& text) const {
  const std::string prompt = question_.prompt.prompt(reference.text, reference.label, text);
  const Tokens message = frame_.chat ? joined(before_, tokenizer_.tokenize(prompt)) : Tokens{};
  const Tokens alone = prompt_tokens(prompt);
  std::vector<LabelPrompt> prompts;
  for (Label y = 0; y < question_.labels.size(); ++y) {
    const std::string& label = question_.labels[y];
    Tokens tokens = frame_.chat
                        ? joined(message, reply_tokens(y))
                        : joined(before_, tokenizer_.tokenize(fmt::format("{} {}", prompt, label)));
    prompts.push_back(label_prompt(alone, std::move(tokens), label));
  }
  return prompts;
}

Tokens PromptTokens::reply_tokens(Label y) const {
  const std::string& label = question_.labels[y];
  // Together where the label holds no name of a special token, which would become one.
  if (label_is_plain_[y]) return tokenizer_.tokenize_special(frame_.after + label);
  return joined(tokenizer_.tokenize_special(frame_.after), tokenizer_.tokenize(label));
}

std::string PromptTokens::shorten(const std::string& text) const {
  const auto fits = [&](const std::string& part) {
    return tokenizer_.tokenize(part).size() <= share_;
  };
  if (fits(text)) return text;
  std::vector<std::size_t> ends;  // of prefixes of whole characters
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (character_start(text, i) == i) ends.push_back(i);
  }
  // ends[low] fits, ends[high] does not or is not there. Doubling first: a text can be far longer
  // than what fits.
  std::size_t low = 0;
  std::size_t high = 1;
  while (high < ends.size() && fits(text.substr(0, ends[high]))) {
    low = high;
    high *= 2;
  }
  high = std::min(high, ends.size());
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (fits(text.substr(0, ends[middle])) ? low : high) = middle;
  }
  return text.substr(0, ends[low]);
}

ReferencePrompt PromptTokens::reference(const LabeledText& reference) const {
  ReferencePrompt result{.text = shorten(reference.text),
                         .label = question_.labels[reference.label]};
  result.shortened = result.text != reference.text;
  // The last token could be cut otherwise when text follows, and space before a word belongs to it.
  const std::string opening =
      without_space_at_end(question_.prompt.opening(result.text, result.label));
  result.shared = joined(before_, tokenizer_.tokenize(opening));
  if (!result.shared.empty()) result.shared.pop_back();
  return result;
}

TextPrompts PromptTokens::prompts(const ReferencePrompt& reference, const std::string& text) const {
  std::string kept = shorten(text);
  TextPrompts result{.labels = label_prompts(reference, kept)};
  while (longest(result.labels) > context_) {
    require(!kept.empty(), ErrorKind::invalid_input, [&] {
      return fmt::format(
          "a prompt of {} tokens does not fit the context of {}, even without the text; use a "
          "shorter template or a larger context",
          longest(result.labels), context_);
    });
    kept.resize(character_start(kept, kept.size() / 2));
    result.labels = label_prompts(reference, kept);
  }
  result.shortened = reference.shortened || kept != text;
  const bool alike = std::ranges::all_of(result.labels, [&](const LabelPrompt& prompt) {
    return begins_with(prompt.tokens, reference.shared);
  });
  // What predicts the first token of a label must come after the shared ones.
  if (alike && reference.shared.size() < first_scored(result.labels)) {
    result.shared = reference.shared.size();
  }
  return result;
}

}  // namespace caos::text
