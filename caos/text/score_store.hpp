#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/text/models/language_model.hpp"

namespace caos::text {

/// Likelihoods that were computed before, on disk or in memory. A store belongs to one model,
/// prompt template and label space; another one is another file in the same folder, so that nothing
/// is ever mixed. It holds hashes of texts, not the texts. What `add` has returned from is safe on
/// the disk. Safe to use from several threads and processes.
class ScoreStore {
 public:
  /// A store that ends with the object.
  [[nodiscard]] static ScoreStore in_memory(const LanguageModel& model, const Question& question);

  /// Opens the store of this model and question in `folder`, and makes both where they are missing.
  /// A file that is damaged or that says it belongs to another model is an Error bad_format.
  [[nodiscard]] static ScoreStore open(const std::string& folder, const LanguageModel& model,
                                       const Question& question);

  /// Whether `open` would find a file there: to look at a store without making one.
  [[nodiscard]] static bool exists(const std::string& folder, const LanguageModel& model,
                                   const Question& question);

  ScoreStore(ScoreStore&&) noexcept;
  ScoreStore& operator=(ScoreStore&&) noexcept;
  ~ScoreStore();

  /// Where it is; empty for a store in memory.
  [[nodiscard]] const std::string& path() const;

  /// What is known of each text after this reference.
  [[nodiscard]] std::vector<std::optional<ScoredText>> find(
      const LabeledText& reference, std::span<const std::string> texts) const;

  /// Keeps all of them or, if the program ends before it returns, possibly none. What is there
  /// already stays as it is.
  void add(const LabeledText& reference, std::span<const std::string> texts,
           std::span<const ScoredText> scored);

  /// Pairs of a reference and a text that it holds.
  [[nodiscard]] std::uint64_t size() const;

 private:
  class Database;
  explicit ScoreStore(std::unique_ptr<Database> database);

  std::unique_ptr<Database> database_;
};

}  // namespace caos::text
