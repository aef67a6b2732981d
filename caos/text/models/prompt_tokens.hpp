#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "caos/text/label_space.hpp"
#include "caos/text/models/label_trie.hpp"
#include "caos/text/models/language_model.hpp"
#include "caos/text/models/tokenizer.hpp"

namespace caos::text {

/// What a model puts around a prompt.
struct PromptFrame {
  Tokens start{};        ///< its beginning-of-text token, if it wants one
  bool chat = false;     ///< the prompt is a message to the model and the label begins its reply
  std::string before{};  ///< what a chat template has before a message; text of the model's own
  std::string after{};   ///< and up to where the reply begins
};

/// A reference as far as all texts after it have it in common.
struct ReferencePrompt {
  std::string text{};  ///< as short as it must be
  std::string label{};
  Tokens shared{};  ///< the first tokens of (nearly) every prompt with this reference
  bool shortened = false;
};

/// All prompts of one text after one reference.
struct TextPrompts {
  std::vector<LabelPrompt> labels{};
  bool shortened = false;  ///< the text or the reference
  std::size_t shared = 0;  ///< how many tokens they have in common with the reference: all of its
                           ///< `shared` ones, or 0 where the text changes how those are cut

  /// What evaluating every prompt by itself takes; the last token is only looked up.
  [[nodiscard]] std::size_t separate_tokens() const;
};

/// Turns references, texts and labels into tokens. Prompt and label are cut into tokens together,
/// as one string; a label's likelihood counts from the first token that the prompt alone does not
/// have.
///
/// What does not fit the context is shortened by a rule that looks at one text at a time, so that
/// the reference is the same for all texts. Of `context`, the template's own words, twice the
/// longest label and `reserve` are set aside; each of the two texts may fill half of the rest, and
/// a longer one keeps a prefix of whole characters, found by bisection, that fits. Should the
/// tokens of the whole need more room still, the text is halved until it fits. Instruction and
/// labels are never cut.
class PromptTokens {
 public:
  static constexpr std::size_t reserve = 4;
  /// Changes with the rules, so that likelihoods by other rules are not taken for these.
  static constexpr int version = 1;

  /// Throws `invalid_input` where the context cannot hold the template and the labels, with the
  /// numbers. The tokenizer must outlive this object.
  PromptTokens(const Tokenizer& tokenizer, Question question, std::size_t context,
               PromptFrame frame = {});

  [[nodiscard]] ReferencePrompt reference(const LabeledText& reference) const;
  [[nodiscard]] TextPrompts prompts(const ReferencePrompt& reference,
                                    const std::string& text) const;

  [[nodiscard]] const Question& question() const { return question_; }
  [[nodiscard]] std::size_t context() const { return context_; }
  /// The tokens of all labels, each by itself, and a few.
  [[nodiscard]] std::size_t label_tokens() const { return label_tokens_; }

 private:
  [[nodiscard]] Tokens prompt_tokens(const std::string& prompt) const;
  [[nodiscard]] Tokens reply_tokens(Label y) const;
  [[nodiscard]] std::vector<LabelPrompt> label_prompts(const ReferencePrompt& reference,
                                                       const std::string& text) const;
  [[nodiscard]] std::string shorten(const std::string& text) const;
  void set_share();

  const Tokenizer& tokenizer_;
  Question question_;
  std::size_t context_;
  PromptFrame frame_;
  Tokens before_;                     // start and the chat template's before
  std::vector<bool> label_is_plain_;  // holds no name of a special token
  std::size_t label_tokens_ = 0;
  std::size_t share_ = 0;  // tokens that each of the two texts may have
};

}  // namespace caos::text
