#include "caos/text/models/servers/chat_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "caos/text/models/servers/chat_answer.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/text/models/servers/model_server.hpp"
#include "tests/text/models/servers/server_question.hpp"

namespace {

using caos::ErrorKind;
using caos::test::ChatTestServer;
using caos::test::expect_error;
using caos::test::expect_scores;
using caos::test::Json;
using caos::test::open_server;
using caos::test::quick_options;
using caos::test::server_question;
using caos::test::server_reference;
using caos::test::server_texts;
using caos::test::Texts;
using caos::text::LabelSpace;
using caos::text::LanguageModelOptions;
using caos::text::letter_likelihoods;
using caos::text::ListedToken;
using caos::text::Question;
using caos::text::ScoredText;

std::vector<double> values(const std::vector<ListedToken>& listed, std::size_t num_labels) {
  std::vector<double> result;
  for (const auto& likelihood : letter_likelihoods(listed, num_labels)) {
    result.push_back(std::exp(likelihood.log_likelihood));
  }
  return result;
}

ListedToken token(const std::string& text, double probability) {
  return {.text = text, .log_probability = std::log(probability)};
}

constexpr double near = 1.1e-6;

TEST(ChatAnswer, AddsUpTheSpellingsOfALetter) {
  const auto found = values({token(" A", 0.25), token("A", 0.25), token("\u2581A", 0.125),
                             token("B\n", 0.0625), token("a", 0.1), token("AB", 0.1)},
                            2);
  EXPECT_NEAR(found[0], 0.625, 1e-12);
  EXPECT_NEAR(found[1], 0.0625, 1e-12);
}

TEST(ChatAnswer, BoundsLettersThatAreNotListed) {
  // By what the listed ones leave, or by the least likely of them.
  EXPECT_NEAR(values({token("A", 0.5), token("B", 0.4)}, 3)[2], 0.1, near);
  EXPECT_NEAR(values({token("A", 0.5), token("B", 0.05)}, 3)[2], 0.05, near);
  const auto sure = values({token("A", 1)}, 3);
  EXPECT_EQ(sure[0], 1);
  EXPECT_NEAR(sure[1], 1e-6, 1e-12);
  EXPECT_EQ(sure[1], sure[2]);
}

TEST(ChatAnswer, KeepsLettersWhoseProbabilityNoDoubleHolds) {
  const auto found = letter_likelihoods(
      {{.text = "A", .log_probability = 0}, {.text = "B", .log_probability = -9999}}, 3);
  EXPECT_EQ(found[0].log_likelihood, 0);
  EXPECT_EQ(found[1].log_likelihood, -9999);
  EXPECT_EQ(found[2].log_likelihood, -9999);
}

TEST(ChatAnswer, ListsInAnyOrderAreTheSame) {
  const std::vector<ListedToken> some = {token("A", 0.3), token(" A", 0.1), token("x", 0.21),
                                         token("B", 0.07)};
  const std::vector<ListedToken> others = {some[2], some[1], some[3], some[0]};
  EXPECT_EQ(letter_likelihoods(some, 4), letter_likelihoods(others, 4));
}

TEST(ChatServer, RefusesMoreLabelsThanServersList) {
  std::vector<std::string> names;
  for (int i = 0; i < 21; ++i) names.push_back("label " + std::to_string(i));
  ChatTestServer server;
  const auto open = [&] {
    (void)open_server(server, quick_options(),
                      Question{.prompt = server_question().prompt, .labels = LabelSpace(names)});
  };
  expect_error(open, ErrorKind::invalid_input, {"at most 20 labels", "there are 21", "server:URL"});
  EXPECT_TRUE(server.local().seen().empty());
  names.pop_back();
  EXPECT_NO_THROW(open());
}

TEST(ChatServer, RefusesServersThatListNoTokens) {
  ChatTestServer server;
  for (const auto& spoil : std::vector<std::function<void(Json&)>>{
           [](Json& a) { a["choices"][0].erase("logprobs"); },
           [](Json& a) { a["choices"][0]["logprobs"] = nullptr; },
           [](Json& a) { a["choices"][0]["logprobs"]["content"][0].erase("top_logprobs"); },
           [](Json& a) {
             a["choices"][0]["logprobs"]["content"][0]["top_logprobs"] = Json::array();
           }}) {
    server.options.spoil = spoil;
    expect_error([&] { (void)open_server(server); }, ErrorKind::backend,
                 {server.local().url() + "/v1/chat/completions",
                  "does not list the log-probabilities of 20 tokens"});
  }
}

TEST(ChatServer, RefusesServersThatListTooFewTokens) {
  ChatTestServer server({.most_listed = 5});
  expect_error([&] { (void)open_server(server); }, ErrorKind::backend,
               {"lists 5 tokens", "too few for 7 labels"});
}

TEST(ChatServer, RefusesModelsThatDoNotAnswerWithALetter) {
  ChatTestServer server;
  server.options.spoil = [](Json& answer) {
    for (Json& entry : answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]) {
      entry["token"] = "<think>\x01";
    }
  };
  expect_error([&] { (void)open_server(server); }, ErrorKind::backend,
               {"'tiny' does not answer a simple question with a letter, but with '<think>?'",
                "does not reason before"});
}

TEST(ChatServer, UsesTheNewerNameOfALimitWhereTheOlderIsRefused) {
  ChatTestServer server({.knows_max_tokens = false});
  expect_scores(server, open_server(server)->score(server_reference, server_texts));
  EXPECT_THAT(server.local().seen().back().body, testing::HasSubstr("\"max_completion_tokens\":1"));
}

TEST(ChatServer, RefusesAnswersThatCannotBe) {
  ChatTestServer server;
  const auto model = open_server(server);
  const auto expect_refused = [&](std::function<void(Json & entry)> spoil,
                                  const std::string& words) {
    server.options.spoil = [&](Json& answer) {
      spoil(answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"][0]);
    };
    expect_error([&] { (void)model->score(server_reference, server_texts); }, ErrorKind::backend,
                 {server.local().url() + "/v1/chat/completions", words});
  };
  expect_refused([](Json& e) { e.erase("token"); }, "token");
  expect_refused([](Json& e) { e["token"] = 7; }, "string");
  expect_refused([](Json& e) { e["logprob"] = nullptr; }, "null is not a log-probability");
  expect_refused([](Json& e) { e["logprob"] = 1; }, "1 is not a log-probability");
  expect_refused([](Json& e) { e["logprob"] = -0.0001; }, "more than 1");
}

TEST(ChatServer, CutsTextsWhereTheContextIsKnown) {
  ChatTestServer server({.context = 200});
  const auto model = open_server(server);
  Texts longer = {"", "short"};
  for (int i = 0; i < 500; ++i) longer[0] += "payment ";
  const std::vector<ScoredText> scored = model->score(server_reference, longer);
  EXPECT_TRUE(scored[0].shortened);
  EXPECT_FALSE(scored[1].shortened);
  EXPECT_EQ(model->cost(server_reference, longer).shortened, 1U);
  LanguageModelOptions options = quick_options();
  options.context = 10;
  expect_error([&] { (void)open_server(server, options); }, ErrorKind::invalid_input,
               {"10 tokens", "labels"});
  options = quick_options();
  options.context = 100'000;
  expect_error([&] { (void)open_server(server, options)->score(server_reference, longer); },
               ErrorKind::backend, {"longer than the context", "smaller context"});
}

TEST(ChatServer, HasItsOwnChatTemplate) {
  ChatTestServer server;
  LanguageModelOptions options = quick_options();
  options.chat = true;
  expect_error([&] { (void)open_server(server, options); }, ErrorKind::invalid_input,
               {"leave out chat"});
}

}  // namespace
