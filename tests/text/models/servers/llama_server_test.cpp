#include "caos/text/models/servers/llama_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "tests/support/expect_error.hpp"
#include "tests/text/models/servers/model_server.hpp"
#include "tests/text/models/servers/server_question.hpp"

namespace {

using caos::ErrorKind;
using caos::test::expect_error;
using caos::test::Json;
using caos::test::LlamaTestServer;
using caos::test::LocalServer;
using caos::test::open_server;
using caos::test::quick_options;
using caos::test::reply;
using caos::test::requests_since;
using caos::test::SeenRequest;
using caos::test::server_question;
using caos::test::server_reference;
using caos::test::server_texts;
using caos::test::Texts;
using caos::text::LanguageModelOptions;
using caos::text::make_server_model;
using caos::text::ScoredText;
using testing::HasSubstr;

TEST(LlamaServer, AsksForTheWholeVocabularyOnlyWhereItMust) {
  LlamaTestServer server;
  const auto model = open_server(server);
  const std::size_t opening = server.local().seen().size();
  (void)model->score(server_reference, server_texts);
  std::size_t few = 0;
  std::size_t all = 0;
  for (const SeenRequest& request : requests_since(server.local(), opening)) {
    if (request.path != "/completion") continue;
    const Json body = Json::parse(request.body);
    EXPECT_EQ(body.at("prompt").at(0), caos::test::tiny_bos);
    EXPECT_NE(body.at("prompt").at(1), caos::test::tiny_bos);
    EXPECT_TRUE(body.at("cache_prompt").get<bool>());
    ++(body.at("n_probs") == 128 ? few : all);
  }
  EXPECT_GT(few, all);
  EXPECT_GT(all, 0U);
}

TEST(LlamaServer, RefusesAnswersThatCannotBe) {
  LlamaTestServer server;
  const auto model = open_server(server);
  const auto expect_refused = [&](std::function<void(Json & answer)> spoil,
                                  const std::string& words) {
    server.options.spoil = std::move(spoil);
    expect_error([&] { (void)model->score(server_reference, server_texts); }, ErrorKind::backend,
                 {server.local().url() + "/completion", words});
  };
  const auto top = [](Json& a) -> Json& {
    return a["completion_probabilities"][0]["top_logprobs"];
  };
  expect_refused([](Json& a) { a.erase("completion_probabilities"); }, "completion_probabilities");
  expect_refused([](Json& a) { a["completion_probabilities"] = Json::array(); }, "array index");
  expect_refused([&](Json& a) { top(a)[0].erase("logprob"); }, "logprob");
  expect_refused([&](Json& a) { top(a)[0]["logprob"] = nullptr; }, "null is not a log-probability");
  expect_refused([&](Json& a) { top(a)[0]["logprob"] = 1; }, "1 is not a log-probability");
  expect_refused([&](Json& a) { top(a)[0]["logprob"] = top(a)[1]["logprob"] = -0.1; },
                 "more than 1");
  expect_refused([&](Json& a) { top(a) = Json::array(); }, "lacks tokens");
  for (const Json& id : {Json(1e300), Json(-1), Json(1ULL << 40), Json("1")}) {
    expect_refused([&](Json& a) { top(a)[0]["id"] = id; }, "not a token");
  }
  expect_refused([](Json& a) { a["tokens_evaluated"] = 3; }, "another number of tokens");
}

TEST(LlamaServer, TakesTheLowestNumberForImpossible) {
  LlamaTestServer server;
  const auto model = open_server(server);
  server.options.spoil = [](Json& answer) {
    for (Json& entry : answer["completion_probabilities"][0]["top_logprobs"]) {
      entry["logprob"] = std::numeric_limits<float>::lowest();
    }
  };
  EXPECT_EQ(model->score(server_reference, server_texts).at(0).labels.at(0).log_likelihood,
            -std::numeric_limits<double>::infinity());
}

TEST(LlamaServer, ShortensTextsToItsContext) {
  LlamaTestServer server({.context = 120});
  const auto model = open_server(server);
  const Texts longer = {std::string(400, '#'), "short"};
  const std::vector<ScoredText> scored = model->score(server_reference, longer);
  EXPECT_TRUE(scored[0].shortened);
  EXPECT_FALSE(scored[1].shortened);
  LanguageModelOptions options = quick_options();
  options.context = 121;
  expect_error([&] { (void)open_server(server, options); }, ErrorKind::invalid_input,
               {"120", "121"});
}

TEST(LlamaServer, PutsThePromptIntoTheChatTemplate) {
  LlamaTestServer server;
  LanguageModelOptions options = quick_options();
  options.chat = true;
  const auto model = open_server(server, options);
  EXPECT_THAT(model->identity(), HasSubstr("chat=true"));
  const auto scored = model->score(server_reference, std::span(server_texts).first(1));
  const std::string prompt = server_question().prompt.prompt(
      server_reference.text, server_question().labels[server_reference.label], server_texts[0]);
  std::vector<caos::test::Token> tokens = {caos::test::tiny_bos};
  for (const std::string& part : {std::string("You get: "), prompt, std::string("\nLabel:yes")}) {
    const auto more = caos::test::reference_tokens(part);
    tokens.insert(tokens.end(), more.begin(), more.end());
  }
  const std::size_t label = scored.at(0).labels.at(0).tokens;
  const std::vector<double> expected = server.model().log_probabilities(tokens);
  EXPECT_NEAR(
      scored.at(0).labels.at(0).log_likelihood,
      std::accumulate(expected.end() - static_cast<std::ptrdiff_t>(label), expected.end(), 0.0),
      1e-6);
}

TEST(LlamaServer, WithSeveralModelsWantsAName) {
  LocalServer router([](const auto&, auto& response) {
    reply(response, 200, R"({"role": "router", "default_generation_settings": {"n_ctx": 0}})");
  });
  expect_error([&] { (void)make_server_model(router.url(), server_question(), quick_options()); },
               ErrorKind::invalid_input, {router.url(), "server model"});
}

}  // namespace
