#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "caos/text/models/language_model.hpp"

// The bytes of the score store; not for users of the library.
namespace caos::text {

/// 32 digits that stand for a text, or for a text with its label.
[[nodiscard]] std::string key_of(const std::string& text);
[[nodiscard]] std::string key_of(const LabeledText& reference);

/// 32 digits that stand for the sequence of texts.
[[nodiscard]] std::string key_of(std::span<const std::string> texts);

/// Where the scores of a pair are kept, and what they are checked against.
struct CellKey {
  std::string reference{};
  std::string text{};
};

/// The likelihoods of one pair and a checksum over them and the key (docs/reference/formats.md).
/// The tokens that were evaluated are not kept.
[[nodiscard]] std::string pack_cell(const CellKey& key, const ScoredText& scored);

/// Nothing if the bytes are not what `pack_cell` made for this key and number of labels.
[[nodiscard]] std::optional<ScoredText> unpack_cell(const CellKey& key, const std::string& bytes,
                                                    std::size_t num_labels);

/// What is wrong with impossible likelihoods; empty if they are valid.
[[nodiscard]] std::string complaint_about(const ScoredText& scored, std::size_t num_labels);

}  // namespace caos::text
