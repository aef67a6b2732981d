#include "caos/text/models/servers/completions_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caos/text/models/servers/echo.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/text/models/servers/model_server.hpp"
#include "tests/text/models/servers/server_question.hpp"

namespace {

using caos::ErrorKind;
using caos::test::CompletionsTestServer;
using caos::test::expect_error;
using caos::test::expect_scores;
using caos::test::Json;
using caos::test::LocalServer;
using caos::test::open_server;
using caos::test::quick_options;
using caos::test::reply;
using caos::test::server_question;
using caos::test::server_reference;
using caos::test::server_texts;
using caos::test::Texts;
using caos::text::LanguageModelOptions;
using caos::text::make_server_model;
using caos::text::ScoredText;

TEST(CompletionsServer, IsUnderstoodInAllItsForms) {
  for (const bool generates_nothing : {true, false}) {
    for (const bool writes_spaces : {true, false}) {
      CompletionsTestServer server({.generates_nothing = generates_nothing,
                                    .writes_spaces = writes_spaces,
                                    .tells_usage = writes_spaces});
      expect_scores(server.model(), open_server(server)->score(server_reference, server_texts));
    }
  }
}

TEST(CompletionsServer, IsRefusedInPlainWordsWithoutEcho) {
  const std::string words = "does not return log-probabilities of the prompt (echo)";
  CompletionsTestServer silent({.echoes = false});
  expect_error([&] { (void)open_server(silent); }, ErrorKind::backend,
               {silent.local().url(), words});
  LocalServer other([](const httplib::Request& request, auto& response) {
    if (request.path == "/v1/models") return reply(response, 200, R"({"data": [{"id": "x"}]})");
    reply(response, 400, R"({"error": {"message": "echo is not supported"}})");
  });
  expect_error([&] { (void)make_server_model(other.url(), server_question(), quick_options()); },
               ErrorKind::backend, {other.url(), words, "400: echo is not supported"});
}

TEST(CompletionsServer, RefusesAnswersThatCannotBe) {
  CompletionsTestServer server;
  const auto model = open_server(server);
  const auto expect_refused = [&](std::function<void(Json & logprobs)> spoil,
                                  const std::string& words) {
    server.options.spoil = [&](Json& answer) { spoil(answer["choices"][0]["logprobs"]); };
    expect_error([&] { (void)model->score(server_reference, server_texts); }, ErrorKind::backend,
                 {server.local().url() + "/v1/completions", words});
  };
  expect_refused([](Json& l) { l = nullptr; }, "log-probabilities");
  expect_refused([](Json& l) { l.erase("tokens"); }, "tokens");
  expect_refused([](Json& l) { l["tokens"] = Json::array(); }, "number");
  expect_refused([](Json& l) { l["tokens"].erase(3); }, "number");
  expect_refused([](Json& l) { l["tokens"][3] = 7; }, "string");
  expect_refused([](Json& l) { l["tokens"][3] = "lies"; }, "not those of the prompt");
  expect_refused([](Json& l) { l["token_logprobs"][3] = nullptr; },
                 "null is not a log-probability");
  expect_refused([](Json& l) { l["token_logprobs"][3] = "NaN"; }, "not a log-probability");
  expect_refused([](Json& l) { l["token_logprobs"][3] = 0.5; }, "0.5 is not a log-probability");
}

TEST(CompletionsServer, CannotExhaustTheStackByNestedAnswers) {
  std::string deep;
  for (int i = 0; i < 300'000; ++i) deep += R"({"error":)";
  deep += "1" + std::string(300'000, '}');
  LocalServer server([&](const httplib::Request&, auto& response) { reply(response, 200, deep); });
  expect_error([&] { (void)make_server_model(server.url(), server_question(), quick_options()); },
               ErrorKind::invalid_input, {server.url(), "does not list its models"});
}

TEST(CompletionsServer, RefusesTheAnswerToAnotherPrompt) {
  CompletionsTestServer server;
  const auto model = open_server(server);
  server.local().disturb([&](std::size_t number, const auto&, auto& response) {
    if (number < 1) return false;
    const Json tokens = {"<s>", "Another", " prompt"};
    const Json logprobs = {{"tokens", tokens}, {"token_logprobs", {nullptr, -1, -1}}};
    reply(response, 200, Json{{"choices", {{{"logprobs", logprobs}}}}}.dump());
    return true;
  });
  expect_error([&] { (void)model->score(server_reference, server_texts); }, ErrorKind::backend,
               {"not those of the prompt"});
}

TEST(CompletionsServer, CutsTextsWhereTheContextIsKnown) {
  CompletionsTestServer server({.context = 150});
  const auto model = open_server(server);
  Texts longer = {"", "short"};
  for (int i = 0; i < 500; ++i) longer[0] += "payment ";
  const std::vector<ScoredText> scored = model->score(server_reference, longer);
  EXPECT_TRUE(scored[0].shortened);
  EXPECT_FALSE(scored[1].shortened);
  EXPECT_EQ(model->cost(server_reference, longer).shortened, 1U);
}

TEST(CompletionsServer, NamesARemedyWhereAPromptIsTooLong) {
  // One character is one token here: three bytes for each is too hopeful.
  CompletionsTestServer server({.context = 150});
  const auto model = open_server(server);
  const Texts longer = {std::string(3000, '#')};
  expect_error([&] { (void)model->score(server_reference, longer); }, ErrorKind::backend,
               {"400", "longer than the context", "smaller context"});
  LanguageModelOptions options = quick_options();
  options.context = 60;
  EXPECT_TRUE(open_server(server, options)->score(server_reference, longer).at(0).shortened);
  options.context = 10;
  expect_error([&] { (void)open_server(server, options); }, ErrorKind::invalid_input,
               {"10 tokens"});
}

TEST(CompletionsServer, ChecksTheNameOfTheModel) {
  CompletionsTestServer server;
  LanguageModelOptions options = quick_options();
  options.server_model = "tiny";
  EXPECT_NO_THROW((void)open_server(server, options));
  options.server_model = "large";
  expect_error([&] { (void)open_server(server, options); }, ErrorKind::invalid_input,
               {"large", "tiny"});
  options = quick_options();
  options.chat = true;
  expect_error([&] { (void)open_server(server, options); }, ErrorKind::invalid_input, {"chat"});
}

TEST(Echo, SpellsThePromptByItsPrintableCharacters) {
  using caos::text::spells;
  EXPECT_TRUE(spells({"<s>", "▁Hello", "<0x0A>", "wor", "ld"}, "Hello\nworld"));
  EXPECT_TRUE(spells({"Hel", "lo"}, "Hello"));
  EXPECT_TRUE(spells({"<|begin|>", "caf", "\ufffd", "bytes:\\xa9"}, "café"));
  EXPECT_TRUE(spells({"<s>", "<0x41>"}, "A"));
  EXPECT_FALSE(spells({"<s>", "Hel"}, "Hello"));
  EXPECT_FALSE(spells({"<s>", "<s>", "Hello"}, "Hello"));
  EXPECT_FALSE(spells({}, ""));
}

}  // namespace
