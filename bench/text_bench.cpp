// What sharing the work of a language model saves.
//
//   text_bench MODEL.gguf RAFT-FOLDER [REFERENCES [TEXTS [TASK...]]]
//
// Scores the same pairs of reference and text twice in one run: with everything shared, and every
// (reference, text, label) as a prompt by itself. Takes pairs that fit the model's context uncut.
// Prints per task the tokens and the seconds of both, their ratios, and the largest relative
// difference of a label's log-likelihood.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "caos/text/models/llama/llama_model.hpp"
#include "caos/text/task_file.hpp"
#include "caos/text/text_table.hpp"

namespace {

using caos::text::LabeledText;
using caos::text::LanguageModel;
using caos::text::ScoredText;

/// What is scored after one reference.
struct Pairs {
  LabeledText reference{};
  std::vector<std::string> texts{};
};

/// One way to score, and what it took.
struct Run {
  std::unique_ptr<LanguageModel> model{};
  double seconds = 0;
  double processor = 0;  // seconds of it, which other programs do not change
  std::uint64_t tokens = 0;

  std::vector<ScoredText> score(const Pairs& pairs) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t ticks = std::clock();
    auto scored = model->score(pairs.reference, pairs.texts);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    processor += static_cast<double>(std::clock() - ticks) / CLOCKS_PER_SEC;
    for (const ScoredText& text : scored) tokens += text.tokens;
    return scored;
  }
};

bool fits(const LanguageModel& model, const LabeledText& reference, const std::string& text) {
  return model.cost(reference, std::vector{text}).shortened == 0;
}

/// For each of the first references that fit at all: all other texts that fit after it.
std::vector<Pairs> pairs_that_fit(const LanguageModel& model, std::vector<LabeledText> labeled,
                                  std::size_t references, std::size_t texts) {
  // Long texts would fit with none of the others.
  std::ranges::stable_sort(labeled, {}, [](const LabeledText& one) { return one.text.size(); });
  std::vector<Pairs> result;
  for (std::size_t i = labeled.size(); i-- > 0 && result.size() < references;) {
    if (!fits(model, labeled[i], labeled[i].text)) continue;
    Pairs pairs{.reference = labeled[i]};
    for (std::size_t j = 0; j < labeled.size() && pairs.texts.size() < texts; ++j) {
      const std::string& text = labeled[(i + j) % labeled.size()].text;
      if (j != 0 && fits(model, pairs.reference, text)) pairs.texts.push_back(text);
    }
    if (!pairs.texts.empty()) result.push_back(std::move(pairs));
  }
  return result;
}

double largest_difference(const std::vector<ScoredText>& a, const std::vector<ScoredText>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t y = 0; y < a[i].labels.size(); ++y) {
      const double plain = b[i].labels[y].log_likelihood;
      largest = std::max(largest, std::abs((a[i].labels[y].log_likelihood - plain) / plain));
    }
  }
  return largest;
}

void compare(const std::string& model, const std::string& folder, std::size_t references,
             std::size_t texts) {
  const auto task = caos::text::read_task_file(folder + "/task.json");
  const auto table = caos::text::read_text_table(
      folder + "/train.csv", {.text = task.text_columns, .label = task.label_column});
  const caos::text::Question question{.labels = task.labels};
  Run shared{.model = caos::text::make_llama_model(model, question, {})};
  Run separate{.model = caos::text::make_separate_llama_model(model, question, {})};
  const auto all =
      pairs_that_fit(*shared.model, labeled_texts(table, task.labels), references, texts);
  std::size_t pairs = 0;
  double difference = 0;
  // Makes the contexts.
  for (const Run* run : {&shared, &separate}) (void)run->model->score(all.at(0).reference, {});
  for (const Pairs& some : all) {
    const auto ours = shared.score(some);
    difference = std::max(difference, largest_difference(ours, separate.score(some)));
    pairs += some.texts.size();
  }
  fmt::print("| {} | {} | {} | {} | {} | {:.1f} | {:.2f} | {:.2f} | {:.1f} | {:.1f} | {:.1e} |\n",
             task.name, task.labels.size(), pairs, shared.tokens, separate.tokens,
             static_cast<double>(separate.tokens) / static_cast<double>(shared.tokens),
             shared.seconds, separate.seconds, separate.seconds / shared.seconds,
             separate.processor / shared.processor, difference);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: text_bench MODEL.gguf RAFT-FOLDER [REFERENCES [TEXTS [TASK...]]]\n");
    return 2;
  }
  std::vector<std::string> tasks(argv + std::min(argc, 5), argv + argc);
  if (tasks.empty()) {
    tasks = {"ade_corpus_v2",   "overruling",         "terms_of_service",
             "tweet_eval_hate", "twitter_complaints", "banking_77"};
  }
  try {
    fmt::print(
        "| task | labels | pairs | tokens shared | separate | ratio | seconds shared | "
        "separate | ratio | of processor time | difference |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (const std::string& task : tasks) {
      compare(argv[1], std::string(argv[2]) + "/" + task,
              argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 4,
              argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 20);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "text_bench: {}\n", error.what());
    return 1;
  }
}
