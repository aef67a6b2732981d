#include "caos/text/models/llama/llama_embedding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "caos/error.hpp"
#include "caos/text/models/llama/llama_library.hpp"

namespace caos::text {
namespace {

using EmbeddingContext = std::unique_ptr<llama_context, decltype(&llama_free)>;

/// Tokens of a text, and whether some were left out.
struct CutTokens {
  Tokens tokens{};
  bool truncated = false;
};

const char* pooling_name(enum llama_pooling_type type) {
  switch (type) {
    case LLAMA_POOLING_TYPE_MEAN:
      return "mean";
    case LLAMA_POOLING_TYPE_CLS:
      return "cls";
    case LLAMA_POOLING_TYPE_LAST:
      return "last";
    default:
      return "";
  }
}

EmbeddingContext make_context(const LlamaFile& file, std::size_t size) {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = params.n_batch = params.n_ubatch = static_cast<std::uint32_t>(size);
  params.n_outputs_max = static_cast<std::uint32_t>(size);
  params.n_seq_max = 1;
  params.n_threads = params.n_threads_batch = 1;
  params.embeddings = true;
  params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
  params.type_k = params.type_v = GGML_TYPE_F32;
  params.no_perf = true;
  forget_llama_complaint();
  EmbeddingContext context(llama_init_from_model(file.model.get(), params), llama_free);
  require(context != nullptr, ErrorKind::backend, [&] {
    return fmt::format("{}: llama.cpp has no memory for {} tokens{}", file.path, size,
                       llama_complaint());
  });
  return context;
}

std::size_t context_size(const LlamaFile& file, std::size_t wanted) {
  const auto trained =
      static_cast<std::size_t>(std::max(llama_model_n_ctx_train(file.model.get()), 0));
  require(wanted <= trained, ErrorKind::invalid_input, [&] {
    return fmt::format("context {}: {} was trained with {} tokens; give at most that", wanted,
                       file.path, trained);
  });
  return wanted > 0 ? wanted : std::min(trained, LlamaEmbedding::usual_context);
}

}  // namespace

struct LlamaEmbedding::State {
  State(const std::string& path, std::size_t wanted)
      : file(path), size(context_size(file, wanted)), around(file.tokenize("", false, true)) {
    idle.push_back(make_context(file, size));
    pooling = pooling_name(llama_pooling_type(idle.front().get()));
    require(!pooling.empty(), ErrorKind::invalid_input, [&] {
      return fmt::format(
          "{}: names no pooling of a text's vectors into one, so it is not an embedding model; use "
          "a "
          "GGUF file of an embedding model",
          path);
    });
    require(size > around.size(), ErrorKind::invalid_input, [&] {
      return fmt::format("context {}: {} puts {} tokens around a text; give more than that", size,
                         path, around.size());
    });
  }

  /// The tokens with what the model wants around them; where they are too many, the last ones of
  /// the text are left out.
  [[nodiscard]] CutTokens tokens_of(const std::string& text) const {
    Tokens all = file.tokenize(text, false, true);
    if (all.empty()) all = file.tokenize(" ", false, true);
    if (all.size() <= size) return {.tokens = std::move(all)};
    const Tokens plain = file.tokenize(text, false);
    const auto at = std::search(all.begin(), all.end(), plain.begin(), plain.end());
    const auto removed = static_cast<std::ptrdiff_t>(all.size() - size);
    const auto end = at == all.end() ? at : at + std::ssize(plain);
    all.erase(end - removed, end);
    return {.tokens = std::move(all), .truncated = true};
  }

  [[nodiscard]] EmbeddingContext take() {
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        EmbeddingContext context = std::move(idle.back());
        idle.pop_back();
        return context;
      }
    }
    return make_context(file, size);
  }

  void give_back(EmbeddingContext context) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(context));
  }

  void run(llama_context* context, const Tokens& tokens) const;

  LlamaFile file;
  std::size_t size;
  Tokens around;  ///< what stands around an empty text
  std::string pooling{};
  std::mutex mutex{};
  std::vector<EmbeddingContext> idle{};
};

void LlamaEmbedding::State::run(llama_context* context, const Tokens& tokens) const {
  forget_llama_complaint();
  llama_batch batch = llama_batch_init(static_cast<std::int32_t>(tokens.size()), 0, 1);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    batch.token[i] = tokens[i];
    batch.pos[i] = static_cast<llama_pos>(i);
    batch.n_seq_id[i] = 1;
    batch.seq_id[i][0] = 0;
    batch.logits[i] = 1;
  }
  batch.n_tokens = static_cast<std::int32_t>(tokens.size());
  // Models that look at a text as a whole have no memory of it.
  llama_memory_t memory = llama_get_memory(context);
  if (memory != nullptr) llama_memory_clear(memory, true);
  const std::int32_t failure =
      memory == nullptr ? llama_encode(context, batch) : llama_decode(context, batch);
  llama_batch_free(batch);
  require(failure == 0, ErrorKind::backend, [&] {
    return fmt::format("{}: llama.cpp failed with code {}{}", file.path, failure,
                       llama_complaint());
  });
}

LlamaEmbedding::LlamaEmbedding(const std::string& path, std::size_t context)
    : state_(std::make_unique<State>(path, context)) {}

LlamaEmbedding::~LlamaEmbedding() = default;

std::size_t LlamaEmbedding::dimension() const {
  return static_cast<std::size_t>(llama_model_n_embd_out(state_->file.model.get()));
}

std::size_t LlamaEmbedding::context() const { return state_->size; }

std::string LlamaEmbedding::pooling() const { return state_->pooling; }

bool LlamaEmbedding::embed(const std::string& text, std::span<float> vector) const {
  const CutTokens cut = state_->tokens_of(text);
  EmbeddingContext context = state_->take();
  state_->run(context.get(), cut.tokens);
  const float* const values = llama_get_embeddings_seq(context.get(), 0);
  require(values != nullptr, ErrorKind::backend, [&] {
    return fmt::format("{}: llama.cpp has no vector{}", state_->file.path, llama_complaint());
  });
  std::copy_n(values, vector.size(), vector.begin());
  state_->give_back(std::move(context));
  return cut.truncated;
}

}  // namespace caos::text
