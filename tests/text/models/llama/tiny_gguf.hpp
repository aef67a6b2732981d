#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace caos::test {

/// A language model of the Llama kind that is small enough for tests: random weights in float32,
/// scaled so that some tokens are much likelier than others, and the vocabulary of
/// `tiny_vocabulary()`. The same options give the same bytes on every machine.
struct TinyGguf {
  std::uint64_t seed = 1;
  std::size_t context = 256;  ///< what the model says it was trained with
  std::size_t num_layers = 2;
  bool add_bos = true;
  std::string chat_template{};  ///< empty: none
  std::size_t pooling = 0;      ///< of an embedding model, as llama.cpp numbers it; 0: not named

  static constexpr std::size_t width = 32;
  static constexpr std::size_t num_heads = 4;
  static constexpr std::size_t num_kv_heads = 2;  ///< two heads share keys and values
  static constexpr std::size_t head_size = width / num_heads;
  static constexpr std::size_t kv_width = num_kv_heads * head_size;
  static constexpr std::size_t feed_forward = 64;
  static constexpr double rope_base = 10000;
  static constexpr double norm_epsilon = 1e-5;
};

/// `rows` outputs of `columns` inputs, one row after the other; a vector has one row.
struct TinyTensor {
  std::string name{};
  std::size_t rows = 1;
  std::size_t columns = 0;
  std::vector<float> values{};
};

/// All weights, in the order in which they stand in the file.
[[nodiscard]] std::vector<TinyTensor> tiny_weights(const TinyGguf& model);

/// The file (GGUF, version 3).
[[nodiscard]] std::string tiny_gguf_bytes(const TinyGguf& model);

/// Writes it to `path`. Throws std::runtime_error where that fails.
void write_tiny_gguf(const std::string& path, const TinyGguf& model = {});

}  // namespace caos::test
