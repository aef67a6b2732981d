#include <fmt/format.h>

#include <mutex>

#include "caos/text/models/servers/chat_server.hpp"
#include "caos/text/models/servers/http_client.hpp"
#include "caos/text/models/servers/server_model.hpp"
#include "fuzz/sockets.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

/// The scripted answers of a server, request by request.
class Script {
 public:
  void begin(std::string_view text) {
    const std::lock_guard lock(mutex_);
    text_ = text;
  }

  /// The next line; nothing after the last.
  std::string next_line() {
    const std::lock_guard lock(mutex_);
    const std::string line = text_.substr(0, text_.find('\n'));
    text_.erase(0, line.size() + 1);
    return line;
  }

  /// All at once.
  std::string rest() {
    const std::lock_guard lock(mutex_);
    return std::exchange(text_, {});
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

std::string as_http(const std::string& json) {
  if (json.empty()) return {};
  return fmt::format(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
      json.size(), json);
}

text::Question question() {
  return {.prompt = text::PromptTemplate::parse("{reference_text} {reference_label} {text}", "t"),
          .labels = text::LabelSpace({"yes", "no"})};
}

void demand_likelihoods(const std::vector<text::ScoredText>& scored) {
  for (const text::ScoredText& one : scored) {
    demand(one.labels.size() == 2, "every label has a likelihood");
    for (const LabelLikelihood& label : one.labels) {
      demand(label.log_likelihood <= 0, "a likelihood is at most 1");
    }
  }
}

/// Every line is the JSON that a server, be it one of completions or llama-server, answers to the
/// next request.
FUZZ_TARGET(server_answers, input) {
  static Script script;
  static const AnsweringServer server(Then::wait, [] { return as_http(script.next_line()); });
  script.begin(text_of(input));
  const auto model = text::make_server_model(
      server.url(), question(), {.timeout_seconds = 5, .retries = 0, .concurrency = 1});
  const std::vector<std::string> texts{"b"};
  demand_likelihoods(model->score({.text = "a", .label = 0}, texts));
}

/// The same of a server of chat completions.
FUZZ_TARGET(chat_answers, input) {
  static Script script;
  static const AnsweringServer server(Then::wait, [] { return as_http(script.next_line()); });
  script.begin(text_of(input));
  const auto model = text::make_chat_server(server.url(), question(),
                                            {.timeout_seconds = 5, .retries = 0, .concurrency = 1});
  const std::vector<std::string> texts{"b"};
  demand_likelihoods(model->score({.text = "a", .label = 0}, texts));
}

/// All that a server sends, its head and what follows.
FUZZ_TARGET(http_answer, input) {
  static Script script;
  static const AnsweringServer server(Then::close, [] { return script.rest(); });
  script.begin(text_of(input));
  const text::HttpClient client(
      text::parse_server_url(server.url()),
      {.timeout_seconds = 5, .retries = 0, .concurrency = 1, .largest_answer = 1 << 16});
  const text::HttpAnswer answer = client.get("/v1/models");
  demand(answer.body.size() <= 1 << 16, "an answer is no larger than allowed");
  (void)client.quoted(answer.body);
}

}  // namespace
}  // namespace caos::fuzz
