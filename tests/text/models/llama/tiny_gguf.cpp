#include "tests/text/models/llama/tiny_gguf.hpp"

#include <cmath>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "caos/rng.hpp"
#include "tests/text/models/llama/tiny_vocabulary.hpp"

namespace caos::test {
namespace {

constexpr std::size_t alignment = 32;

enum class ValueType : std::uint32_t {
  uint32 = 4,
  int32 = 5,
  float32 = 6,
  boolean = 7,
  text = 8,
  array = 9
};

std::size_t aligned(std::size_t size) { return (size + alignment - 1) / alignment * alignment; }

/// Bytes in the layout of GGUF. All numbers are little-endian.
class Bytes {
 public:
  template <typename T>
  Bytes& number(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    bytes_.append(raw, sizeof(T));
    return *this;
  }
  Bytes& text(std::string_view value) {
    number<std::uint64_t>(value.size());
    bytes_ += value;
    return *this;
  }
  void raw(std::string_view bytes) { bytes_ += bytes; }
  void align() { bytes_.resize(aligned(bytes_.size())); }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// What the file says about the model: keys and values.
class Metadata {
 public:
  void number(std::string_view key, std::size_t value) {
    start(key, ValueType::uint32).number(static_cast<std::uint32_t>(value));
  }
  void real(std::string_view key, double value) {
    start(key, ValueType::float32).number(static_cast<float>(value));
  }
  void flag(std::string_view key, bool value) {
    start(key, ValueType::boolean).number(static_cast<std::uint8_t>(value));
  }
  void text(std::string_view key, std::string_view value) {
    start(key, ValueType::text).text(value);
  }
  /// An array, to which the caller adds its `size` elements.
  Bytes& array(std::string_view key, ValueType element, std::size_t size) {
    return start(key, ValueType::array).number(element).number<std::uint64_t>(size);
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const std::string& bytes() const { return bytes_.bytes(); }

 private:
  Bytes& start(std::string_view key, ValueType type) {
    ++size_;
    return bytes_.text(key).number(type);
  }

  Bytes bytes_;
  std::uint64_t size_ = 0;
};

void add_shape(Metadata& metadata, const TinyGguf& model) {
  metadata.text("general.architecture", "llama");
  metadata.text("general.name", "tiny");
  metadata.number("llama.context_length", model.context);
  metadata.number("llama.embedding_length", model.width);
  metadata.number("llama.block_count", model.num_layers);
  metadata.number("llama.feed_forward_length", model.feed_forward);
  metadata.number("llama.attention.head_count", model.num_heads);
  metadata.number("llama.attention.head_count_kv", model.num_kv_heads);
  metadata.real("llama.attention.layer_norm_rms_epsilon", model.norm_epsilon);
  metadata.number("llama.rope.dimension_count", model.head_size);
  metadata.real("llama.rope.freq_base", model.rope_base);
}

void add_vocabulary(Metadata& metadata, const TinyGguf& model) {
  const std::vector<Piece>& pieces = tiny_vocabulary();
  metadata.text("tokenizer.ggml.model", "llama");
  Bytes& texts = metadata.array("tokenizer.ggml.tokens", ValueType::text, pieces.size());
  for (const Piece& piece : pieces) texts.text(piece.text);
  Bytes& scores = metadata.array("tokenizer.ggml.scores", ValueType::float32, pieces.size());
  for (const Piece& piece : pieces) scores.number(piece.score);
  Bytes& kinds = metadata.array("tokenizer.ggml.token_type", ValueType::int32, pieces.size());
  for (const Piece& piece : pieces) kinds.number(piece.kind);
  metadata.number("tokenizer.ggml.unknown_token_id", 0);
  metadata.number("tokenizer.ggml.bos_token_id", tiny_bos);
  metadata.number("tokenizer.ggml.eos_token_id", tiny_eos);
  metadata.flag("tokenizer.ggml.add_bos_token", model.add_bos);
  if (!model.chat_template.empty()) {
    metadata.text("tokenizer.chat_template", model.chat_template);
  }
}

std::string_view bytes_of(const TinyTensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.values.data()),
          tensor.values.size() * sizeof(float)};
}

/// Where each tensor is: the sizes go from the fastest running to the slowest.
void add_directory(Bytes& file, const std::vector<TinyTensor>& weights) {
  constexpr std::uint32_t float32 = 0;
  std::uint64_t offset = 0;
  for (const TinyTensor& tensor : weights) {
    const bool vector = tensor.rows == 1;
    file.text(tensor.name).number<std::uint32_t>(vector ? 1 : 2);
    file.number<std::uint64_t>(tensor.columns);
    if (!vector) file.number<std::uint64_t>(tensor.rows);
    file.number(float32).number(offset);
    offset += aligned(bytes_of(tensor).size());
  }
}

/// Draws the weights one tensor after the other, each from a stream of its own.
class Drawing {
 public:
  explicit Drawing(std::uint64_t seed) : seed_(seed) {}

  /// Values around 0 that spread by `deviation`.
  void matrix(const std::string& name, std::size_t rows, std::size_t columns, double deviation) {
    draw({name + ".weight", rows, columns}, 0, deviation * std::sqrt(3.0));
  }
  /// Factors around 1.
  void norm(const std::string& name) { draw({name + ".weight", 1, TinyGguf::width}, 1, 0.5); }

  std::vector<TinyTensor> tensors;

 private:
  void draw(TinyTensor tensor, double middle, double radius) {
    Rng rng = Rng::stream(seed_, tensors.size());
    for (std::size_t i = 0; i < tensor.rows * tensor.columns; ++i) {
      tensor.values.push_back(static_cast<float>(middle + radius * (2 * rng.uniform() - 1)));
    }
    tensors.push_back(std::move(tensor));
  }

  std::uint64_t seed_;
};

}  // namespace

std::vector<TinyTensor> tiny_weights(const TinyGguf& model) {
  constexpr std::size_t width = TinyGguf::width;
  const double even = 1 / std::sqrt(static_cast<double>(width));  // keeps the size of a vector
  Drawing drawing(model.seed);
  drawing.matrix("token_embd", tiny_vocabulary().size(), width, 1);
  for (std::size_t l = 0; l < model.num_layers; ++l) {
    const std::string layer = "blk." + std::to_string(l) + ".";
    drawing.norm(layer + "attn_norm");
    drawing.matrix(layer + "attn_q", width, width, 1.5 * even);
    drawing.matrix(layer + "attn_k", TinyGguf::kv_width, width, 1.5 * even);
    drawing.matrix(layer + "attn_v", TinyGguf::kv_width, width, 1.5 * even);
    drawing.matrix(layer + "attn_output", width, width, 1.5 * even);
    drawing.norm(layer + "ffn_norm");
    drawing.matrix(layer + "ffn_gate", TinyGguf::feed_forward, width, 1.5 * even);
    drawing.matrix(layer + "ffn_up", TinyGguf::feed_forward, width, even);
    drawing.matrix(layer + "ffn_down", width, TinyGguf::feed_forward, even);
  }
  drawing.norm("output_norm");
  drawing.matrix("output", tiny_vocabulary().size(), width, 2.5 * even);
  return std::move(drawing.tensors);
}

std::string tiny_gguf_bytes(const TinyGguf& model) {
  const std::vector<TinyTensor> weights = tiny_weights(model);
  Metadata metadata;
  add_shape(metadata, model);
  add_vocabulary(metadata, model);
  Bytes file;
  file.raw("GGUF");
  file.number<std::uint32_t>(3).number<std::uint64_t>(weights.size()).number(metadata.size());
  file.raw(metadata.bytes());
  add_directory(file, weights);
  for (const TinyTensor& tensor : weights) {
    file.align();
    file.raw(bytes_of(tensor));
  }
  file.align();
  return file.bytes();
}

void write_tiny_gguf(const std::string& path, const TinyGguf& model) {
  const std::string bytes = tiny_gguf_bytes(model);
  std::ofstream file(path, std::ios::binary);
  if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush()) {
    throw std::runtime_error(path + ": cannot be written");
  }
}

}  // namespace caos::test
