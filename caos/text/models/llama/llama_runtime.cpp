#include "caos/text/models/llama/llama_runtime.hpp"

#include <fmt/format.h>
#include <llama.h>

#include <algorithm>
#include <string_view>

#include "caos/error.hpp"
#include "caos/text/models/llama/llama_library.hpp"
#include "caos/text/models/llama/llama_model.hpp"

namespace caos::text {
struct LlamaWeights::State : LlamaFile {
  using LlamaFile::LlamaFile;

  void check() const;
  [[nodiscard]] std::string chat(const char* message) const;
};

void LlamaWeights::State::check() const {
  const bool continues = llama_model_has_decoder(model.get()) &&
                         !llama_model_has_encoder(model.get()) &&
                         !llama_model_is_diffusion(model.get());
  require(continues && llama_vocab_type(vocabulary) != LLAMA_VOCAB_TYPE_NONE,
          ErrorKind::invalid_input,
          [&] { return fmt::format("{}: does not continue text; use a model that does", path); });
}

std::string LlamaWeights::State::chat(const char* message) const {
  const char* words = llama_model_chat_template(model.get(), nullptr);
  require(words != nullptr, ErrorKind::invalid_input,
          [&] { return fmt::format("{}: has no chat template; leave out chat", path); });
  const llama_chat_message user{.role = "user", .content = message};
  std::string text(4096, '\0');
  const auto length = llama_chat_apply_template(words, &user, 1, true, text.data(),
                                                static_cast<std::int32_t>(text.size()));
  require(length >= 0 && static_cast<std::size_t>(length) <= text.size(), ErrorKind::invalid_input,
          [&] {
            return fmt::format("{}: llama.cpp does not know its chat template; leave out chat",
                               path);
          });
  text.resize(static_cast<std::size_t>(length));
  return text;
}

LlamaWeights::LlamaWeights(const std::string& path) : state_(std::make_unique<State>(path)) {
  state_->check();
}

LlamaWeights::~LlamaWeights() = default;

Tokens LlamaWeights::tokenize(const std::string& text) const {
  return state_->tokenize(text, false);
}

Tokens LlamaWeights::tokenize_special(const std::string& text) const {
  return state_->tokenize(text, true);
}

PromptFrame LlamaWeights::frame(bool chat) const {
  PromptFrame frame{.chat = chat};
  const llama_token start = llama_vocab_bos(state_->vocabulary);
  if (llama_vocab_get_add_bos(state_->vocabulary) && start != LLAMA_TOKEN_NULL) {
    frame.start = {start};
  }
  if (!chat) return frame;
  constexpr std::string_view marker = "HERE-GOES-THE-MESSAGE";
  const std::string text = state_->chat(marker.data());
  const std::size_t place = text.find(marker);
  require(place != std::string::npos && text.find(marker, place + 1) == std::string::npos,
          ErrorKind::invalid_input, [&] {
            return fmt::format("{}: its chat template repeats or drops a message; leave out chat",
                               state_->path);
          });
  frame.before = text.substr(0, place);
  frame.after = text.substr(place + marker.size());
  return frame;
}

std::size_t LlamaWeights::trained_context() const {
  return static_cast<std::size_t>(std::max(llama_model_n_ctx_train(state_->model.get()), 0));
}

bool LlamaWeights::can_fork() const {
  return !llama_model_is_recurrent(state_->model.get()) &&
         !llama_model_is_hybrid(state_->model.get());
}

std::size_t LlamaWeights::most_sequences() { return llama_max_parallel_sequences(); }

struct LlamaContext::State {
  const LlamaWeights::State* weights = nullptr;
  std::unique_ptr<llama_context, decltype(&llama_free)> context{nullptr, llama_free};
  std::size_t vocabulary = 0;
  std::size_t outputs = 0;
};

namespace {

llama_context_params context_params(std::size_t size, std::size_t sequences, std::size_t outputs) {
  llama_context_params params = llama_context_default_params();
  // A run is never divided.
  params.n_ctx = params.n_batch = params.n_ubatch = static_cast<std::uint32_t>(size);
  params.n_outputs_max = static_cast<std::uint32_t>(std::max(outputs, sequences));
  params.n_seq_max = static_cast<std::uint32_t>(sequences);
  params.kv_unified = true;
  params.swa_full = true;  // a smaller memory forgets what other texts need
  params.n_threads = params.n_threads_batch = 1;
  // With two types of which neither is float32, flash attention on a processor adds the tokens of a
  // sequence one by one, in order, and skips those of others. With one type it adds in tiles, and
  // without it in lanes, where others leave gaps.
  params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_ENABLED;
  params.type_k = GGML_TYPE_F16;
  params.type_v = GGML_TYPE_BF16;
  params.no_perf = true;
  return params;
}

/// Tokens as llama.cpp takes them.
class Batch {
 public:
  explicit Batch(std::span<const RunToken> tokens) {
    for (const RunToken& token : tokens) {
      ids_.push_back(token.token);
      positions_.push_back(static_cast<llama_pos>(token.position));
      counts_.push_back(static_cast<std::int32_t>(token.sequences.size()));
      sequences_.emplace_back(token.sequences.begin(), token.sequences.end());
      starts_.push_back(sequences_.back().data());
      predicts_.push_back(token.predicts ? 1 : 0);
    }
    ask_enough();
  }

  [[nodiscard]] llama_batch get() {
    return {.n_tokens = static_cast<std::int32_t>(ids_.size()),
            .token = ids_.data(),
            .embd = nullptr,
            .pos = positions_.data(),
            .n_seq_id = counts_.data(),
            .seq_id = starts_.data(),
            .logits = predicts_.data()};
  }

  [[nodiscard]] std::size_t outputs() const {
    return static_cast<std::size_t>(std::ranges::count(predicts_, 1));
  }

 private:
  /// The last part of a model sees only those tokens that predict; they must not be too few either.
  void ask_enough() {
    std::size_t asked = outputs();
    for (std::size_t i = 0; i < predicts_.size() && asked < LlamaContext::least_tokens; ++i) {
      if (predicts_[i] == 1) continue;
      predicts_[i] = 1;
      ++asked;
    }
  }

  std::vector<llama_token> ids_;
  std::vector<llama_pos> positions_;
  std::vector<std::int32_t> counts_;
  std::vector<std::vector<llama_seq_id>> sequences_;
  std::vector<llama_seq_id*> starts_;
  std::vector<std::int8_t> predicts_;
};

}  // namespace

LlamaContext::LlamaContext(const LlamaWeights& weights, std::size_t size, std::size_t sequences,
                           std::size_t predictions)
    : state_(std::make_unique<State>()) {
  forget_llama_complaint();
  state_->weights = weights.state_.get();
  state_->outputs = predictions + least_tokens;
  state_->context.reset(llama_init_from_model(weights.state_->model.get(),
                                              context_params(size, sequences, state_->outputs)));
  require(state_->context && llama_get_memory(state_->context.get()), ErrorKind::backend, [&] {
    return fmt::format("{}: llama.cpp has no memory for {} tokens{}", weights.state_->path, size,
                       llama_complaint());
  });
  state_->vocabulary = static_cast<std::size_t>(llama_vocab_n_tokens(weights.state_->vocabulary));
}

LlamaContext::~LlamaContext() = default;

void LlamaContext::keep(std::size_t positions) {
  llama_memory_t memory = llama_get_memory(state_->context.get());
  if (positions == 0) {
    llama_memory_clear(memory, false);
    return;
  }
  require(llama_memory_seq_rm(memory, -1, static_cast<llama_pos>(positions), -1),
          ErrorKind::backend,
          [&] { return fmt::format("{}: llama.cpp cannot forget tokens", state_->weights->path); });
}

void LlamaContext::run(std::span<const RunToken> tokens) {
  forget_llama_complaint();
  Batch batch(tokens);
  // llama.cpp would end the program.
  require(batch.outputs() <= state_->outputs, ErrorKind::backend, [&] {
    return fmt::format("{}: {} predictions at once are too many", state_->weights->path,
                       batch.outputs());
  });
  const std::int32_t failure = llama_decode(state_->context.get(), batch.get());
  require(failure == 0, ErrorKind::backend, [&] {
    return fmt::format("{}: llama.cpp failed with code {}{}", state_->weights->path, failure,
                       llama_complaint());
  });
}

std::span<const float> LlamaContext::logits(std::size_t place) const {
  const float* values =
      llama_get_logits_ith(state_->context.get(), static_cast<std::int32_t>(place));
  require(values != nullptr, ErrorKind::backend, [&] {
    return fmt::format("{}: llama.cpp has no logits{}", state_->weights->path, llama_complaint());
  });
  return {values, state_->vocabulary};
}

std::string llama_version() { return fmt::format("llama.cpp {}", ::llama_version()); }

}  // namespace caos::text
