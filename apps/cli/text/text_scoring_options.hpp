#pragma once

#include <string>
#include <vector>

#include "apps/cli/options.hpp"
#include "caos/text/models/language_models.hpp"
#include "caos/text/text_session.hpp"

namespace caos::cli {

/// The options of a session as the user types them.
struct ScoringOptions : TextSessionOptions {
  std::string template_file{};
  std::string normalization_name = "average";
  std::size_t timeout = 60;
};

/// --model and all that decides about scores.
void add_model_options(Command& command, ScoringOptions& options, const std::string& models);
/// Options of servers.
void add_server_options(Command& command, ScoringOptions& options);
void add_store_option(Command& command, ScoringOptions& options);
/// --reverse, for models that are files of scores.
void add_reverse_option(Command& command, std::string& reverse, const std::string& shape);

/// What --model may be where a file of scores has this shape; the former without encoders.
[[nodiscard]] std::string language_model_choices(const std::string& score_shape);
[[nodiscard]] std::string model_choices(const std::string& score_shape);

using text::is_score_file;
using text::is_server;
using text::score_file;

/// Throws `invalid_input` for what can be found wrong before a file is opened. `reverse` is the
/// file of reverse scores, or empty.
void check(const ScoringOptions& options, const std::string& reverse);

/// Throws `invalid_input` if Full CAOS lacks reverse scores.
void check_reverse(const ScoringOptions& options, const std::string& reverse, bool full_caos);

/// The files that are read for it.
[[nodiscard]] std::vector<std::string> files_of(const ScoringOptions& options);
/// The same without the key, which is secret.
[[nodiscard]] std::vector<std::string> model_files_of(const ScoringOptions& options);

/// The options of a session that scores texts with these labels. Reads the file of the template.
[[nodiscard]] TextSessionOptions session_options(const ScoringOptions& options,
                                                 text::LabelSpace labels = {});

/// The options as they were for the labeled texts, except for where the model is stored now.
[[nodiscard]] ScoringOptions options_like(const TextScoreRecord& record, ScoringOptions options);

}  // namespace caos::cli
