#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apps/cli/options.hpp"
#include "apps/predictions/json_text.hpp"
#include "caos/io/sha256.hpp"

namespace caos::cli {

using predictions::Json;
using predictions::json_text;

/// Data, to stdout. Throws `backend` if it cannot be written.
void print(std::string_view text);

/// To be called last: hands everything printed to the system, or throws `backend`.
void finish_printing();

/// From now on `printed` knows the hash of what is printed.
void record_printing();

/// What was printed since `record_printing`, which must have been called.
[[nodiscard]] io::FileHash printed();

/// Talk, to stderr; silent with --quiet.
void note(const CommonOptions& options, std::string_view text);
void warn(const CommonOptions& options, std::string_view text);

/// With --quiet a command whose result goes into --output prints nothing else.
[[nodiscard]] bool is_silenced(const CommonOptions& options);

/// What a command found, as its options say: one JSON object, or text.
template <typename MakeJson, typename MakeText>
void print_result(const CommonOptions& options, MakeJson make_json, MakeText make_text) {
  if (is_silenced(options)) return;
  print(options.json ? json_text(make_json(), 2) + "\n" : make_text());
}

/// The same of what has `to_json` and `to_text` beside it.
template <typename Output>
void print_result(const CommonOptions& options, const Output& output) {
  print_result(
      options, [&] { return to_json(output); }, [&] { return to_text(output); });
}

/// Thrown once a result was printed that is itself a failure: the program exits with 1 and has
/// nothing more to say.
struct FailedCheck {};

/// A threshold for JSON: null where it is infinite or there is none.
[[nodiscard]] Json json_number(std::optional<double> value);

/// Each command adds itself to the program and runs when it is chosen.
void add_evaluate(Command& app);
void add_calibrate(Command& app);
void add_predict(Command& app);
void add_inspect(Command& app);
void add_advise(Command& app);
void add_generate(Command& app);
void add_verify(Command& app);
void add_audit(Command& app);
void add_landmarks(Command& app);
void add_text(Command& app);
void add_classify(Command& app);
void add_experiment(Command& app);
void add_serve(Command& app);
void add_man(Command& app);
void add_completions(Command& app);
void add_reference(Command& app);

/// The commands of `caos landmarks`.
void add_landmarks_embed(Command& landmarks);
void add_landmarks_calibrate(Command& landmarks);
void add_landmarks_predict(Command& landmarks);
void add_landmarks_evaluate(Command& landmarks);
void add_landmarks_accept(Command& landmarks);
void add_landmarks_convert(Command& landmarks);
void add_landmarks_show(Command& landmarks);
void add_landmarks_synthesize(Command& landmarks);

/// The commands of `caos audit`.
void add_audit_draw(Command& audit);
void add_audit_report(Command& audit);
void add_audit_bound(Command& audit);

/// The commands of `caos text`.
void add_text_calibrate(Command& text);
void add_text_predict(Command& text);
void add_text_evaluate(Command& text);
void add_text_score(Command& text);

/// The commands of `caos classify`.
void add_classify_evaluate(Command& classify);
void add_classify_calibrate(Command& classify);
void add_classify_predict(Command& classify);

/// The commands of `caos experiment`.
void add_experiment_landmarks(Command& experiment);
void add_experiment_raft(Command& experiment);

}  // namespace caos::cli
