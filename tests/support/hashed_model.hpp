#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "caos/error.hpp"
#include "caos/text/models/language_model.hpp"

namespace caos::test {

/// FNV-1a: a number that depends on every byte and is the same everywhere.
inline std::uint64_t hash_of(const std::string& text, std::uint64_t seed) {
  std::uint64_t hash = 14695981039346656037U ^ seed;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash ^ (hash >> 29U);
}

/// A language model whose likelihoods are hashes of what it is asked, and that remembers it.
class HashedModel final : public text::LanguageModel {
 public:
  struct Options {
    std::string identity = "hashed:1";
    std::size_t fails_at_call = SIZE_MAX;
  };

  using Pair = std::pair<std::pair<std::string, Label>, std::string>;

  explicit HashedModel(std::size_t num_labels) : HashedModel(num_labels, {}) {}
  HashedModel(std::size_t num_labels, Options options)
      : num_labels_(num_labels), options_(std::move(options)) {}

  [[nodiscard]] std::string description() const override { return "hashes for tests"; }
  [[nodiscard]] std::string identity() const override { return options_.identity; }

  [[nodiscard]] text::ScoredText likelihoods(const text::LabeledText& reference,
                                             const std::string& text) const {
    const std::uint64_t seed = hash_of(reference.text, reference.label + 1);
    text::ScoredText scored;
    for (std::size_t y = 0; y < num_labels_; ++y) {
      const std::uint64_t hash = hash_of(text, seed + 77 * y);
      scored.labels.push_back({-static_cast<double>(hash >> 11U) * 0x1.0p-50,
                               static_cast<std::uint32_t>(1 + hash % 5)});
    }
    scored.shortened = hash_of(text, seed) % 7 == 0;
    return scored;
  }

  [[nodiscard]] std::vector<text::ScoredText> score(
      const text::LabeledText& reference, std::span<const std::string> texts) const override {
    std::vector<text::ScoredText> result;
    const std::lock_guard lock(mutex_);
    require(call_sizes_.size() != options_.fails_at_call, ErrorKind::backend, "hashed: no memory");
    call_sizes_.push_back(texts.size());
    for (const std::string& text : texts) {
      ++asked_[{{reference.text, reference.label}, text}];
      result.push_back(likelihoods(reference, text));
      result.back().tokens = text.size() + (result.size() == 1 ? reference.text.size() : 0);
    }
    return result;
  }

  [[nodiscard]] text::ScoringCost cost(const text::LabeledText& reference,
                                       std::span<const std::string> texts) const override {
    text::ScoringCost cost;
    cost.tokens = reference.text.size();
    for (const std::string& text : texts) cost.tokens += text.size();
    cost.requests = 1;
    return cost;
  }

  /// How often each pair was asked for.
  [[nodiscard]] const std::map<Pair, std::size_t>& asked() const { return asked_; }
  /// Texts of each call.
  [[nodiscard]] const std::vector<std::size_t>& call_sizes() const { return call_sizes_; }

 private:
  std::size_t num_labels_;
  Options options_;
  mutable std::mutex mutex_;
  mutable std::map<Pair, std::size_t> asked_;
  mutable std::vector<std::size_t> call_sizes_;
};

}  // namespace caos::test
