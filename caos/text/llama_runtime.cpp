#include "caos/text/llama_runtime.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <ggml-backend.h>
#include <llama.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <string_view>

#include "caos/core/error.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/text/llama_model.hpp"

namespace caos::text {
namespace {

/// The last error that llama.cpp told this thread, as it returns only that there was one.
std::string& last_complaint() {
  thread_local std::string complaint;
  return complaint;
}

void listen(ggml_log_level level, const char* text, void* /*unused*/) {
  if (level != GGML_LOG_LEVEL_ERROR) return;
  last_complaint() = text;
  while (last_complaint().ends_with('\n')) last_complaint().pop_back();
}

std::string said() {
  return last_complaint().empty() ? std::string() : fmt::format(" ({})", last_complaint());
}

/// Where the library lies, and beside it one file for each kind of processor.
std::string library_folder() {
  Dl_info info{};
  // POSIX has addresses of functions as void pointers.
  if (dladdr(reinterpret_cast<void*>(&::llama_backend_init), &info) == 0) return ".";
  return std::filesystem::path(info.dli_fname).parent_path().string();
}

void start_llama() {
  static std::once_flag once;
  std::call_once(once, [] {
    llama_log_set(listen, nullptr);
    if (ggml_backend_reg_count() == 0) {
      ggml_backend_load_all_from_path(library_folder().c_str());
    }
    llama_backend_init();
  });
}

void check_file(const std::string& path) {
  const io::MappedFile file = io::MappedFile::open(path);
  require(file.text().starts_with("GGUF"), ErrorKind::bad_format,
          [&] { return fmt::format("{}: is no GGUF file, which llama: needs", path); });
}

}  // namespace

struct LlamaWeights::State {
  std::string path{};
  std::unique_ptr<llama_model, decltype(&llama_model_free)> model{nullptr, llama_model_free};
  const llama_vocab* vocabulary = nullptr;

  void load();
  void check() const;
  [[nodiscard]] Tokens tokenize(const std::string& text, bool special) const;
  [[nodiscard]] std::string chat(const char* message) const;
};

void LlamaWeights::State::load() {
  last_complaint().clear();
  model.reset(llama_model_load_from_file(path.c_str(), llama_model_default_params()));
  require(model != nullptr, ErrorKind::bad_format,
          [&] { return fmt::format("{}: llama.cpp cannot load it{}", path, said()); });
  vocabulary = llama_model_get_vocab(model.get());
}

void LlamaWeights::State::check() const {
  const bool continues = llama_model_has_decoder(model.get()) &&
                         !llama_model_has_encoder(model.get()) &&
                         !llama_model_is_diffusion(model.get());
  require(continues && llama_vocab_type(vocabulary) != LLAMA_VOCAB_TYPE_NONE,
          ErrorKind::invalid_input,
          [&] { return fmt::format("{}: does not continue text; use a model that does", path); });
}

Tokens LlamaWeights::State::tokenize(const std::string& text, bool special) const {
  const auto length = static_cast<std::int32_t>(text.size());
  Tokens tokens(text.size() + 8);
  const auto once = [&] {
    return llama_tokenize(vocabulary, text.data(), length, tokens.data(),
                          static_cast<std::int32_t>(tokens.size()), false, special);
  };
  std::int32_t count = once();
  if (count < 0) {
    tokens.resize(static_cast<std::size_t>(-static_cast<std::int64_t>(count)));
    count = once();
  }
  require(count >= 0, ErrorKind::backend,
          [&] { return fmt::format("{}: llama.cpp cannot cut a text into tokens", path); });
  tokens.resize(static_cast<std::size_t>(count));
  return tokens;
}

std::string LlamaWeights::State::chat(const char* message) const {
  const char* words = llama_model_chat_template(model.get(), nullptr);
  require(words != nullptr, ErrorKind::invalid_input,
          [&] { return fmt::format("{}: has no chat template; leave out --chat", path); });
  const llama_chat_message user{.role = "user", .content = message};
  std::string text(4096, '\0');
  const auto length = llama_chat_apply_template(words, &user, 1, true, text.data(),
                                                static_cast<std::int32_t>(text.size()));
  require(length >= 0 && static_cast<std::size_t>(length) <= text.size(), ErrorKind::invalid_input,
          [&] {
            return fmt::format("{}: llama.cpp does not know its chat template; leave out --chat",
                               path);
          });
  text.resize(static_cast<std::size_t>(length));
  return text;
}

LlamaWeights::LlamaWeights(const std::string& path) : state_(std::make_unique<State>()) {
  check_file(path);
  start_llama();
  state_->path = path;
  state_->load();
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
            return fmt::format("{}: its chat template repeats or drops a message; leave out --chat",
                               state_->path);
          });
  frame.before = text.substr(0, place);
  frame.after = text.substr(place + marker.size());
  return frame;
}

std::size_t LlamaWeights::trained_context() const {
  return static_cast<std::size_t>(std::max(llama_model_n_ctx_train(state_->model.get()), 0));
}

bool LlamaWeights::can_go_back() const {
  return !llama_model_is_recurrent(state_->model.get()) &&
         !llama_model_is_hybrid(state_->model.get());
}

struct LlamaContext::State {
  const LlamaWeights::State* weights = nullptr;
  std::unique_ptr<llama_context, decltype(&llama_free)> context{nullptr, llama_free};
  std::size_t vocabulary = 0;
  std::size_t held = 0;  // tokens
};

LlamaContext::LlamaContext(const LlamaWeights& weights, std::size_t size)
    : state_(std::make_unique<State>()) {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = params.n_batch = static_cast<std::uint32_t>(size);
  params.n_threads = params.n_threads_batch = 1;
  params.swa_full = true;  // a smaller memory could not go back
  // Flash attention adds in another order when it gets many tokens at once.
  params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
  params.type_k = params.type_v = GGML_TYPE_F32;
  params.no_perf = true;
  last_complaint().clear();
  state_->weights = weights.state_.get();
  state_->context.reset(llama_init_from_model(weights.state_->model.get(), params));
  require(state_->context && llama_get_memory(state_->context.get()), ErrorKind::backend, [&] {
    return fmt::format("{}: llama.cpp has no memory for {} tokens{}", weights.state_->path, size,
                       said());
  });
  state_->vocabulary = static_cast<std::size_t>(llama_vocab_n_tokens(weights.state_->vocabulary));
}

LlamaContext::~LlamaContext() = default;

void LlamaContext::keep(std::size_t count) {
  llama_memory_t memory = llama_get_memory(state_->context.get());
  if (count == 0) {
    llama_memory_clear(memory, false);
  } else {
    require(
        llama_memory_seq_rm(memory, 0, static_cast<llama_pos>(count), -1), ErrorKind::backend,
        [&] { return fmt::format("{}: llama.cpp cannot forget tokens", state_->weights->path); });
  }
  state_->held = std::min(state_->held, count);
}

void LlamaContext::run(std::span<const RunToken> tokens) {
  llama_seq_id only = 0;
  std::vector<llama_token> ids;
  std::vector<llama_pos> positions;
  std::vector<std::int8_t> predicts;
  for (const RunToken& token : tokens) {
    positions.push_back(static_cast<llama_pos>(state_->held + ids.size()));
    ids.push_back(token.token);
    predicts.push_back(token.predicts ? 1 : 0);
  }
  std::vector<std::int32_t> counts(tokens.size(), 1);
  std::vector<llama_seq_id*> sequences(tokens.size(), &only);
  last_complaint().clear();
  const llama_batch batch{.n_tokens = static_cast<std::int32_t>(tokens.size()),
                          .token = ids.data(),
                          .embd = nullptr,
                          .pos = positions.data(),
                          .n_seq_id = counts.data(),
                          .seq_id = sequences.data(),
                          .logits = predicts.data()};
  const std::int32_t failure = llama_decode(state_->context.get(), batch);
  require(failure == 0, ErrorKind::backend, [&] {
    return fmt::format("{}: llama.cpp failed with code {}{}", state_->weights->path, failure,
                       said());
  });
  state_->held += tokens.size();
}

std::span<const float> LlamaContext::logits(std::size_t place) const {
  const float* values =
      llama_get_logits_ith(state_->context.get(), static_cast<std::int32_t>(place));
  require(values != nullptr, ErrorKind::backend, [&] {
    return fmt::format("{}: llama.cpp has no logits{}", state_->weights->path, said());
  });
  return {values, state_->vocabulary};
}

std::string llama_version() { return fmt::format("llama.cpp {}", ::llama_version()); }

}  // namespace caos::text
