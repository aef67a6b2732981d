#include "caos/text/models/llama/llama_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <ggml-backend.h>

#include <filesystem>
#include <mutex>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/mapped_file.hpp"

namespace caos::text {
namespace {

std::string& last_complaint() {
  thread_local std::string complaint;
  return complaint;
}

void listen(ggml_log_level level, const char* text, void* /*unused*/) {
  if (level != GGML_LOG_LEVEL_ERROR) return;
  last_complaint() = text;
  while (last_complaint().ends_with('\n')) last_complaint().pop_back();
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
          [&] { return fmt::format("{}: is not a GGUF file; llama: and embed: need one", path); });
}

}  // namespace

std::string llama_complaint() {
  return last_complaint().empty() ? std::string() : fmt::format(" ({})", last_complaint());
}

void forget_llama_complaint() { last_complaint().clear(); }

LlamaFile::LlamaFile(std::string given) : path(std::move(given)) {
  check_file(path);
  start_llama();
  forget_llama_complaint();
  llama_model_params params = llama_model_default_params();
  // Rearranged weights are faster, but a token's result would depend on its place in a batch.
  params.use_extra_bufts = false;
  model.reset(llama_model_load_from_file(path.c_str(), params));
  require(model != nullptr, ErrorKind::bad_format,
          [&] { return fmt::format("{}: llama.cpp cannot load it{}", path, llama_complaint()); });
  vocabulary = llama_model_get_vocab(model.get());
}

Tokens LlamaFile::tokenize(const std::string& text, bool special, bool around) const {
  const auto length = static_cast<std::int32_t>(text.size());
  Tokens tokens(text.size() + 8);
  const auto once = [&] {
    return llama_tokenize(vocabulary, text.data(), length, tokens.data(),
                          static_cast<std::int32_t>(tokens.size()), around, special);
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

}  // namespace caos::text
