#include "caos/text/server_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

#include "caos/text/echo.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/text/model_server.hpp"

namespace {

using caos::ErrorKind;
using caos::Label;
using caos::test::CompletionsTestServer;
using caos::test::Continuation;
using caos::test::expect_error;
using caos::test::Json;
using caos::test::LlamaTestServer;
using caos::test::LocalServer;
using caos::test::ModelServerOptions;
using caos::test::ReferenceForward;
using caos::test::reply;
using caos::test::reply_half;
using caos::test::SeenRequest;
using caos::test::TempDir;
using caos::text::LabeledText;
using caos::text::LabelSpace;
using caos::text::LanguageModel;
using caos::text::LanguageModelOptions;
using caos::text::make_server_model;
using caos::text::PromptTemplate;
using caos::text::Question;
using caos::text::ScoredText;
using testing::HasSubstr;
using testing::Not;

using Texts = std::vector<std::string>;

// Some share tokens, one is the beginning of another, two change how the prompt is cut.
Question question() {
  return {.prompt = PromptTemplate::parse("Text: {reference_text}\nLabel: {reference_label}\n"
                                          "Text: {text}\nLabel:",
                                          "test"),
          .labels = LabelSpace({"yes", "no", "not", "card", "cards", "a card", "zero é"})};
}

const LabeledText reference = {"I lost my bank card", 3};
const Texts texts = {"pay late", "", "z é 中 😀 \u2581 <s> \"quoted\"\n\nlabel: z", "money"};

LanguageModelOptions quick() { return {.timeout_seconds = 10, .retries = 1}; }

template <typename Server>
std::unique_ptr<LanguageModel> open(Server& server, LanguageModelOptions options = quick()) {
  return make_server_model(server.local().url(), question(), options);
}

/// What the plain forward pass says.
void expect_scores(const ReferenceForward& model, const Question& asked,
                   const std::vector<ScoredText>& scored) {
  ASSERT_EQ(scored.size(), texts.size());
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const std::string prompt =
        asked.prompt.prompt(reference.text, asked.labels[reference.label], texts[t]);
    ASSERT_EQ(scored[t].labels.size(), asked.labels.size());
    EXPECT_FALSE(scored[t].shortened);
    EXPECT_GT(scored[t].tokens, 0U);
    for (Label y = 0; y < asked.labels.size(); ++y) {
      const Continuation expected = model.continuation(prompt, " " + asked.labels[y]);
      EXPECT_NEAR(scored[t].labels[y].log_likelihood, expected.log_likelihood(), 1e-6)
          << texts[t] << ", " << asked.labels[y];
      EXPECT_EQ(scored[t].labels[y].tokens, expected.log_probabilities.size());
    }
  }
}

/// The requests after the model was opened.
std::vector<SeenRequest> since(LocalServer& server, std::size_t opening) {
  std::vector<SeenRequest> seen = server.seen();
  seen.erase(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(opening));
  return seen;
}

template <typename Server>
class ServerModel : public testing::Test {};

using Servers = testing::Types<CompletionsTestServer, LlamaTestServer>;
TYPED_TEST_SUITE(ServerModel, Servers, );

TYPED_TEST(ServerModel, AgreesWithThePlainForwardPass) {
  TypeParam server;
  const auto model = open(server);
  expect_scores(server.model(), question(), model->score(reference, texts));
}

TYPED_TEST(ServerModel, GivesATextTheSameWhateverElseIsAsked) {
  TypeParam server;
  const auto model = open(server);
  const std::vector<ScoredText> together = model->score(reference, texts);
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const std::vector<ScoredText> alone = model->score(reference, std::span(texts).subspan(t, 1));
    EXPECT_EQ(alone.at(0).labels, together[t].labels);
  }
  EXPECT_TRUE(model->score(reference, {}).empty());
}

TYPED_TEST(ServerModel, SendsNothingOfTheUsersWhenItOpens) {
  TypeParam server;
  const Question asked = {.prompt = question().prompt, .labels = LabelSpace({"ponies", "quokkas"})};
  const auto model = make_server_model(server.local().url(), asked, quick());
  for (const SeenRequest& request : server.local().seen()) {
    for (const char* word : {"Text", "Label", "ponies", "quokkas"}) {
      EXPECT_THAT(request.body, Not(HasSubstr(word)));
    }
  }
}

TYPED_TEST(ServerModel, CostsNoMoreThanItSays) {
  TypeParam server;
  const auto model = open(server);
  const std::size_t opening = server.local().seen().size();
  const caos::text::ScoringCost cost = model->cost(reference, texts);
  EXPECT_EQ(server.local().seen().size(), opening) << "asking for the cost sent something";
  (void)model->score(reference, texts);
  std::size_t bytes = 0;
  const auto seen = since(server.local(), opening);
  for (const SeenRequest& request : seen) bytes += request.body.size();
  EXPECT_LE(seen.size(), cost.requests);
  EXPECT_LE(bytes, cost.bytes_sent);
}

TYPED_TEST(ServerModel, HasNoMoreRequestsUnderWayThanAllowed) {
  TypeParam server;
  LanguageModelOptions options = quick();
  options.concurrency = 2;
  const auto model = open(server, options);
  server.local().disturb([&](std::size_t number, const auto&, auto&) {
    if (number > 2 && number < 5) server.local().wait_for(3);
    return false;
  });
  (void)model->score(reference, texts);
  EXPECT_EQ(server.local().most_at_once(), 2U);
}

TYPED_TEST(ServerModel, SurvivesFailuresThatPass) {
  TypeParam server;
  const auto model = open(server);
  const auto undisturbed = model->score(reference, texts);
  server.local().disturb([](std::size_t number, const auto&, auto& response) {
    response.set_header("Retry-After", "0");
    if (number == 1) reply(response, 429, "{}");
    if (number == 5) reply(response, 503, "{}");
    if (number == 9) reply_half(response, std::string(100, ' '));
    return number == 1 || number == 5 || number == 9;
  });
  EXPECT_EQ(model->score(reference, texts), undisturbed);
}

TYPED_TEST(ServerModel, SurvivesASlowAnswer) {
  TypeParam server;
  LanguageModelOptions options = quick();
  options.timeout_seconds = 1;
  const auto model = open(server, options);
  server.local().disturb([&](std::size_t number, const auto&, auto&) {
    if (number == 3) server.local().hang();
    return false;
  });
  expect_scores(server.model(), question(), model->score(reference, texts));
}

TYPED_TEST(ServerModel, NamesTheServerWhenFailuresDoNotPass) {
  TypeParam server;
  const auto model = open(server);
  server.local().disturb([](std::size_t, const auto&, auto& response) {
    reply(response, 500, R"({"error": "no memory"})");
    return true;
  });
  expect_error([&] { (void)model->score(reference, texts); }, ErrorKind::backend,
               {server.local().url(), "500", "no memory", "2 attempts"});
}

TYPED_TEST(ServerModel, RefusesWhatIsNoJson) {
  TypeParam server;
  const auto model = open(server);
  for (const char* body : {"", "<html>", "{\"choices\": [", "[]", "{}", "null", "NaN"}) {
    server.local().disturb([&](std::size_t, const auto&, auto& response) {
      reply(response, 200, body);
      return true;
    });
    expect_error([&] { (void)model->score(reference, texts); }, ErrorKind::backend,
                 {server.local().url(), "answer"});
  }
}

TYPED_TEST(ServerModel, KeepsTheKeyOutOfEverything) {
  const TempDir folder;
  TypeParam server({.key = "secret-key"});
  LanguageModelOptions options = quick();
  expect_error([&] { (void)open(server, options); }, ErrorKind::backend,
               {server.local().url(), "401", "key"});
  options.key_file = folder.write("key", "  secret-key\n");
  const auto model = open(server, options);
  expect_scores(server.model(), question(), model->score(reference, texts));
  EXPECT_THAT(model->identity() + model->description(), Not(HasSubstr("secret")));
  server.options.key = "another";
  try {
    (void)model->score(reference, texts);
    FAIL() << "no error";
  } catch (const caos::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("wrong key: Bearer (key)"));
    EXPECT_THAT(error.what(), Not(HasSubstr("secret")));
  }
}

TYPED_TEST(ServerModel, SaysWhichServerAndModelItIs) {
  TypeParam server;
  const auto model = open(server);
  EXPECT_THAT(model->description(), HasSubstr(server.local().url()));
  EXPECT_THAT(model->description(), HasSubstr("content is not known"));
  EXPECT_THAT(model->identity(), HasSubstr("url=" + server.local().url() + " model=tiny"));
  LanguageModelOptions options = quick();
  options.context = 200;
  EXPECT_NE(open(server, options)->identity(), model->identity());
}

TEST(ServerModelKey, ComesFromAVariableToo) {
  CompletionsTestServer server({.key = "from-variable"});
  LanguageModelOptions options = quick();
  options.key_variable = "CAOS_TEST_SERVER_KEY";
  ::setenv("CAOS_TEST_SERVER_KEY", "from-variable", 1);
  EXPECT_NO_THROW((void)open(server, options));
  ::unsetenv("CAOS_TEST_SERVER_KEY");
  expect_error([&] { (void)open(server, options); }, ErrorKind::invalid_input,
               {"CAOS_TEST_SERVER_KEY"});
  options.key_file = "key";
  expect_error([&] { (void)open(server, options); }, ErrorKind::invalid_input, {"both"});
}

TEST(CompletionsServer, IsUnderstoodInAllItsForms) {
  for (const bool generates_nothing : {true, false}) {
    for (const bool writes_spaces : {true, false}) {
      CompletionsTestServer server({.generates_nothing = generates_nothing,
                                    .writes_spaces = writes_spaces,
                                    .tells_usage = writes_spaces});
      expect_scores(server.model(), question(), open(server)->score(reference, texts));
    }
  }
}

TEST(CompletionsServer, IsRefusedInPlainWordsWithoutEcho) {
  const std::string words = "does not return log-probabilities of the prompt (echo)";
  CompletionsTestServer silent({.echoes = false});
  expect_error([&] { (void)open(silent); }, ErrorKind::backend, {silent.local().url(), words});
  LocalServer other([](const httplib::Request& request, auto& response) {
    if (request.path == "/v1/models") return reply(response, 200, R"({"data": [{"id": "x"}]})");
    reply(response, 400, R"({"error": {"message": "echo is not supported"}})");
  });
  expect_error([&] { (void)make_server_model(other.url(), question(), quick()); },
               ErrorKind::backend, {other.url(), words, "400: echo is not supported"});
}

TEST(CompletionsServer, RefusesAnswersThatCannotBe) {
  CompletionsTestServer server;
  const auto model = open(server);
  const auto expect_refused = [&](std::function<void(Json & logprobs)> spoil,
                                  const std::string& words) {
    server.options.spoil = [&](Json& answer) { spoil(answer["choices"][0]["logprobs"]); };
    expect_error([&] { (void)model->score(reference, texts); }, ErrorKind::backend,
                 {server.local().url() + "/v1/completions", words});
  };
  expect_refused([](Json& l) { l = nullptr; }, "log-probabilities");
  expect_refused([](Json& l) { l.erase("tokens"); }, "tokens");
  expect_refused([](Json& l) { l["tokens"] = Json::array(); }, "number");
  expect_refused([](Json& l) { l["tokens"].erase(3); }, "number");
  expect_refused([](Json& l) { l["tokens"][3] = 7; }, "string");
  expect_refused([](Json& l) { l["tokens"][3] = "lies"; }, "not those of the prompt");
  expect_refused([](Json& l) { l["token_logprobs"][3] = nullptr; }, "null is no log-probability");
  expect_refused([](Json& l) { l["token_logprobs"][3] = "NaN"; }, "is no log-probability");
  expect_refused([](Json& l) { l["token_logprobs"][3] = 0.5; }, "0.5 is no log-probability");
}

TEST(CompletionsServer, RefusesTheAnswerToAnotherPrompt) {
  CompletionsTestServer server;
  const auto model = open(server);
  server.local().disturb([&](std::size_t number, const auto&, auto& response) {
    if (number < 1) return false;
    const Json tokens = {"<s>", "Another", " prompt"};
    const Json logprobs = {{"tokens", tokens}, {"token_logprobs", {nullptr, -1, -1}}};
    reply(response, 200, Json{{"choices", {{{"logprobs", logprobs}}}}}.dump());
    return true;
  });
  expect_error([&] { (void)model->score(reference, texts); }, ErrorKind::backend,
               {"not those of the prompt"});
}

TEST(CompletionsServer, CutsTextsWhereTheContextIsKnown) {
  CompletionsTestServer server({.context = 150});
  const auto model = open(server);
  Texts longer = {"", "short"};
  for (int i = 0; i < 500; ++i) longer[0] += "payment ";
  const std::vector<ScoredText> scored = model->score(reference, longer);
  EXPECT_TRUE(scored[0].shortened);
  EXPECT_FALSE(scored[1].shortened);
  EXPECT_EQ(model->cost(reference, longer).shortened, 1U);
}

TEST(CompletionsServer, SaysWhatToDoWhereAPromptIsTooLong) {
  // One character is one token here: three bytes for each is too hopeful.
  CompletionsTestServer server({.context = 150});
  const auto model = open(server);
  const Texts longer = {std::string(3000, '#')};
  expect_error([&] { (void)model->score(reference, longer); }, ErrorKind::backend,
               {"400", "longer than the context", "--context"});
  LanguageModelOptions options = quick();
  options.context = 60;
  EXPECT_TRUE(open(server, options)->score(reference, longer).at(0).shortened);
  options.context = 10;
  expect_error([&] { (void)open(server, options); }, ErrorKind::invalid_input, {"10 tokens"});
}

TEST(CompletionsServer, ChecksTheNameOfTheModel) {
  CompletionsTestServer server;
  LanguageModelOptions options = quick();
  options.server_model = "tiny";
  EXPECT_NO_THROW((void)open(server, options));
  options.server_model = "large";
  expect_error([&] { (void)open(server, options); }, ErrorKind::invalid_input, {"large", "tiny"});
  options = quick();
  options.chat = true;
  expect_error([&] { (void)open(server, options); }, ErrorKind::invalid_input, {"chat"});
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

TEST(LlamaServer, AsksForTheWholeVocabularyOnlyWhereItMust) {
  LlamaTestServer server;
  const auto model = open(server);
  const std::size_t opening = server.local().seen().size();
  (void)model->score(reference, texts);
  std::size_t few = 0;
  std::size_t all = 0;
  for (const SeenRequest& request : since(server.local(), opening)) {
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
  const auto model = open(server);
  const auto expect_refused = [&](std::function<void(Json & answer)> spoil,
                                  const std::string& words) {
    server.options.spoil = std::move(spoil);
    expect_error([&] { (void)model->score(reference, texts); }, ErrorKind::backend,
                 {server.local().url() + "/completion", words});
  };
  const auto top = [](Json& a) -> Json& {
    return a["completion_probabilities"][0]["top_logprobs"];
  };
  expect_refused([](Json& a) { a.erase("completion_probabilities"); }, "completion_probabilities");
  expect_refused([](Json& a) { a["completion_probabilities"] = Json::array(); }, "array index");
  expect_refused([&](Json& a) { top(a)[0].erase("logprob"); }, "logprob");
  expect_refused([&](Json& a) { top(a)[0]["logprob"] = nullptr; }, "null is no log-probability");
  expect_refused([&](Json& a) { top(a)[0]["logprob"] = 1; }, "1 is no log-probability");
  expect_refused([&](Json& a) { top(a)[0]["logprob"] = top(a)[1]["logprob"] = -0.1; },
                 "more than 1");
  expect_refused([&](Json& a) { top(a) = Json::array(); }, "lacks tokens");
  expect_refused([](Json& a) { a["tokens_evaluated"] = 3; }, "another number of tokens");
}

TEST(LlamaServer, TakesTheLowestNumberForImpossible) {
  LlamaTestServer server;
  const auto model = open(server);
  server.options.spoil = [](Json& answer) {
    for (Json& entry : answer["completion_probabilities"][0]["top_logprobs"]) {
      entry["logprob"] = std::numeric_limits<float>::lowest();
    }
  };
  EXPECT_EQ(model->score(reference, texts).at(0).labels.at(0).log_likelihood,
            -std::numeric_limits<double>::infinity());
}

TEST(LlamaServer, ShortensTextsToItsContext) {
  LlamaTestServer server({.context = 120});
  const auto model = open(server);
  const Texts longer = {std::string(400, '#'), "short"};
  const std::vector<ScoredText> scored = model->score(reference, longer);
  EXPECT_TRUE(scored[0].shortened);
  EXPECT_FALSE(scored[1].shortened);
  LanguageModelOptions options = quick();
  options.context = 121;
  expect_error([&] { (void)open(server, options); }, ErrorKind::invalid_input, {"120", "121"});
}

TEST(LlamaServer, PutsThePromptIntoTheChatTemplate) {
  LlamaTestServer server;
  LanguageModelOptions options = quick();
  options.chat = true;
  const auto model = open(server, options);
  EXPECT_THAT(model->identity(), HasSubstr("chat=true"));
  const auto scored = model->score(reference, std::span(texts).first(1));
  const std::string prompt =
      question().prompt.prompt(reference.text, question().labels[reference.label], texts[0]);
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
  expect_error([&] { (void)make_server_model(router.url(), question(), quick()); },
               ErrorKind::invalid_input, {router.url(), "--server-model"});
}

}  // namespace
