#include "caos/text/encoders/embedding_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "caos/rng.hpp"
#include "caos/text/encoders/llama_encoder.hpp"
#include "caos/text/encoders/text_encoders.hpp"
#include "caos/text/models/llama/llama_model.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/text/models/llama/tiny_bert.hpp"
#include "tests/text/models/servers/local_server.hpp"
#include "tests/text/models/servers/real_llama_server.hpp"

namespace caos::text {
namespace {

using test::expect_error;
using test::LocalServer;
using test::reply;
using test::TempDir;
using Texts = std::vector<std::string>;

constexpr std::size_t width = 5;

LanguageModelOptions quick() { return {.timeout_seconds = 10, .retries = 1}; }

/// What the server says of a text: any fixed vector.
std::vector<double> vector_of(const std::string& text) {
  Rng rng(std::hash<std::string>{}(text));
  std::vector<double> vector(width);
  for (double& value : vector) value = 20 * rng.uniform() - 10;
  return vector;
}

/// A server of embeddings on this machine that gives them in another order than it was asked.
class EmbeddingTestServer {
 public:
  EmbeddingTestServer()
      : local([this](const httplib::Request& request, httplib::Response& response) {
          answer(request, response);
        }) {}

  std::string key{};
  std::size_t context = 0;
  std::function<void(Json& answer)> spoil{};
  LocalServer local;  // the last, as it uses the others

 private:
  void answer(const httplib::Request& request, httplib::Response& response) const {
    if (!key.empty() && request.get_header_value("Authorization") != "Bearer " + key) {
      return reply(response, 401, R"({"error": {"message": "wrong key"}})");
    }
    if (request.path == "/v1/models") {
      Json model = {{"id", "tiny"}};
      if (context > 0) model["max_model_len"] = context;
      return reply(response, 200, Json{{"data", {model}}}.dump());
    }
    const Json body = Json::parse(request.body);
    if (body.at("model") != "tiny") return reply(response, 404, "{}");
    const auto texts = body.at("input").get<Texts>();
    Json data = Json::array();
    for (std::size_t t = texts.size(); t-- > 0;) {
      if (texts[t].empty()) return reply(response, 400, R"({"message": "empty input"})");
      data.push_back({{"index", t}, {"embedding", vector_of(texts[t])}});
    }
    Json all = {{"object", "list"}, {"data", data}};
    if (spoil) spoil(all);
    reply(response, 200, all.dump());
  }
};

void expect_direction(std::span<const float> found, const std::string& text) {
  const std::vector<double> expected = vector_of(text);
  double squares = 0;
  for (const double value : expected) squares += value * value;
  for (std::size_t d = 0; d < width; ++d) {
    EXPECT_NEAR(found[d], expected[d] / std::sqrt(squares), 1e-7) << text;
  }
}

TEST(EmbeddingServer, GivesVectorsInTheOrderOfTexts) {
  EmbeddingTestServer server;
  const auto encoder = open_embedding_server(server.local.url(), quick());
  EXPECT_EQ(encoder->dimension(), width);
  Texts texts;
  for (int i = 0; i < 70; ++i) texts.push_back("text " + std::to_string(i % 60));
  const EncodedTexts encoded = encoder->embed(texts);
  for (std::size_t t = 0; t < texts.size(); ++t) {
    expect_direction(encoded.vectors.row(t), texts[t]);
    EXPECT_FALSE(encoded.truncated[t]);
  }
  EXPECT_EQ(server.local.seen().size(), 2U + 3);  // models, a sentence, and 32 + 32 + 6 texts
  EXPECT_EQ(encoder->embed({}).vectors.rows(), 0U);
}

TEST(EmbeddingServer, SendsNothingOfTheUsersWhenItOpens) {
  EmbeddingTestServer server;
  (void)open_embedding_server(server.local.url(), quick());
  EXPECT_THAT(server.local.seen().back().body, testing::HasSubstr("The sun rises in the east."));
}

TEST(EmbeddingServer, SendsASpaceForAnEmptyText) {
  EmbeddingTestServer server;
  const auto encoder = open_embedding_server(server.local.url(), quick());
  const Texts texts = {"one", ""};
  expect_direction(encoder->embed(texts).vectors.row(1), " ");
}

TEST(EmbeddingServer, CutsTextsWhereTheContextIsKnown) {
  EmbeddingTestServer server;
  server.context = 4;
  const auto encoder = open_embedding_server(server.local.url(), quick());
  const Texts texts = {"abcdefghijkl", "abcdefghijk\u00e9"};
  const EncodedTexts encoded = encoder->embed(texts);
  EXPECT_EQ(encoded.truncated, (std::vector<bool>{false, true}));
  expect_direction(encoded.vectors.row(1), "abcdefghijk");
  EXPECT_THAT(encoder->description(), testing::HasSubstr("context 4"));
}

TEST(EmbeddingServer, SurvivesFailuresThatPass) {
  EmbeddingTestServer server;
  LanguageModelOptions options = quick();
  options.retries = 3;
  const auto encoder = open_embedding_server(server.local.url(), options);
  server.local.disturb([](std::size_t number, const auto&, auto& response) {
    response.set_header("Retry-After", "0");
    if (number == 0) reply(response, 429, "{}");
    if (number == 1) reply(response, 503, "{}");
    if (number == 2) test::reply_half(response, std::string(100, ' '));
    return number < 3;
  });
  const Texts texts = {"one"};
  expect_direction(encoder->embed(texts).vectors.row(0), "one");
}

TEST(EmbeddingServer, RefusesAnswersThatCannotBe) {
  EmbeddingTestServer server;
  const auto encoder = open_embedding_server(server.local.url(), quick());
  const Texts texts = {"one", "two", "three"};
  const auto expect_refused = [&](std::function<void(Json & data)> spoil,
                                  const std::string& words) {
    server.spoil = [&](Json& answer) { spoil(answer["data"]); };
    expect_error([&] { (void)encoder->embed(texts); }, ErrorKind::backend,
                 {server.local.url() + "/v1/embeddings", words});
  };
  expect_refused([](Json& d) { d = nullptr; }, "0 vectors for 3 texts");
  expect_refused([](Json& d) { d.erase(1); }, "2 vectors for 3 texts");
  expect_refused([](Json& d) { d[1]["index"] = 2; }, "index 2 comes twice");
  expect_refused([](Json& d) { d[1]["index"] = 3; }, "not one of 3 texts");
  expect_refused([](Json& d) { d[1]["index"] = -1; }, "not one of 3 texts");
  expect_refused([](Json& d) { d[1].erase("index"); }, "index");
  expect_refused([](Json& d) { d[1]["embedding"].push_back(1); }, "6 values, others have 5");
  expect_refused([](Json& d) { d[1]["embedding"][2] = nullptr; }, "number");
  expect_refused([](Json& d) { d[1]["embedding"] = std::vector<int>(width); }, "zero");
  expect_refused([](Json& d) { d[1]["embedding"][2] = 1e200; }, "not finite");
  expect_refused([](Json& d) { d[1]["embedding"] = "AAAA"; }, "array");
}

TEST(EmbeddingServer, RefusesServersWithoutEmbeddings) {
  LocalServer server([](const httplib::Request& request, auto& response) {
    if (request.path == "/v1/models") return reply(response, 200, R"({"data": [{"id": "x"}]})");
    reply(response, 501, R"({"error": {"message": "start it with --embeddings"}})");
  });
  expect_error([&] { (void)open_embedding_server(server.url(), quick()); }, ErrorKind::backend,
               {server.url() + "/v1/embeddings", "501: start it with --embeddings"});
  EXPECT_EQ(server.seen().size(), 2U);  // the list of models, and one text
}

TEST(TextEncoders, AreOpenedByTheirNames) {
  EmbeddingTestServer server;
  const std::string name = "embed-server:" + server.local.url();
  EXPECT_TRUE(is_encoder(name));
  EXPECT_TRUE(is_encoder("embed:x.gguf"));
  EXPECT_FALSE(is_encoder("chat-server:http://localhost"));
  EXPECT_EQ(open_text_encoder(name, quick())->dimension(), width);
  LanguageModelOptions options = quick();
  options.chat = true;
  expect_error([&] { (void)open_text_encoder(name, options); }, ErrorKind::invalid_input,
               {"leave out chat"});
  for (const std::string wrong : {"embed:", "embed-server:", "llama:x.gguf"}) {
    expect_error([&] { (void)open_text_encoder(wrong); }, ErrorKind::invalid_input,
                 {"'" + wrong + "' is not an encoder", "embed-server:URL"});
  }
}

TEST(EmbeddingServer, KeepsTheKeyOutOfEverything) {
  const TempDir folder;
  EmbeddingTestServer server;
  server.key = "secret-key";
  LanguageModelOptions options = quick();
  expect_error([&] { (void)open_embedding_server(server.local.url(), options); },
               ErrorKind::backend, {"401", "key"});
  options.key_file = folder.write("key", "secret-key\n");
  const auto encoder = open_embedding_server(server.local.url(), options);
  EXPECT_THAT(encoder->identity() + encoder->description(),
              testing::Not(testing::HasSubstr("secret")));
  EXPECT_THAT(encoder->identity(), testing::HasSubstr("model=tiny dimension=5"));
}

TEST(EmbeddingServer, AgreesWithTheSameModelHere) {
  if (llama_version().empty()) GTEST_SKIP() << "NOT TESTED: built without llama.cpp";
  if (test::llama_server_program().empty()) {
    GTEST_SKIP() << "NOT TESTED: there is no llama-server; tools/fetch-llama-server fetches it";
  }
  const TempDir folder;
  const std::string path = folder / "bert.gguf";
  test::TinyBert().write(path);
  const test::RealLlamaServer server(path, {"--embeddings"});
  const auto there = open_embedding_server(server.url(), quick());
  const auto here = open_llama_encoder(path, 0);
  const Texts texts = {"red dogs", "a cat b", "dog", "z z z cats"};
  const EncodedTexts by_server = there->embed(texts);
  const EncodedTexts by_us = here->embed(texts);
  ASSERT_EQ(there->dimension(), here->dimension());
  for (std::size_t t = 0; t < texts.size(); ++t) {
    for (std::size_t d = 0; d < here->dimension(); ++d) {
      EXPECT_NEAR(by_server.vectors(t, d), by_us.vectors(t, d), 1e-3);
    }
  }
}

}  // namespace
}  // namespace caos::text
