#include "caos/text/models/servers/server_model.hpp"

#include <utility>

#include "caos/text/models/servers/completions_server.hpp"
#include "caos/text/models/servers/llama_server.hpp"
#include "caos/text/models/servers/open_server.hpp"

namespace caos::text {

std::unique_ptr<LanguageModel> make_server_model(const std::string& url, Question question,
                                                 const LanguageModelOptions& options) {
  JsonServer server = open_json_server(url, options);
  const Json properties = llama_server_properties(server, options);
  return properties.is_null()
             ? make_completions_server(std::move(server), std::move(question), options)
             : make_llama_server(std::move(server), properties, std::move(question), options);
}

}  // namespace caos::text
