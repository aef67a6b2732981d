#pragma once

#include <memory>
#include <string>

#include "caos/text/models/language_models.hpp"

namespace caos::text {

/// Whether this build has llama.cpp, and which: "llama.cpp v0.5.0", or empty.
[[nodiscard]] std::string llama_version();

/// A GGUF model run by llama.cpp in this process. Evaluates the instruction and the reference once
/// for all texts of a call, every text once, and the labels as a tree of shared tokens. A text that
/// leaves too little to run after the reference (docs/project/decisions/0021) or changes how the
/// reference is cut into tokens is evaluated with it, and so is every label of a recurrent model.
/// Throws `not_found` or `bad_format` for a file that is not a model, `invalid_input` where the
/// context cannot hold instruction and labels or the model has no chat template that is known,
/// `backend` in a build without llama.cpp.
[[nodiscard]] std::unique_ptr<LanguageModel> make_llama_model(const std::string& path,
                                                              Question question,
                                                              const LanguageModelOptions& options);

/// The same likelihoods the plain way: every (reference, text, label) is a prompt by itself, in an
/// empty context. Slow; what the model above is held against.
[[nodiscard]] std::unique_ptr<LanguageModel> make_separate_llama_model(
    const std::string& path, Question question, const LanguageModelOptions& options);

}  // namespace caos::text
