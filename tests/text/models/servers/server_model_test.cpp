#include "caos/text/models/servers/server_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/text/models/servers/model_server.hpp"
#include "tests/text/models/servers/server_question.hpp"

namespace {

using caos::ErrorKind;
using caos::Label;
using caos::test::ChatTestServer;
using caos::test::CompletionsTestServer;
using caos::test::expect_error;
using caos::test::expect_scores;
using caos::test::LlamaTestServer;
using caos::test::open_server;
using caos::test::quick_options;
using caos::test::reply;
using caos::test::reply_half;
using caos::test::requests_since;
using caos::test::SeenRequest;
using caos::test::server_question;
using caos::test::server_reference;
using caos::test::server_texts;
using caos::test::TempDir;
using caos::text::LabelSpace;
using caos::text::LanguageModelOptions;
using caos::text::Question;
using caos::text::ScoredText;
using testing::HasSubstr;
using testing::Not;

template <typename Server>
class ServerModel : public testing::Test {};

using Servers = testing::Types<CompletionsTestServer, LlamaTestServer, ChatTestServer>;
TYPED_TEST_SUITE(ServerModel, Servers, );

TYPED_TEST(ServerModel, AgreesWithThePlainForwardPass) {
  TypeParam server;
  const auto model = open_server(server);
  expect_scores(server, model->score(server_reference, server_texts));
}

TYPED_TEST(ServerModel, GivesATextTheSameWhateverElseIsAsked) {
  TypeParam server;
  const auto model = open_server(server);
  const std::vector<ScoredText> together = model->score(server_reference, server_texts);
  for (std::size_t t = 0; t < server_texts.size(); ++t) {
    const std::vector<ScoredText> alone =
        model->score(server_reference, std::span(server_texts).subspan(t, 1));
    EXPECT_EQ(alone.at(0).labels, together[t].labels);
  }
  EXPECT_TRUE(model->score(server_reference, {}).empty());
}

TYPED_TEST(ServerModel, SendsNothingOfTheUsersWhenItOpens) {
  TypeParam server;
  const Question asked = {.prompt = server_question().prompt,
                          .labels = LabelSpace({"ponies", "quokkas"})};
  const auto model = open_server(server, quick_options(), asked);
  for (const SeenRequest& request : server.local().seen()) {
    for (const char* word : {"Text", "Label", "ponies", "quokkas"}) {
      EXPECT_THAT(request.body, Not(HasSubstr(word)));
    }
  }
}

TYPED_TEST(ServerModel, CostsNoMoreThanItSays) {
  TypeParam server;
  const auto model = open_server(server);
  const std::size_t opening = server.local().seen().size();
  const caos::text::ScoringCost cost = model->cost(server_reference, server_texts);
  EXPECT_EQ(server.local().seen().size(), opening) << "asking for the cost sent something";
  (void)model->score(server_reference, server_texts);
  std::size_t bytes = 0;
  const auto seen = requests_since(server.local(), opening);
  for (const SeenRequest& request : seen) bytes += request.body.size();
  EXPECT_LE(seen.size(), cost.requests);
  EXPECT_LE(bytes, cost.bytes_sent);
}

TYPED_TEST(ServerModel, HasNoMoreRequestsUnderWayThanAllowed) {
  TypeParam server;
  LanguageModelOptions options = quick_options();
  options.concurrency = 2;
  const auto model = open_server(server, options);
  server.local().disturb([&](std::size_t number, const auto&, auto&) {
    if (number > 2 && number < 5) server.local().wait_for(3);
    return false;
  });
  (void)model->score(server_reference, server_texts);
  EXPECT_EQ(server.local().most_at_once(), 2U);
}

TYPED_TEST(ServerModel, SurvivesFailuresThatPass) {
  TypeParam server;
  LanguageModelOptions options = quick_options();
  options.retries = 3;  // one request may meet all three
  const auto model = open_server(server, options);
  const auto undisturbed = model->score(server_reference, server_texts);
  server.local().disturb([](std::size_t number, const auto&, auto& response) {
    response.set_header("Retry-After", "0");
    if (number == 1) reply(response, 429, "{}");
    if (number == 2) reply(response, 503, "{}");
    if (number == 3) reply_half(response, std::string(100, ' '));
    return number >= 1 && number <= 3;
  });
  EXPECT_EQ(model->score(server_reference, server_texts), undisturbed);
}

TYPED_TEST(ServerModel, SurvivesASlowAnswer) {
  TypeParam server;
  LanguageModelOptions options = quick_options();
  options.timeout_seconds = 1;
  options.retries = 4;  // a busy machine is slow itself
  const auto model = open_server(server, options);
  server.local().disturb([&](std::size_t number, const auto&, auto&) {
    if (number == 3) server.local().hang();
    return false;
  });
  expect_scores(server, model->score(server_reference, server_texts));
}

TYPED_TEST(ServerModel, NamesTheServerWhenFailuresDoNotPass) {
  TypeParam server;
  const auto model = open_server(server);
  server.local().disturb([](std::size_t, const auto&, auto& response) {
    reply(response, 500, R"({"error": "no memory"})");
    return true;
  });
  expect_error([&] { (void)model->score(server_reference, server_texts); }, ErrorKind::backend,
               {server.local().url(), "500", "no memory", "2 attempts"});
}

TYPED_TEST(ServerModel, RefusesInvalidJson) {
  TypeParam server;
  const auto model = open_server(server);
  for (const char* body : {"", "<html>", "{\"choices\": [", "[]", "{}", "null", "NaN"}) {
    server.local().disturb([&](std::size_t, const auto&, auto& response) {
      reply(response, 200, body);
      return true;
    });
    expect_error([&] { (void)model->score(server_reference, server_texts); }, ErrorKind::backend,
                 {server.local().url(), "answer"});
  }
}

TYPED_TEST(ServerModel, KeepsTheKeyOutOfEverything) {
  const TempDir folder;
  TypeParam server({.key = "secret-key"});
  LanguageModelOptions options = quick_options();
  expect_error([&] { (void)open_server(server, options); }, ErrorKind::backend,
               {server.local().url(), "401", "key"});
  options.key_file = folder.write("key", "  secret-key\n");
  const auto model = open_server(server, options);
  expect_scores(server, model->score(server_reference, server_texts));
  EXPECT_THAT(model->identity() + model->description(), Not(HasSubstr("secret")));
  server.options.key = "another";
  try {
    (void)model->score(server_reference, server_texts);
    FAIL() << "no error";
  } catch (const caos::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("wrong key: Bearer (key)"));
    EXPECT_THAT(error.what(), Not(HasSubstr("secret")));
  }
}

TYPED_TEST(ServerModel, SaysWhichServerAndModelItIs) {
  TypeParam server;
  const auto model = open_server(server);
  EXPECT_THAT(model->description(), HasSubstr(server.local().url()));
  EXPECT_THAT(model->description(), HasSubstr("content is not known"));
  EXPECT_THAT(model->identity(), HasSubstr("url=" + server.local().url() + " model=tiny"));
  LanguageModelOptions options = quick_options();
  options.context = 200;
  EXPECT_NE(open_server(server, options)->identity(), model->identity());
}

TEST(ServerModelKey, ComesFromAVariableToo) {
  CompletionsTestServer server({.key = "from-variable"});
  LanguageModelOptions options = quick_options();
  options.key_variable = "CAOS_TEST_SERVER_KEY";
  ::setenv("CAOS_TEST_SERVER_KEY", "from-variable", 1);
  EXPECT_NO_THROW((void)open_server(server, options));
  ::unsetenv("CAOS_TEST_SERVER_KEY");
  expect_error([&] { (void)open_server(server, options); }, ErrorKind::invalid_input,
               {"CAOS_TEST_SERVER_KEY"});
  options.key_file = "key";
  expect_error([&] { (void)open_server(server, options); }, ErrorKind::invalid_input, {"both"});
}

}  // namespace
