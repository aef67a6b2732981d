#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>

#include "caos/io/utf8.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/text/models/llama/tiny_llama.hpp"

namespace {

using caos::ErrorKind;
using caos::test::asking;
using caos::test::briefly_asking;
using caos::test::close;
using caos::test::expect_close;
using caos::test::expect_error;
using caos::test::Memory;
using caos::test::reference_likelihoods;
using caos::test::ReferenceForward;
using caos::test::tiny_gguf_bytes;
using caos::test::TinyGguf;
using caos::test::TinyLlama;
using caos::test::write_tiny_gguf;
using caos::text::LabeledText;
using caos::text::make_llama_model;
using caos::text::Question;
using testing::HasSubstr;
using testing::Not;

using Texts = std::vector<std::string>;

class LlamaFile : public TinyLlama {};
class LlamaContext : public TinyLlama {};

constexpr const char* chat_template =
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] "
    "+ '<|im_end|>' + '\\n'}}{% endfor %}";

void expect_bad(const std::string& path, ErrorKind kind) {
  expect_error([&] { (void)make_llama_model(path, asking({"yes", "no"}), {}); }, kind, {path});
}

TEST_F(LlamaFile, ThatIsMissingIsNamed) { expect_bad(folder_ / "none.gguf", ErrorKind::not_found); }

TEST_F(LlamaFile, ThatIsNotGgufIsRefused) {
  expect_bad(folder_.write("empty.gguf", ""), ErrorKind::bad_format);
  expect_bad(folder_.write("text.gguf", "id,text\n1,late\n"), ErrorKind::bad_format);
  expect_bad(folder_.write("magic.gguf", "GGUF"), ErrorKind::bad_format);
}

TEST_F(LlamaFile, ThatIsCutOffAnywhereIsRefused) {
  const std::string whole = tiny_gguf_bytes({});
  for (std::size_t part = 1; part < 24; ++part) {
    expect_bad(folder_.write("cut.gguf", whole.substr(0, whole.size() * part / 24)),
               ErrorKind::bad_format);
  }
  expect_bad(folder_.write("cut.gguf", whole.substr(0, whole.size() - 64)), ErrorKind::bad_format);
}

TEST_F(LlamaFile, IsKnownByWhatItHolds) {
  const Question question = asking({"yes", "no"});
  const std::string identity = open(question)->identity();
  write_tiny_gguf(folder_ / "other name.gguf");
  EXPECT_EQ(make_llama_model(folder_ / "other name.gguf", question, {})->identity(), identity);
  EXPECT_NE(open(question, {.seed = 2})->identity(), identity);
  EXPECT_NE(open(question, {}, {.context = 200})->identity(), identity);
  EXPECT_THAT(identity, Not(HasSubstr("tiny.gguf")));
  EXPECT_THAT(open(question)->description(), HasSubstr("tiny.gguf"));
}

TEST_F(LlamaContext, ThatIsTooSmallIsAnErrorWithTheNumbers) {
  expect_error(
      [&] {
        (void)open(asking({"yes", "no"}), {}, {.context = 32});
      },
      ErrorKind::invalid_input, {"32"});
  expect_error(
      [&] {
        (void)open(asking({"yes", "no"}), {.context = 40});
      },
      ErrorKind::invalid_input, {"40"});
}

TEST_F(LlamaContext, ThatIsLargerThanTheModelWasTrainedWithIsRefused) {
  expect_error(
      [&] {
        (void)open(asking({"yes", "no"}), {.context = 256}, {.context = 257});
      },
      ErrorKind::invalid_input, {"context 257", "256", "at most"});
}

TEST_F(LlamaContext, ShortensTextsThatDoNotFit) {
  const Question question = briefly_asking({"yes", "a", "z"});
  const auto model = open(question, {.context = 64});
  const LabeledText reference{"lost", 1};
  Texts texts;
  for (std::size_t size = 0; size < 100; ++size) texts.emplace_back(size, "xyz"[size % 3]);
  const auto scored = model->score(reference, texts);
  std::uint64_t shortened = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (const auto& label : scored[i].labels) EXPECT_TRUE(std::isfinite(label.log_likelihood));
    shortened += scored[i].shortened ? 1U : 0U;
  }
  EXPECT_EQ(model->cost(reference, texts).shortened, shortened);
  EXPECT_FALSE(scored[8].shortened);
  EXPECT_TRUE(scored[99].shortened);
}

TEST_F(LlamaContext, KeepsTheBeginningOfATextThatDoesNotFit) {
  const Question question = briefly_asking({"yes", "a"});
  const LabeledText reference{"lost", 0};
  std::string text;
  for (int i = 0; i < 60; ++i) text += i % 2 == 0 ? "é " : "😀";
  const auto scored = open(question, {.context = 64})->score(reference, Texts{text})[0];
  ASSERT_TRUE(scored.shortened);
  // The likelihoods are those of some prefix, and one that is not empty.
  const ReferenceForward forward(TinyGguf{}, Memory::short_floats);
  std::size_t matches = 0;
  for (std::size_t size = 1; size < 64; ++size) {
    if (caos::text::character_start(text, size) != size) continue;
    const auto expected = reference_likelihoods(forward, question, reference, text.substr(0, size));
    matches +=
        close(scored.labels[0], expected[0]) && close(scored.labels[1], expected[1]) ? 1U : 0U;
  }
  EXPECT_EQ(matches, 1U);
}

TEST_F(LlamaContext, ShortensAReferenceThatDoesNotFitTheSameWayForAllTexts) {
  const auto model = open(asking({"yes", "no"}), {.context = 128});
  const LabeledText reference{std::string(5000, 'q') + "😀", 0};
  const auto scored = model->score(reference, Texts{"late", std::string(9000, ' '), ""});
  for (const auto& text : scored) {
    EXPECT_TRUE(text.shortened);
    for (const auto& label : text.labels) EXPECT_TRUE(std::isfinite(label.log_likelihood));
  }
  EXPECT_EQ(model->score(reference, Texts{"late"})[0].labels, scored[0].labels);
}

TEST_F(LlamaContext, WrapsPromptsInTheModelsChatTemplateOnRequest) {
  const Question question = asking({"yes", "no"});
  const TinyGguf model{.chat_template = chat_template};
  const LabeledText reference{"lost", 0};
  const auto plain = open(question, model)->score(reference, Texts{"late"});
  const auto chat = open(question, model, {.chat = true});
  const auto separate = open_separate(question, model, {.chat = true});
  EXPECT_NE(chat->score(reference, Texts{"late"})[0].labels, plain[0].labels);
  expect_close(chat->score(reference, Texts{"late"})[0].labels,
               separate->score(reference, Texts{"late"})[0].labels, "late");
  EXPECT_NE(chat->identity(), open(question, model)->identity());
}

TEST_F(LlamaContext, HasNoChatWithoutATemplate) {
  expect_error(
      [&] {
        (void)open(asking({"yes", "no"}), {}, {.chat = true});
      },
      ErrorKind::invalid_input, {"chat template"});
}

}  // namespace
