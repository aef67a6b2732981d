// Stands in for llama_embedding.cpp where llama.cpp was not found.
#include "caos/error.hpp"
#include "caos/text/models/llama/llama_embedding.hpp"

namespace caos::text {

struct LlamaEmbedding::State {};

LlamaEmbedding::LlamaEmbedding(const std::string& path, std::size_t /*context*/) {
  throw Error(ErrorKind::backend,
              path + ": caos was built without llama.cpp: run tools/setup and build again");
}
LlamaEmbedding::~LlamaEmbedding() = default;
std::size_t LlamaEmbedding::dimension() const { return 0; }
std::size_t LlamaEmbedding::context() const { return 0; }
std::string LlamaEmbedding::pooling() const { return {}; }
bool LlamaEmbedding::embed(const std::string& /*text*/, std::span<float> /*vector*/) const {
  return false;
}

}  // namespace caos::text
