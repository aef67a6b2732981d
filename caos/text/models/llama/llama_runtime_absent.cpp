// Stands in for llama_runtime.cpp where llama.cpp was not found.
#include "caos/error.hpp"
#include "caos/text/models/llama/llama_model.hpp"
#include "caos/text/models/llama/llama_runtime.hpp"

namespace caos::text {

struct LlamaWeights::State {};
struct LlamaContext::State {};

LlamaWeights::LlamaWeights(const std::string& path) {
  throw Error(ErrorKind::backend,
              path + ": caos was built without llama.cpp: run tools/setup and build again");
}
LlamaWeights::~LlamaWeights() = default;
Tokens LlamaWeights::tokenize(const std::string& /*text*/) const { return {}; }
Tokens LlamaWeights::tokenize_special(const std::string& /*text*/) const { return {}; }
PromptFrame LlamaWeights::frame(bool /*chat*/) const { return {}; }
std::size_t LlamaWeights::trained_context() const { return 0; }
bool LlamaWeights::can_fork() const { return false; }
std::size_t LlamaWeights::most_sequences() { return 1; }

LlamaContext::LlamaContext(const LlamaWeights& /*weights*/, std::size_t /*size*/,
                           std::size_t /*sequences*/, std::size_t /*predictions*/) {}
LlamaContext::~LlamaContext() = default;
void LlamaContext::keep(std::size_t /*positions*/) {}
void LlamaContext::run(std::span<const RunToken> /*tokens*/) {}
std::span<const float> LlamaContext::logits(std::size_t /*place*/) const { return {}; }

std::string llama_version() { return {}; }

}  // namespace caos::text
