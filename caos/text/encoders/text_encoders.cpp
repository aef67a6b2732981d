#include "caos/text/encoders/text_encoders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "caos/error.hpp"
#include "caos/io/utf8.hpp"
#include "caos/text/encoders/embedding_server.hpp"
#include "caos/text/encoders/llama_encoder.hpp"
#include "caos/text/encoders/onnx_encoder.hpp"

namespace caos::text {
namespace {

constexpr std::string_view folder_scheme = "encoder:";
constexpr std::string_view file_scheme = "embed:";
constexpr std::string_view server_scheme = "embed-server:";
constexpr std::string_view encoder_schemes[] = {folder_scheme, file_scheme, server_scheme};

/// The scheme that a name begins with; empty if it is not the name of an encoder.
std::string_view scheme_of(const std::string& model) {
  const auto* const found = std::ranges::find_if(
      encoder_schemes, [&](std::string_view scheme) { return model.starts_with(scheme); });
  return found == std::end(encoder_schemes) ? std::string_view() : *found;
}

}  // namespace

bool is_encoder(const std::string& model) { return !scheme_of(model).empty(); }

std::unique_ptr<TextEncoder> open_text_encoder(const std::string& text,
                                               const LanguageModelOptions& options) {
  const std::string_view scheme = scheme_of(text);
  require(!scheme.empty() && text.size() > scheme.size(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{} is not an encoder; give encoder:DIR, embed:FILE.gguf or embed-server:URL",
        in_quotes(text));
  });
  require(!options.chat, ErrorKind::invalid_input,
          "an encoder has no chat template; leave out chat");
  const std::string rest = text.substr(scheme.size());
  if (scheme == server_scheme) return open_embedding_server(rest, options);
  if (scheme == file_scheme) return open_llama_encoder(rest, options.context);
  return open_onnx_encoder(rest);
}

}  // namespace caos::text
