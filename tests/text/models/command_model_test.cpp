#include "caos/text/models/command_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/support/test_folders.hpp"

namespace {

using caos::ErrorKind;
using caos::LabelLikelihood;
using caos::test::expect_error;
using caos::test::TempDir;
using caos::text::LabeledText;
using caos::text::LabelSpace;
using caos::text::make_command_model;
using caos::text::Question;
using caos::text::ScoredText;
using testing::HasSubstr;

using Texts = std::vector<std::string>;

Question question() { return {.labels = LabelSpace({"yes", "no", "maybe"})}; }

const LabeledText reference = {"a \"text\"\nof two lines", 1};

/// A program in Python whose functions `first(line)` and `answer(line)` give what it writes.
class Program {
 public:
  explicit Program(const std::string& source) {
    path_ = folder_.write("program.py",
                          "import json, os, sys\n"
                          "def say(value):\n"
                          "    print(json.dumps(value), flush=True)\n"
                          "def hear():\n"
                          "    line = sys.stdin.readline()\n"
                          "    return json.loads(line) if line else sys.exit(0)\n" +
                              source);
  }
  [[nodiscard]] std::string command() const { return "exec python3 '" + path_ + "'"; }
  [[nodiscard]] const TempDir& folder() const { return folder_; }

 private:
  TempDir folder_;
  std::string path_;
};

/// Answers with the number of bytes of the text, of the reference's, and of its label.
const std::string lengths = R"(
start = hear()
say({"name": "lengths", "version": "2"})
def answer(line):
    reference = line["reference"]
    parts = (line["text"], reference["text"], reference["label"])
    return {"id": line["id"], "log_likelihoods": [-len(part.encode()) / 4 for part in parts],
            "tokens": [1, 2, 3]}
)";

const std::string in_order = lengths + "while True:\n    say(answer(hear()))\n";

void expect_lengths(const std::vector<ScoredText>& scored, const Texts& texts) {
  ASSERT_EQ(scored.size(), texts.size());
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const std::vector<LabelLikelihood> expected = {
        {-static_cast<double>(texts[t].size()) / 4, 1},
        {-static_cast<double>(reference.text.size()) / 4, 2},
        {-0.5, 3}};
    EXPECT_EQ(scored[t].labels, expected);
  }
}

/// Runs a program on some texts; it fails.
void expect_failure(const std::string& source, std::initializer_list<std::string> words) {
  const Program program(source);
  expect_error(
      [&] {
        const auto model = make_command_model(program.command(), question());
        (void)model->score(reference, Texts{"first", "second"});
      },
      ErrorKind::backend, words);
}

TEST(CommandModel, PassesOnWhatTheProgramAnswers) {
  const Program program(in_order);
  const auto model = make_command_model(program.command(), question());
  const Texts texts = {"one", "", "two\nlines", "é😀\"\\"};
  expect_lengths(model->score(reference, texts), texts);
  expect_lengths(model->score(reference, texts), texts);
  EXPECT_TRUE(model->score(reference, {}).empty());
}

TEST(CommandModel, TellsTheProgramLabelsAndTemplate) {
  const Program program(
      "start = hear()\n"
      "say({'name': '|'.join(start['labels']), 'version': str(start['caos'])})\n"
      "assert '{reference_text}' in start['template']\n"
      "hear()\n");
  EXPECT_EQ(make_command_model(program.command(), question())->description(),
            "command: yes|no|maybe 1");
}

TEST(CommandModel, KnowsProgramsByNameVersionAndCommand) {
  const Program program(in_order);
  const std::string identity = make_command_model(program.command(), question())->identity();
  EXPECT_THAT(identity, HasSubstr("name=lengths version=2"));
  EXPECT_EQ(make_command_model(program.command(), question())->identity(), identity);
  EXPECT_NE(make_command_model(program.command() + " x", question())->identity(), identity);
}

TEST(CommandModel, TakesAnswersInAnyOrder) {
  const Program program(lengths +
                        "kept = []\n"
                        "while True:\n"
                        "    kept.append(answer(hear()))\n"
                        "    if len(kept) == 5:\n"
                        "        for value in reversed(kept): say(value)\n"
                        "        kept = []\n");
  const auto model = make_command_model(program.command(), question());
  const Texts texts = {"a", "bb", "ccc", "dddd", "eeeee"};
  expect_lengths(model->score(reference, texts), texts);
}

TEST(CommandModel, IsNotStuckWherePipesAreFull) {
  // The program reads nothing more before it has written more than a pipe holds.
  const Program program(lengths +
                        "while True:\n"
                        "    value = answer(hear())\n"
                        "    value['padding'] = 'x' * 300000\n"
                        "    say(value)\n");
  const auto model = make_command_model(program.command(), question());
  Texts texts;
  for (std::size_t t = 0; t < 80; ++t) texts.emplace_back(t * 1000, 'y');
  expect_lengths(model->score(reference, texts), texts);
}

TEST(CommandModel, CountsATokenPerLabelWhereNoneAreGiven) {
  const Program program(
      "hear()\nsay({'name': 'plain'})\n"
      "while True: say({'id': hear()['id'], 'log_likelihoods': [0, -1.5, None]})\n");
  const auto scored =
      make_command_model(program.command(), question())->score(reference, Texts{"x"});
  const std::vector<LabelLikelihood> expected = {
      {0, 1}, {-1.5, 1}, {-std::numeric_limits<double>::infinity(), 1}};
  EXPECT_EQ(scored.at(0).labels, expected);
}

TEST(CommandModel, ServesSeveralThreads) {
  const Program program(in_order);
  const auto model = make_command_model(program.command(), question());
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const Texts texts = {std::string(t, 'a'), std::string(2 * t, 'b')};
      for (int i = 0; i < 20; ++i) expect_lengths(model->score(reference, texts), texts);
    });
  }
}

TEST(CommandModel, IsNotWaitedForWithoutEnd) {
  const Program silent("hear()\nimport time\ntime.sleep(100)\n");
  expect_error([&] { (void)make_command_model(silent.command(), question(), 0.2); },
               ErrorKind::backend, {"exec python3", "no answer within 0.2 s", "timeout"});
  // Bytes that never become a line are no answer.
  const Program dripping(
      "hear()\nimport time\n"
      "while True:\n    sys.stdout.write('x')\n    sys.stdout.flush()\n    time.sleep(0.01)\n");
  expect_error([&] { (void)make_command_model(dripping.command(), question(), 0.5); },
               ErrorKind::backend, {"no answer within 0.5 s"});
}

TEST(CommandModel, SaysHowAProgramEnded) {
  expect_failure("sys.exit(3)", {"exec python3", "status 3"});
  expect_failure(lengths + "hear()\nsys.exit(0)", {"ended by itself"});
  expect_failure(lengths + "hear()\nos.kill(os.getpid(), 9)", {"signal 9"});
  expect_failure(lengths + "sys.stdout.write('half a line')", {"half a line"});
  expect_error([] { (void)make_command_model("/nowhere/program", question()); }, ErrorKind::backend,
               {"/nowhere/program", "status 127"});
  expect_error([] { (void)make_command_model(" ", question()); }, ErrorKind::invalid_input,
               {"command:"});
}

TEST(CommandModel, OutlivesAProgramThatReadsNothing) {
  // What is written to it must not end us by a signal.
  const Program program(lengths + "os.close(0)\nos.write(1, b'')\nimport time\ntime.sleep(0.2)\n");
  const auto model = make_command_model(program.command(), question());
  const Texts texts(60, std::string(10000, 'x'));
  expect_error([&] { (void)model->score(reference, texts); }, ErrorKind::backend, {"exec python3"});
}

TEST(CommandModel, RefusesAnswersThatCannotBe) {
  expect_failure("print('hello', flush=True)\nhear()", {"'hello' is not a JSON object"});
  expect_failure("hear()\nsay({})", {"the first line", "name"});
  const auto expect_refused = [](const std::string& line, const std::string& words) {
    const std::string command =
        "read -r a; printf '%s\\n' '{\"name\": \"x\"}'; read -r b; printf '%s\\n' '" + line +
        "'; read -r c";
    expect_error(
        [&] {
          const auto model = make_command_model(command, question());
          (void)model->score(reference, Texts{"first", "second"});
        },
        ErrorKind::backend, {"read -r a", words});
  };
  expect_refused("garbage", "id 0 is wrong: 'garbage'");
  expect_refused("[1]", "not a JSON object");
  const std::string deep = std::string(20'000, '[') + std::string(20'000, ']');
  expect_refused(R"({"id": 0, "log_likelihoods": [-1, -1, )" + deep + "]}", "not a JSON object");
  expect_refused(R"({"log_likelihoods": [-1, -1, -1]})", "no \"id\"");
  expect_refused(R"({"id": -1, "log_likelihoods": [-1, -1, -1]})", "no \"id\"");
  expect_refused(R"({"id": 2, "log_likelihoods": [-1, -1, -1]})", "id 2");
  expect_refused(R"({"id": 0})", "\"log_likelihoods\" is not a list of 3");
  expect_refused(R"({"id": 0, "log_likelihoods": [-1, -1]})", "not a list of 3");
  expect_refused(R"({"id": 0, "log_likelihoods": [-1, -1, 0.5]})", "0.5 is not a log-likelihood");
  expect_refused(R"({"id": 0, "log_likelihoods": [-1, -1, NaN]})", "not a JSON object");
  expect_refused(R"({"id": 0, "log_likelihoods": [-1, -1, "x"]})", "not a log-likelihood");
  const std::string good = R"({"id": 0, "log_likelihoods": [-1, -1, -1], "tokens": )";
  expect_refused(good + "[1, 1]}", "\"tokens\" is not a list of 3");
  expect_refused(good + "[1, 1, 0]}", "0 is not a number of tokens");
  expect_refused(good + "[1, 1, 1.5]}", "1.5 is not a number of tokens");
}

TEST(CommandModel, IsNotAskedAfterAWrongAnswerAndTellsEveryoneWhichItWas) {
  const Program program(lengths +
                        "hear()\nprint('garbage', flush=True)\n"
                        "while True: say(answer(hear()))\n");
  const auto model = make_command_model(program.command(), question());
  const Texts texts = {"a", "b"};
  for (int i = 0; i < 2; ++i) {
    expect_error([&] { (void)model->score(reference, texts); }, ErrorKind::backend, {"garbage"});
  }
}

TEST(CommandModel, RefusesATextThatIsNotUtf8) {
  const Program program(in_order);
  const auto model = make_command_model(program.command(), question());
  expect_error(
      [&] {
        (void)model->score(reference, Texts{"good", "\xff"});
      },
      ErrorKind::invalid_input, {"UTF-8"});
  expect_lengths(model->score(reference, Texts{"good"}), {"good"});
}

TEST(CommandModel, EndsAProgramThatDoesNotEnd) {
  const Program program(
      "open(sys.argv[0] + '.pid', 'w').write(str(os.getpid()))\n"
      "hear()\nsay({'name': 'stubborn'})\nimport time\ntime.sleep(30)\n");
  (void)make_command_model(program.command(), question());
  const int process = std::stoi(program.folder().read("program.py.pid"));
  EXPECT_EQ(::kill(process, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(CommandModel, SaysWhatItSends) {
  const Program program(in_order);
  const auto model = make_command_model(program.command(), question());
  const auto cost = model->cost(reference, Texts{"one", "two"});
  EXPECT_EQ(cost.requests, 2U);
  EXPECT_GT(cost.bytes_sent, 2 * reference.text.size());
}

TEST(CommandModel, RunsTheExampleOfTheDocumentation) {
  std::ostringstream document;
  document << std::ifstream(caos::test::source_folder() + "/docs/reference/formats.md").rdbuf();
  const std::string text = document.str();
  const std::size_t begin = text.find("import json, math, sys\n");
  ASSERT_NE(begin, std::string::npos) << "docs/reference/formats.md has no example";
  const std::size_t end = text.find("```", begin);
  const TempDir folder;
  const std::string path = folder.write("example.py", text.substr(begin, end - begin));
  const auto model = make_command_model("python3 '" + path + "'", question());
  const auto scored = model->score({"lost card", 0}, Texts{"my card is lost", "good morning"});
  EXPECT_GT(scored.at(0).labels.at(0).log_likelihood, scored.at(1).labels.at(0).log_likelihood);
  EXPECT_LT(scored.at(0).labels.at(1).log_likelihood, 0);
}

}  // namespace
