#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "caos/evaluation.hpp"
#include "caos/guarantee.hpp"
#include "caos/method.hpp"
#include "caos/miscoverage.hpp"

namespace caos {

/// Which language model scores texts, and how. For a model of your own see
/// `OneShotPredictors<std::string>`.
struct LanguageModelSettings {
  /// `builtin`, `llama:FILE.gguf`, `server:URL` or `command:PROGRAM`. The last two send texts to
  /// another program. Empty: builtin, and for a classifier that is loaded the model it was
  /// calibrated with, unless texts would leave this program.
  std::string model{};
  std::string prompt{};                   ///< file of a prompt template; empty: the paper's
  std::string normalization = "average";  ///< or sum, per-byte, pmi, softmax
  std::size_t context = 0;                ///< tokens; 0: the context of the training
  bool chat = false;                      ///< use the model's own chat template
  std::string server_model{};             ///< which of the server's models; empty: the first
  std::string key_file{};                 ///< file with the key of the server
  std::string store{};      ///< directory that keeps answers of the model; empty: in memory
  std::size_t threads = 0;  ///< 0: one per core; results do not depend on it
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};  ///< pairs of texts
};

struct TextClassifierOptions {
  LanguageModelSettings language_model{};
  std::size_t k = 3;      ///< how many of the smallest scores a CAOS score adds
  bool by_label = false;  ///< a guarantee for each label separately
};

/// Texts of a table and, where they are known, their labels.
struct TextRows {
  std::vector<std::string> texts{};
  std::vector<std::string> labels{};  ///< as many, or empty
};

/// Reads a CSV or JSON Lines file. Several text columns are joined as lines `column: value`.
/// `label_column` empty: labels are not read. Throws `not_found`, or `bad_format` with the line.
[[nodiscard]] TextRows read_text_rows(const std::string& path,
                                      const std::vector<std::string>& text_columns = {"text"},
                                      const std::string& label_column = "label");

/// The prediction for one text.
struct TextLabels {
  std::vector<std::string> set{};  ///< contains the true label with probability 1 - alpha or more
  std::string best{};              ///< the most conforming label; carries no guarantee
};

/// Labels for texts, calibrated on a few dozen labeled ones.
///
/// If labeled and new texts are exchangeable, and language model, prompt, normalization and k were
/// fixed before the labeled texts were seen, a set contains the true label with probability at
/// least 1 - alpha. Below alpha = 1 / (n + 1) for n texts a set is every label.
///
/// A handle to shared data: copies are cheap, and all members may be called from several threads at
/// once.
class TextClassifier {
 public:
  /// Scores all pairs of labeled texts: n (n - 1) prompts for each label, hours with a large model
  /// unless the store has them. `labels` are all possible labels; empty: those that occur, and the
  /// guarantee is then for these only. Throws `invalid_input` for a label that is not listed and
  /// unless 1 <= k <= n - 1, and `backend` for failures of the language model.
  [[nodiscard]] static TextClassifier calibrate(const TextRows& rows,
                                                const std::vector<std::string>& labels = {},
                                                const TextClassifierOptions& options = {});

  /// Reads a model that `save` or `caos text calibrate` wrote, and opens its language model;
  /// prompt, normalization, context and chat are those of the model. Throws `bad_format` unless it
  /// is an unaltered model of a known version, and `invalid_input` if the language model is another
  /// one or texts would leave this program without `settings.model` naming where to.
  [[nodiscard]] static TextClassifier load(const std::string& path,
                                           const LanguageModelSettings& settings = {});

  /// Writes the model to a `.caos` file, whole or not at all. It contains the labeled texts.
  void save(const std::string& path) const;

  /// All possible labels.
  [[nodiscard]] const std::vector<std::string>& labels() const;
  /// The number of labeled texts.
  [[nodiscard]] std::size_t size() const;

  [[nodiscard]] bool is_feasible(const Miscoverage& alpha) const;
  [[nodiscard]] Guarantee guarantee(const Miscoverage& alpha, Method method = Method::caos) const;

  /// The label sets of new texts, in their order, with caos or full_caos. Full CAOS scores the
  /// labeled texts after each candidate, too.
  [[nodiscard]] std::vector<TextLabels> predict(std::span<const std::string> texts,
                                                const Miscoverage& alpha,
                                                Method method = Method::caos) const;

  /// Coverage and size of the sets on labeled texts that are not among the calibration texts. A
  /// label that is not listed counts as missed. Requires a row with a label.
  [[nodiscard]] Evaluation evaluate(const TextRows& test, const Miscoverage& alpha,
                                    Method method = Method::caos) const;

 private:
  struct Parts;
  explicit TextClassifier(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

  std::shared_ptr<const Parts> parts_;
};

}  // namespace caos
