#pragma once

#include <memory>
#include <span>
#include <string>

#include "apps/cli/progress_bar.hpp"
#include "apps/cli/text/text_scores.hpp"
#include "caos/text/encoded/embedded_texts.hpp"

namespace caos::cli {

[[nodiscard]] EncoderSessionOptions encoder_options(const ScoringOptions& options);

/// The methods by their names, each once; by default those for encoders. Throws `invalid_input`.
[[nodiscard]] std::vector<Method> encoder_methods(const std::vector<std::string>& names,
                                                  bool grouped);

/// Throws `invalid_input` if full-kernel is among the names: a model without vectors has no votes.
void check_needs_no_encoder(const std::vector<std::string>& names);

/// An encoder, with its progress on the screen.
class TextEncoding {
 public:
  /// Tells the user where texts go.
  TextEncoding(const CommonOptions& common, EncoderSession session);

  [[nodiscard]] EncoderSession& session() { return session_; }

  /// The work so far. Takes the bar off the screen.
  [[nodiscard]] ScoringReport report() const;

 private:
  EncoderSession session_;
  std::unique_ptr<ProgressBar> bar_;
};

}  // namespace caos::cli
