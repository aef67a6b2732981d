#include "caos/text/encoders/embedding_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/io/utf8.hpp"
#include "caos/text/models/servers/open_server.hpp"

namespace caos::text {
namespace {

constexpr const char* embeddings_path = "/v1/embeddings";
constexpr const char* sentence = "The sun rises in the east.";
constexpr std::size_t texts_at_once = 32;  // what TEI takes by default
constexpr std::size_t largest_dimension = 1U << 20;

/// Writes the direction of a vector.
void write_direction(const std::vector<double>& vector, std::size_t index, std::span<float> row) {
  double squares = 0;
  for (const double value : vector) squares += value * value;
  const double length = std::sqrt(squares);
  if (!std::isfinite(length) || length == 0) {
    throw WrongAnswer(fmt::format("the vector with index {} is zero or not finite", index));
  }
  std::ranges::transform(vector, row.begin(),
                         [&](double value) { return static_cast<float>(value / length); });
}

std::size_t index_of(const Json& entry, std::size_t count) {
  const Json& index = entry.at("index");
  if (!index.is_number_unsigned() || index.get<std::size_t>() >= count) {
    throw WrongAnswer(fmt::format("an index is not one of {} texts", count));
  }
  return index.get<std::size_t>();
}

std::size_t dimension_in(const Json& data) {
  const std::size_t dimension = data.at(0).at("embedding").size();
  if (dimension == 0 || dimension > largest_dimension) {
    throw WrongAnswer(fmt::format("a vector has {} values", dimension));
  }
  return dimension;
}

class EmbeddingServer final : public TextEncoder {
 public:
  EmbeddingServer(JsonServer server, const LanguageModelOptions& options)
      : server_(std::move(server)),
        model_(choose_model(server_, options.server_model)),
        concurrency_(options.concurrency),
        context_(options.context > 0 ? options.context : model_.context) {
    const std::string first[] = {sentence};
    dimension_ = ask(first).cols();
  }

  [[nodiscard]] std::string description() const override {
    return fmt::format(
        "embed-server:{}, model '{}' by that name only, its content is not known, {} dimensions{}",
        server_.url(), model_.name, dimension_,
        context_ > 0 ? fmt::format(", context {}", context_) : "");
  }

  [[nodiscard]] std::string identity() const override {
    return fmt::format(
        "server/embeddings url={} model={} dimension={} context={} "
        "bytes-per-token={}",
        server_.url(), model_.name, dimension_, context_, bytes_per_token);
  }

  [[nodiscard]] std::size_t dimension() const override { return dimension_; }

  [[nodiscard]] EncodedTexts embed(std::span<const std::string> texts) const override {
    EncodedTexts encoded{.vectors = Matrix<float>(texts.size(), dimension_)};
    for (const std::string& text : texts) encoded.truncated.push_back(text.size() > most_bytes());
    parallel_for(texts.size(), texts_at_once, concurrency_,
                 [&](std::size_t first, std::size_t last) {
                   const Matrix<float> vectors = ask(texts.subspan(first, last - first));
                   std::copy_n(vectors.view().data(),
                               static_cast<std::ptrdiff_t>(vectors.rows() * dimension_),
                               encoded.vectors.row(first).data());
                 });
    return encoded;
  }

 private:
  [[nodiscard]] std::size_t most_bytes() const {
    return context_ == 0 ? SIZE_MAX : context_ * bytes_per_token;
  }

  [[nodiscard]] std::string as_sent(const std::string& text) const {
    return text.empty() ? " " : text.substr(0, character_start(text, most_bytes()));
  }

  [[nodiscard]] Matrix<float> ask(std::span<const std::string> texts) const {
    Json input = Json::array();
    for (const std::string& text : texts) input.push_back(as_sent(text));
    const JsonAnswer answer = server_.ask(
        embeddings_path,
        {{"model", model_.name}, {"input", std::move(input)}, {"encoding_format", "float"}});
    if (!answer.ok()) {
      const bool is_about_texts =
          answer.status == 400 || answer.status == 413 || answer.status == 422;
      server_.fail(
          embeddings_path,
          fmt::format(
              "the server answered {}: {}{}", answer.status, answer.said,
              is_about_texts ? "; where a text is too long for it, a context cuts the texts" : ""));
    }
    return server_.reading(embeddings_path, "the answer has no embeddings that can be used",
                           [&] { return read_embeddings(answer.body, texts.size(), dimension_); });
  }

  JsonServer server_;
  OfferedModel model_;
  std::size_t concurrency_;
  std::size_t context_;
  std::size_t dimension_ = 0;  ///< not known yet
};

}  // namespace

Matrix<float> read_embeddings(const Json& answer, std::size_t count, std::size_t dimension) {
  const Json& data = answer.at("data");
  if (!data.is_array() || data.size() != count) {
    throw WrongAnswer(fmt::format("it has {} vectors for {} texts", data.size(), count));
  }
  if (dimension == 0) dimension = dimension_in(data);
  Matrix<float> vectors(count, dimension);
  std::vector<bool> found(count);
  for (const Json& entry : data) {
    const std::size_t index = index_of(entry, count);
    if (found[index]) throw WrongAnswer(fmt::format("index {} comes twice", index));
    found[index] = true;
    const auto vector = entry.at("embedding").get<std::vector<double>>();
    if (vector.size() != dimension) {
      throw WrongAnswer(fmt::format("the vector with index {} has {} values, others have {}", index,
                                    vector.size(), dimension));
    }
    write_direction(vector, index, vectors.row(index));
  }
  return vectors;
}

std::unique_ptr<TextEncoder> open_embedding_server(const std::string& url,
                                                   const LanguageModelOptions& options) {
  return std::make_unique<EmbeddingServer>(open_json_server(url, options), options);
}

}  // namespace caos::text
