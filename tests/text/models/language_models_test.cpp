#include "caos/text/models/language_models.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"

namespace caos::text {
namespace {

Question question() { return {.labels = LabelSpace({"a", "b"})}; }

void expect_refused(const std::string& model, const LanguageModelOptions& options,
                    std::initializer_list<std::string> parts) {
  test::expect_error([&] { (void)open_language_model(model, question(), options); },
                     ErrorKind::invalid_input, parts);
}

TEST(LanguageModels, OpenTheBuiltinByName) {
  const auto model = open_language_model("builtin", question());
  EXPECT_EQ(model->identity(), "builtin 1");
  EXPECT_EQ(model->score({"x", 0}, std::vector<std::string>{"x"})[0].labels.size(), 2U);
}

TEST(LanguageModels, NameTheChoices) {
  for (const std::string name :
       {"", "gpt", "Builtin", "builtin:", "openai:x", "llama", "server:", "chat-server:"}) {
    expect_refused(name, {},
                   {"'" + name + "'", "builtin", "llama:FILE.gguf", "server:URL", "command:"});
  }
  expect_refused("llama:", {}, {"names nothing"});
  expect_refused("command:", {}, {"names nothing"});
}

TEST(LanguageModels, GuessWhatWasMeant) {
  expect_refused("models/x.gguf", {}, {"did you mean llama:models/x.gguf?"});
  expect_refused("scores:s.npy", {}, {"'scores:s.npy'", "is not a language model"});
}

TEST(LanguageModels, RefuseOptionsOfOthers) {
  for (const std::string model : {"builtin", "command:true"}) {
    expect_refused(model, {.context = 8}, {"context", "llama:FILE or server:URL", model});
    expect_refused(model, {.chat = true}, {"chat", "llama:FILE or server:URL", model});
  }
  for (const std::string model : {"builtin", "llama:x.gguf", "command:true"}) {
    expect_refused(model, {.server_model = "m"}, {"model of a server", "server:URL", model});
    expect_refused(model, {.key_variable = "K"}, {"key", "server:URL"});
    expect_refused(model, {.key_file = "k"}, {"key", "server:URL"});
    expect_refused(model, {.retries = 0}, {"retries", "server:URL"});
    expect_refused(model, {.concurrency = 1}, {"requests at once", "server:URL"});
  }
  for (const std::string model : {"builtin", "llama:x.gguf"}) {
    expect_refused(model, {.timeout_seconds = 1}, {"timeout", "server:URL or command:PROGRAM"});
  }
}

TEST(LanguageModels, GiveServersAContextAndAChatTemplate) {
  // No server answers there, which shows only after the options were accepted.
  for (const LanguageModelOptions& options :
       {LanguageModelOptions{.context = 8}, LanguageModelOptions{.chat = true}}) {
    test::expect_error(
        [&] { (void)open_language_model("server:http://127.0.0.1:1", question(), options); },
        ErrorKind::backend, {"no connection"});
  }
}

TEST(LanguageModels, TellWhetherTextsLeaveTheProgram) {
  EXPECT_TRUE(leaves_program("server:http://localhost"));
  EXPECT_TRUE(leaves_program("chat-server:http://localhost"));
  EXPECT_TRUE(leaves_program("embed-server:http://localhost"));
  EXPECT_TRUE(leaves_program("command:cat"));
  EXPECT_FALSE(leaves_program("builtin"));
  EXPECT_FALSE(leaves_program("llama:x.gguf"));
  EXPECT_EQ(destination_of("server:http://user:secret@host:80/v1"), "host:80");
  EXPECT_EQ(destination_of("server:host"), "host");
  EXPECT_EQ(destination_of("chat-server:https://host/v1"), "host");
  EXPECT_EQ(destination_of("command:cat -u"), "the program 'cat -u'");
  EXPECT_EQ(destination_of("llama:x.gguf"), "");
}

}  // namespace
}  // namespace caos::text
