#pragma once

#include <cstddef>
#include <string>

#include "caos/text/models/language_models.hpp"
#include "caos/text/models/servers/json_server.hpp"

// For the models and encoders behind HTTP; not for users of the library.
namespace caos::text {

/// The server at `url`, with the key that the options name. Nothing is sent yet. Throws
/// `invalid_input` for a malformed address, and for a key that is missing or would travel in the
/// clear to another machine.
[[nodiscard]] JsonServer open_json_server(const std::string& url,
                                          const LanguageModelOptions& options);

/// What an OpenAI-compatible server has to offer under one name.
struct OfferedModel {
  std::string name{};
  std::size_t context = 0;  ///< 0: the server does not say
};

/// The model called `wanted`, or the first one that the server lists (/v1/models). Throws
/// `invalid_input` where it has no such model, and where none is named and none is listed.
[[nodiscard]] OfferedModel choose_model(const JsonServer& server, const std::string& wanted);

/// Servers count tokens only after they were asked, so texts are cut by bytes: this many for each
/// token of the context.
inline constexpr std::size_t bytes_per_token = 3;

/// How many bytes each of the two texts of a prompt may have that takes `fixed` bytes without them;
/// any number where the context is 0, not known. Throws `invalid_input` where none are left.
[[nodiscard]] std::size_t bytes_of_each_text(std::size_t context, std::size_t fixed);

}  // namespace caos::text
