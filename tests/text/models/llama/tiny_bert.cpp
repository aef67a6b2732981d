#include "tests/text/models/llama/tiny_bert.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "caos/rng.hpp"
#include "tests/text/models/llama/gguf_writer.hpp"

namespace caos::test {
namespace {

constexpr std::size_t num_layers = 2;
constexpr std::size_t num_heads = 2;
constexpr std::size_t head_size = TinyBert::width / num_heads;
constexpr std::size_t feed_forward = 32;
constexpr double epsilon = 1e-12;

enum SpecialToken : std::size_t { padding, unknown, beginning, end, mask, first_word };

/// A word begins with U+2581; what goes on with one does not.
const std::vector<std::string>& bert_vocabulary() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> pieces = {"[PAD]",     "[UNK]",     "[CLS]", "[SEP]",    "[MASK]",
                                       "\u2581red", "\u2581dog", "s",     "\u2581cat"};
    for (char c = 'a'; c <= 'z'; ++c) pieces.push_back("\u2581" + std::string(1, c));
    return pieces;
  }();
  return all;
}

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

void add_to(std::vector<double>& sum, const std::vector<double>& other) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += other[i];
}

std::string block(std::size_t layer) { return "blk." + std::to_string(layer) + "."; }

void add_words(Metadata& metadata) {
  const std::vector<std::string>& pieces = bert_vocabulary();
  metadata.text("tokenizer.ggml.model", "bert");
  metadata.text("tokenizer.ggml.pre", "default");
  metadata.number("tokenizer.ggml.token_type_count", 2);
  Bytes& texts = metadata.array("tokenizer.ggml.tokens", ValueType::text, pieces.size());
  for (const std::string& piece : pieces) texts.text(piece);
  Bytes& kinds = metadata.array("tokenizer.ggml.token_type", ValueType::int32, pieces.size());
  for (std::size_t t = 0; t < pieces.size(); ++t) {
    kinds.number<std::int32_t>(t == unknown ? 2 : t < first_word ? 3 : 1);
  }
  metadata.number("tokenizer.ggml.padding_token_id", padding);
  metadata.number("tokenizer.ggml.unknown_token_id", unknown);
  metadata.number("tokenizer.ggml.bos_token_id", beginning);
  metadata.number("tokenizer.ggml.cls_token_id", beginning);
  metadata.number("tokenizer.ggml.eos_token_id", end);
  metadata.number("tokenizer.ggml.seperator_token_id", end);
  metadata.number("tokenizer.ggml.mask_token_id", mask);
}

}  // namespace

TinyBert::TinyBert(Pooling pooling) : pooling_(pooling) {
  const double even = 2 / std::sqrt(static_cast<double>(width));
  const auto linear_of = [&](const std::string& name, std::size_t rows, std::size_t columns) {
    add(name + ".weight", rows, columns, 0, even);
    add(name + ".bias", 1, rows, 0, 0.5);
  };
  const auto norm_of = [&](const std::string& name) {
    add(name + ".weight", 1, width, 1, 0.5);
    add(name + ".bias", 1, width, 0, 0.5);
  };
  add("token_embd.weight", bert_vocabulary().size(), width, 0, 1);
  add("token_types.weight", 2, width, 0, 1);
  add("position_embd.weight", context, width, 0, 1);
  norm_of("token_embd_norm");
  for (std::size_t l = 0; l < num_layers; ++l) {
    for (const char* name : {"attn_q", "attn_k", "attn_v", "attn_output"}) {
      linear_of(block(l) + name, width, width);
    }
    norm_of(block(l) + "attn_output_norm");
    linear_of(block(l) + "ffn_up", feed_forward, width);
    linear_of(block(l) + "ffn_down", width, feed_forward);
    norm_of(block(l) + "layer_output_norm");
  }
}

void TinyBert::add(const std::string& name, std::size_t rows, std::size_t columns, double middle,
                   double radius) {
  TinyTensor tensor{name, rows, columns};
  Rng rng = Rng::stream(5, weights_.size());
  for (std::size_t i = 0; i < rows * columns; ++i) {
    tensor.values.push_back(static_cast<float>(middle + radius * (2 * rng.uniform() - 1)));
  }
  places_[name] = weights_.size();
  weights_.push_back(std::move(tensor));
}

void TinyBert::write(const std::string& path) const {
  Metadata metadata;
  metadata.text("general.architecture", "bert");
  metadata.number("bert.context_length", context);
  metadata.number("bert.embedding_length", width);
  metadata.number("bert.block_count", num_layers);
  metadata.number("bert.feed_forward_length", feed_forward);
  metadata.number("bert.attention.head_count", num_heads);
  metadata.real("bert.attention.layer_norm_epsilon", epsilon);
  metadata.flag("bert.attention.causal", false);
  metadata.number("bert.pooling_type", static_cast<std::size_t>(pooling_));
  add_words(metadata);
  const std::string bytes = gguf_bytes(metadata, weights_);
  std::ofstream file(path, std::ios::binary);
  if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush()) {
    throw std::runtime_error(path + ": cannot be written");
  }
}

std::vector<std::size_t> TinyBert::tokens(std::string_view text) {
  const std::vector<std::string>& pieces = bert_vocabulary();
  const auto find = [&](const std::string& piece) {
    return static_cast<std::size_t>(std::ranges::find(pieces, piece) - pieces.begin());
  };
  std::vector<std::size_t> result = {beginning};
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const bool plural = word.size() > 1 && word.ends_with('s');
    result.push_back(find("\u2581" + (plural ? word.substr(0, word.size() - 1) : word)));
    if (plural) result.push_back(find("s"));
  }
  result.push_back(end);
  return result;
}

TinyBert::Vector TinyBert::row(const std::string& name, std::size_t index) const {
  const TinyTensor& tensor = weights_[places_.at(name + ".weight")];
  const auto values = std::span(tensor.values).subspan(index * tensor.columns, tensor.columns);
  return {values.begin(), values.end()};
}

TinyBert::Vector TinyBert::linear(const std::string& name, const Vector& x) const {
  const TinyTensor& bias = weights_[places_.at(name + ".bias")];
  Vector result(bias.values.begin(), bias.values.end());
  for (std::size_t r = 0; r < result.size(); ++r) {
    const Vector factors = row(name, r);
    result[r] = std::inner_product(x.begin(), x.end(), factors.begin(), result[r]);
  }
  return result;
}

TinyBert::Vector TinyBert::norm(const std::string& name, const Vector& x) const {
  const auto size = static_cast<double>(x.size());
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / size;
  double variance = 0;
  for (const double value : x) variance += (value - mean) * (value - mean) / size;
  const Vector factors = row(name, 0);
  const TinyTensor& bias = weights_[places_.at(name + ".bias")];
  Vector result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.push_back((x[i] - mean) / std::sqrt(variance + epsilon) * factors[i] +
                     double{bias.values[i]});
  }
  return result;
}

std::vector<TinyBert::Vector> TinyBert::attention(const std::string& layer,
                                                  const std::vector<Vector>& states) const {
  std::vector<Vector> result;
  for (const Vector& state : states) {
    const Vector query = linear(layer + "attn_q", state);
    Vector taken(width);
    for (std::size_t head = 0; head < num_heads; ++head) {
      const std::size_t from = head * head_size;
      Vector shares;
      double sum = 0;
      for (const Vector& other : states) {
        const Vector key = linear(layer + "attn_k", other);
        double dot = 0;
        for (std::size_t d = from; d < from + head_size; ++d) dot += query[d] * key[d];
        shares.push_back(std::exp(dot / std::sqrt(static_cast<double>(head_size))));
        sum += shares.back();
      }
      for (std::size_t t = 0; t < states.size(); ++t) {
        const Vector value = linear(layer + "attn_v", states[t]);
        for (std::size_t d = from; d < from + head_size; ++d)
          taken[d] += shares[t] / sum * value[d];
      }
    }
    result.push_back(linear(layer + "attn_output", taken));
  }
  return result;
}

std::vector<double> TinyBert::vector(std::span<const std::size_t> tokens) const {
  std::vector<Vector> states;
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    Vector state = row("token_embd", tokens[t]);
    add_to(state, row("token_types", 0));
    add_to(state, row("position_embd", t));
    states.push_back(norm("token_embd_norm", state));
  }
  for (std::size_t l = 0; l < num_layers; ++l) {
    const std::vector<Vector> attended = attention(block(l), states);
    for (std::size_t t = 0; t < states.size(); ++t) {
      add_to(states[t], attended[t]);
      states[t] = norm(block(l) + "attn_output_norm", states[t]);
      Vector up = linear(block(l) + "ffn_up", states[t]);
      std::ranges::transform(up, up.begin(), gelu);
      add_to(states[t], linear(block(l) + "ffn_down", up));
      states[t] = norm(block(l) + "layer_output_norm", states[t]);
    }
  }
  Vector pooled = states.front();
  if (pooling_ == Pooling::mean) {
    for (std::size_t t = 1; t < states.size(); ++t) add_to(pooled, states[t]);
  }
  const double length =
      std::sqrt(std::inner_product(pooled.begin(), pooled.end(), pooled.begin(), 0.0));
  for (double& value : pooled) value /= length;
  return pooled;
}

}  // namespace caos::test
