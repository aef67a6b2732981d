#include "tests/text/models/llama/reference_forward.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace caos::test {
namespace {

using Vector = std::vector<double>;

constexpr int half_digits = 11;
constexpr int bfloat_digits = 8;

void add(Vector& sum, const Vector& x) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += x[i];
}

/// Turns each pair of neighbors in each head by an angle that grows with the position.
void rotate(Vector& heads, std::size_t position) {
  for (std::size_t i = 0; i < heads.size(); i += 2) {
    const auto within = static_cast<double>(i % TinyGguf::head_size);
    const double angle = static_cast<double>(position) *
                         std::pow(TinyGguf::rope_base, -within / TinyGguf::head_size);
    const double x = heads[i];
    const double y = heads[i + 1];
    heads[i] = x * std::cos(angle) - y * std::sin(angle);
    heads[i + 1] = x * std::sin(angle) + y * std::cos(angle);
  }
}

void round_all(Vector& x, int digits) {
  for (double& value : x) value = rounded(value, digits);
}

/// How much `query` looks at each position up to its own, for one head.
Vector looks(const Vector& query, std::span<const Vector> keys, std::size_t head) {
  constexpr std::size_t size = TinyGguf::head_size;
  const std::size_t kv_head = head * TinyGguf::num_kv_heads / TinyGguf::num_heads;
  Vector result;
  for (const Vector& key : keys) {
    double dot = 0;
    for (std::size_t i = 0; i < size; ++i) dot += query[head * size + i] * key[kv_head * size + i];
    result.push_back(dot / std::sqrt(static_cast<double>(size)));
  }
  result = log_softmax(result);
  for (double& look : result) look = std::exp(look);
  return result;
}

/// What one query takes from the values of all positions up to its own.
Vector taken(const Vector& query, std::span<const Vector> keys, std::span<const Vector> values) {
  constexpr std::size_t size = TinyGguf::head_size;
  Vector result(TinyGguf::width);
  for (std::size_t head = 0; head < TinyGguf::num_heads; ++head) {
    const std::size_t kv_head = head * TinyGguf::num_kv_heads / TinyGguf::num_heads;
    const Vector weights = looks(query, keys, head);
    for (std::size_t t = 0; t < values.size(); ++t) {
      for (std::size_t i = 0; i < size; ++i) {
        result[head * size + i] += weights[t] * values[t][kv_head * size + i];
      }
    }
  }
  return result;
}

}  // namespace

double rounded(double value, int digits) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, digits)), exponent - digits);
}

Vector log_softmax(std::span<const double> logits) {
  const double largest = *std::ranges::max_element(logits);
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit - largest);
  Vector result;
  for (const double logit : logits) result.push_back(logit - largest - std::log(sum));
  return result;
}

double Continuation::log_likelihood() const {
  return std::accumulate(log_probabilities.begin(), log_probabilities.end(), 0.0);
}

ReferenceForward::ReferenceForward(const TinyGguf& model, Memory memory)
    : model_(model), memory_(memory) {
  for (TinyTensor& tensor : tiny_weights(model)) weights_[tensor.name] = std::move(tensor);
}

const TinyTensor& ReferenceForward::weight(const std::string& name) const {
  return weights_.at(name + ".weight");
}

Vector ReferenceForward::times(const std::string& matrix, const Vector& x) const {
  const TinyTensor& m = weight(matrix);
  Vector result(m.rows);
  for (std::size_t row = 0; row < m.rows; ++row) {
    for (std::size_t column = 0; column < m.columns; ++column) {
      result[row] += static_cast<double>(m.values[row * m.columns + column]) * x[column];
    }
  }
  return result;
}

Vector ReferenceForward::norm(const std::string& factors, const Vector& x) const {
  const double squares = std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
  const double size = std::sqrt(squares / static_cast<double>(x.size()) + TinyGguf::norm_epsilon);
  const std::vector<float>& factor = weight(factors).values;
  Vector result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.push_back(x[i] / size * static_cast<double>(factor[i]));
  }
  return result;
}

std::vector<Vector> ReferenceForward::attention(const std::string& layer,
                                                const std::vector<Vector>& states) const {
  std::vector<Vector> keys, values, result;
  for (std::size_t t = 0; t < states.size(); ++t) {
    const Vector x = norm(layer + "attn_norm", states[t]);
    Vector query = times(layer + "attn_q", x);
    keys.push_back(times(layer + "attn_k", x));
    values.push_back(times(layer + "attn_v", x));
    rotate(query, t);
    rotate(keys.back(), t);
    if (memory_ == Memory::short_floats) {
      round_all(query, half_digits);
      round_all(keys.back(), half_digits);
      round_all(values.back(), bfloat_digits);
    }
    result.push_back(times(layer + "attn_output", taken(query, keys, values)));
  }
  return result;
}

Vector ReferenceForward::feed_forward(const std::string& layer, const Vector& state) const {
  const Vector x = norm(layer + "ffn_norm", state);
  Vector gate = times(layer + "ffn_gate", x);
  const Vector up = times(layer + "ffn_up", x);
  for (std::size_t i = 0; i < gate.size(); ++i)
    gate[i] = gate[i] / (1 + std::exp(-gate[i])) * up[i];
  return times(layer + "ffn_down", gate);
}

std::vector<Token> ReferenceForward::tokens(std::string_view text) const {
  std::vector<Token> result = reference_tokens(text);
  if (model_.add_bos) result.insert(result.begin(), tiny_bos);
  return result;
}

std::vector<Vector> ReferenceForward::states(std::span<const Token> tokens) const {
  const TinyTensor& embedding = weight("token_embd");
  std::vector<Vector> states;
  for (const Token token : tokens) {
    const auto begin = static_cast<std::size_t>(token) * embedding.columns;
    const auto row = std::span(embedding.values).subspan(begin, embedding.columns);
    states.emplace_back(row.begin(), row.end());
  }
  for (std::size_t l = 0; l < model_.num_layers; ++l) {
    const std::string layer = "blk." + std::to_string(l) + ".";
    const std::vector<Vector> attended = attention(layer, states);
    for (std::size_t t = 0; t < states.size(); ++t) {
      add(states[t], attended[t]);
      add(states[t], feed_forward(layer, states[t]));
    }
  }
  for (Vector& state : states) state = norm("output_norm", state);
  return states;
}

std::vector<Vector> ReferenceForward::logits(std::span<const Token> tokens) const {
  std::vector<Vector> result = states(tokens);
  for (Vector& state : result) state = times("output", state);
  return result;
}

Vector ReferenceForward::log_probabilities(std::span<const Token> tokens) const {
  const std::vector<Vector> all = logits(tokens);
  Vector result;
  for (std::size_t t = 0; t + 1 < tokens.size(); ++t) {
    result.push_back(log_softmax(all[t])[static_cast<std::size_t>(tokens[t + 1])]);
  }
  return result;
}

Continuation ReferenceForward::continuation(const std::string& prompt,
                                            const std::string& continuation) const {
  const std::vector<Token> alone = tokens(prompt);
  Continuation result{.tokens = tokens(prompt + continuation)};
  result.first =
      static_cast<std::size_t>(std::ranges::mismatch(alone, result.tokens).in1 - alone.begin());
  const Vector all = log_probabilities(result.tokens);
  // The first token of all has nothing before it to be likely after.
  const std::size_t skipped = result.first > 0 ? result.first - 1 : 0;
  result.log_probabilities.assign(all.begin() + static_cast<std::ptrdiff_t>(skipped), all.end());
  return result;
}

std::vector<LabelLikelihood> reference_likelihoods(const ReferenceForward& model,
                                                   const text::Question& question,
                                                   const text::LabeledText& reference,
                                                   const std::string& text) {
  const std::string prompt =
      question.prompt.prompt(reference.text, question.labels[reference.label], text);
  std::vector<LabelLikelihood> result;
  for (const std::string& label : question.labels.names()) {
    const Continuation of = model.continuation(prompt, " " + label);
    result.push_back(
        {of.log_likelihood(), static_cast<std::uint32_t>(of.log_probabilities.size())});
  }
  return result;
}

}  // namespace caos::test
