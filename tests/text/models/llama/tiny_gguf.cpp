#include "tests/text/models/llama/tiny_gguf.hpp"

#include <cmath>
#include <fstream>
#include <stdexcept>

#include "caos/rng.hpp"
#include "tests/text/models/llama/gguf_writer.hpp"
#include "tests/text/models/llama/tiny_vocabulary.hpp"

namespace caos::test {
namespace {

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
  if (model.pooling > 0) metadata.number("llama.pooling_type", model.pooling);
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
  Metadata metadata;
  add_shape(metadata, model);
  add_vocabulary(metadata, model);
  return gguf_bytes(metadata, tiny_weights(model));
}

void write_tiny_gguf(const std::string& path, const TinyGguf& model) {
  const std::string bytes = tiny_gguf_bytes(model);
  std::ofstream file(path, std::ios::binary);
  if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush()) {
    throw std::runtime_error(path + ": cannot be written");
  }
}

}  // namespace caos::test
