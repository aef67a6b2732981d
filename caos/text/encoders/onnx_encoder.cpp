#include "caos/text/encoders/onnx_encoder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "caos/error.hpp"
#include "caos/io/checksum.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/onnx/onnx_runtime.hpp"
#include "caos/text/encoders/encoder_folder.hpp"

namespace caos::text {
namespace {

constexpr std::string_view token_inputs[] = {"input_ids", "attention_mask", "token_type_ids"};

/// What the vectors of tokens are called, and those of whole texts.
constexpr std::array<std::string_view, 2> token_outputs = {"last_hidden_state", "token_embeddings"};
constexpr std::string_view text_output = "sentence_embedding";

/// 32 digits that stand for the contents of files.
std::string content_hash(const std::vector<std::string>& files) {
  std::vector<io::MappedFile> mapped;
  std::vector<std::span<const std::byte>> parts;
  for (const std::string& file : files) mapped.push_back(io::MappedFile::open(file));
  for (const io::MappedFile& file : mapped) parts.push_back(file.bytes());
  std::string hash = io::checksum128(parts);
  for (const io::MappedFile& file : mapped) file.require_unchanged();
  return hash;
}

std::string_view pooling_name(Pooling pooling) {
  return pooling == Pooling::mean ? "mean" : "first-token";
}

/// The sum over tokens, whose direction is that of their mean.
std::vector<double> pooled(std::span<const float> values, std::size_t tokens, Pooling pooling) {
  const std::size_t dimension = values.size() / tokens;
  std::vector<double> sum(dimension);
  const std::size_t used = pooling == Pooling::mean ? tokens : 1;
  for (std::size_t t = 0; t < used; ++t) {
    for (std::size_t d = 0; d < dimension; ++d) sum[d] += double{values[t * dimension + d]};
  }
  return sum;
}

class OnnxEncoder final : public TextEncoder {
 public:
  explicit OnnxEncoder(const std::string& path)
      : folder_(read_encoder_folder(path)),
        hash_(content_hash(encoder_files(path))),
        session_({.model = folder_.model, .threads = 1}) {
    check_inputs();
    output_ = find_output();
    dimension_ = vector_of("").size();
  }

  [[nodiscard]] std::string description() const override {
    return fmt::format("encoder:{}, {} dimensions, at most {} tokens", folder_.name, dimension_,
                       folder_.most_tokens);
  }

  [[nodiscard]] std::string identity() const override {
    return fmt::format("encoder 1:{} output={} pooling={} tokens={}", hash_, output_,
                       pooling_name(folder_.pooling), folder_.most_tokens);
  }

  [[nodiscard]] std::size_t dimension() const override { return dimension_; }

  [[nodiscard]] EncodedTexts embed(std::span<const std::string> texts) const override {
    EncodedTexts result{.vectors = Matrix<float>(texts.size(), dimension_),
                        .truncated = std::vector<bool>(texts.size())};
    for (std::size_t t = 0; t < texts.size(); ++t) {
      bool truncated = false;
      const std::vector<double> vector = vector_of(texts[t], &truncated);
      set_unit_row(vector, result.vectors.row(t));
      result.truncated[t] = truncated;
    }
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::bad_format, fmt::format("{}: {}", folder_.model, what));
  }

  void check_inputs() const {
    const auto has = [&](std::string_view name) {
      return std::ranges::find(session_.inputs(), name, &OnnxTensor::name) !=
             session_.inputs().end();
    };
    if (!has("input_ids")) fail("has no input input_ids, so that it is not an encoder of texts");
    for (const OnnxTensor& input : session_.inputs()) {
      const bool known = std::ranges::find(token_inputs, input.name) != std::end(token_inputs);
      if (!known || input.element != OnnxElement::int64) {
        fail(fmt::format("has an input {} that caos cannot give; an encoder takes {} of int64",
                         input.name, fmt::join(token_inputs, ", ")));
      }
    }
  }

  [[nodiscard]] std::string find_output() const {
    const auto is_float_output = [&](std::string_view name) {
      const auto found = std::ranges::find(session_.outputs(), name, &OnnxTensor::name);
      return found != session_.outputs().end() && found->element == OnnxElement::float32;
    };
    for (const std::string_view name : token_outputs) {
      if (is_float_output(name)) return std::string(name);
    }
    if (is_float_output(text_output)) return std::string(text_output);
    fail(fmt::format("has no output {} or {} of float32", fmt::join(token_outputs, ", "),
                     text_output));
  }

  /// The text's vector, before it is divided by its length.
  [[nodiscard]] std::vector<double> vector_of(const std::string& text,
                                              bool* truncated = nullptr) const {
    const TokenizedText tokens =
        folder_.tokenizer.tokenize(folder_.prompt + text, folder_.most_tokens);
    if (truncated != nullptr) *truncated = tokens.truncated;
    const std::vector<TokenId> ones(tokens.ids.size(), 1);
    const std::vector<TokenId> zeros(tokens.ids.size(), 0);
    std::vector<OnnxValues> inputs;
    for (const OnnxTensor& input : session_.inputs()) {
      const std::vector<TokenId>& values = input.name == token_inputs[0]   ? tokens.ids
                                           : input.name == token_inputs[1] ? ones
                                                                           : zeros;
      inputs.push_back({.name = input.name,
                        .values = std::span<const std::int64_t>(values),
                        .shape = {1, static_cast<std::int64_t>(values.size())}});
    }
    std::vector<double> vector;
    session_.run(inputs, output_,
                 [&](std::span<const float> values, std::span<const std::int64_t> shape) {
                   vector = vector_from(values, shape, tokens.ids.size());
                 });
    return vector;
  }

  [[nodiscard]] std::vector<double> vector_from(std::span<const float> values,
                                                std::span<const std::int64_t> shape,
                                                std::size_t tokens) const {
    const bool of_tokens = output_ != text_output;
    const bool fits = shape.size() == (of_tokens ? 3 : 2) && shape[0] == 1 &&
                      (!of_tokens || shape[1] == static_cast<std::int64_t>(tokens)) &&
                      shape.back() >= 1;
    if (!fits) {
      fail(fmt::format("{} has shape [{}] for a text of {} tokens", output_, fmt::join(shape, ", "),
                       tokens));
    }
    std::vector<double> vector = pooled(values, of_tokens ? tokens : 1, folder_.pooling);
    if (dimension_ != 0 && vector.size() != dimension_) {
      fail(fmt::format("gives vectors of {} and of {} values", dimension_, vector.size()));
    }
    return vector;
  }

  void set_unit_row(std::span<const double> vector, std::span<float> row) const {
    double square = 0;
    for (const double value : vector) square += value * value;
    if (!std::isfinite(square)) fail("gives a text a vector that is not finite");
    if (square == 0) fail("gives a text a vector of zeros, which has no direction");
    const double length = std::sqrt(square);
    std::ranges::transform(vector, row.begin(),
                           [&](double value) { return static_cast<float>(value / length); });
  }

  EncoderFolder folder_;
  std::string hash_;
  OnnxSession session_;
  std::string output_{};
  std::size_t dimension_ = 0;
};

}  // namespace

std::unique_ptr<TextEncoder> open_onnx_encoder(const std::string& path) {
  return std::make_unique<OnnxEncoder>(path);
}

}  // namespace caos::text
