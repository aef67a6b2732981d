#include "caos/text/score_cell.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <vector>

#include "caos/io/checksum.hpp"

namespace caos::text {
namespace {

constexpr std::size_t label_size = sizeof(std::uint64_t) + sizeof(std::uint32_t);
constexpr std::size_t checksum_size = 16;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// Little-endian on every machine.
template <std::unsigned_integral T>
void put(std::string& out, T value) {
  for (std::size_t b = 0; b < sizeof(T); ++b) out += static_cast<char>((value >> (8 * b)) & 0xffU);
}

template <std::unsigned_integral T>
T take(std::string_view& bytes) {
  T value = 0;
  for (std::size_t b = 0; b < sizeof(T); ++b) {
    value |= static_cast<T>(static_cast<T>(static_cast<unsigned char>(bytes[b])) << (8 * b));
  }
  bytes.remove_prefix(sizeof(T));
  return value;
}

std::string little_endian(std::uint64_t value) {
  std::string bytes;
  put(bytes, value);
  return bytes;
}

std::string checksum_of(const CellKey& key, std::string_view content) {
  return io::checksum({bytes_of(key.reference), bytes_of(key.text), bytes_of(content)});
}

}  // namespace

std::string key_of(const std::string& text) { return io::checksum128({bytes_of(text)}); }

std::string key_of(const LabeledText& reference) {
  // The label always has the same length, so no other text and label give the same bytes.
  const std::string label = little_endian(reference.label);
  return io::checksum128({bytes_of(label), bytes_of(reference.text)});
}

std::string key_of(std::span<const std::string> texts) {
  std::string all;
  for (const std::string& text : texts) {
    put(all, std::uint64_t{text.size()});
    all += text;
  }
  return key_of(all);
}

std::string pack_cell(const CellKey& key, const ScoredText& scored) {
  std::string bytes;
  bytes.reserve(1 + scored.labels.size() * label_size + checksum_size);
  bytes += scored.shortened ? '\1' : '\0';
  for (const LabelLikelihood& label : scored.labels) {
    put(bytes, std::bit_cast<std::uint64_t>(label.log_likelihood));
    put(bytes, label.tokens);
  }
  return bytes + checksum_of(key, bytes);
}

std::optional<ScoredText> unpack_cell(const CellKey& key, const std::string& bytes,
                                      std::size_t num_labels) {
  if (bytes.size() != 1 + num_labels * label_size + checksum_size) return std::nullopt;
  std::string_view content(bytes);
  content.remove_suffix(checksum_size);
  if (bytes.substr(content.size()) != checksum_of(key, content)) return std::nullopt;

  ScoredText scored;
  scored.shortened = take<std::uint8_t>(content) != 0;
  for (std::size_t y = 0; y < num_labels; ++y) {
    const auto log_likelihood = std::bit_cast<double>(take<std::uint64_t>(content));
    scored.labels.push_back({log_likelihood, take<std::uint32_t>(content)});
  }
  if (!complaint_about(scored, num_labels).empty()) return std::nullopt;
  return scored;
}

std::string complaint_about(const ScoredText& scored, std::size_t num_labels) {
  if (scored.labels.size() != num_labels) {
    return fmt::format("it has likelihoods of {} labels instead of {}", scored.labels.size(),
                       num_labels);
  }
  for (std::size_t y = 0; y < num_labels; ++y) {
    const LabelLikelihood& label = scored.labels[y];
    if (std::isnan(label.log_likelihood) || label.log_likelihood == HUGE_VAL) {
      return fmt::format("the log-likelihood of label {} is {}", y, label.log_likelihood);
    }
    if (label.tokens == 0) return fmt::format("label {} has no tokens", y);
  }
  return {};
}

}  // namespace caos::text
