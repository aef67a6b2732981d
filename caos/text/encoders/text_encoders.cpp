#include "caos/text/encoders/text_encoders.hpp"

#include <fmt/format.h>

#include <string_view>

#include "caos/error.hpp"
#include "caos/io/utf8.hpp"
#include "caos/text/encoders/onnx_encoder.hpp"

namespace caos::text {
namespace {

constexpr std::string_view folder_scheme = "encoder:";

}  // namespace

bool is_encoder(const std::string& model) { return model.starts_with(folder_scheme); }

std::unique_ptr<TextEncoder> open_text_encoder(const std::string& text,
                                               const LanguageModelOptions&) {
  require(is_encoder(text) && text.size() > folder_scheme.size(), ErrorKind::invalid_input,
          [&] { return fmt::format("{} is no encoder; give encoder:DIR", in_quotes(text)); });
  return open_onnx_encoder(text.substr(folder_scheme.size()));
}

}  // namespace caos::text
