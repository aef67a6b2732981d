#include "caos/text/encoders/llama_encoder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <vector>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/io/checksum.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/io/utf8.hpp"
#include "caos/text/models/llama/llama_embedding.hpp"
#include "caos/text/models/llama/llama_model.hpp"

namespace caos::text {
namespace {

class LlamaEncoder final : public TextEncoder {
 public:
  LlamaEncoder(const std::string& path, std::size_t context)
      : name_(std::filesystem::path(path).filename().string()),
        hash_(io::checksum128({io::MappedFile::open(path).bytes()})),
        model_(path, context) {}

  [[nodiscard]] std::string description() const override {
    return fmt::format("embed:{}, {} dimensions, pooling {}, at most {} tokens", name_,
                       model_.dimension(), model_.pooling(), model_.context());
  }

  [[nodiscard]] std::string identity() const override {
    return fmt::format("{} embedding {} pooling {} context {}", llama_version(), hash_,
                       model_.pooling(), model_.context());
  }

  [[nodiscard]] std::size_t dimension() const override { return model_.dimension(); }

  [[nodiscard]] EncodedTexts embed(std::span<const std::string> texts) const override {
    EncodedTexts encoded{.vectors = Matrix<float>(texts.size(), dimension())};
    std::vector<char> truncated(texts.size());  // unlike bits, each has its own place in memory
    parallel_for(texts.size(), 1, 0, [&](std::size_t t, std::size_t) {
      truncated[t] = model_.embed(texts[t], encoded.vectors.row(t)) ? 1 : 0;
      make_direction(encoded.vectors.row(t), texts[t]);
    });
    encoded.truncated.assign(truncated.begin(), truncated.end());
    return encoded;
  }

 private:
  void make_direction(std::span<float> vector, const std::string& text) const {
    double squares = 0;
    for (const float value : vector) squares += double{value} * double{value};
    const double length = std::sqrt(squares);
    require(std::isfinite(length) && length > 0, ErrorKind::bad_format, [&] {
      return fmt::format("embed:{}: the vector of {} is zero or not finite", name_,
                         in_quotes(text));
    });
    for (float& value : vector) value = static_cast<float>(double{value} / length);
  }

  std::string name_;
  std::string hash_;
  LlamaEmbedding model_;
};

}  // namespace

std::unique_ptr<TextEncoder> open_llama_encoder(const std::string& path, std::size_t context) {
  return std::make_unique<LlamaEncoder>(path, context);
}

}  // namespace caos::text
