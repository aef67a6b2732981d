// score_store_writer FOLDER REFERENCES TEXTS: fills a score store, to be killed while it does so
// (test_score_store_kills.py). Prints every score in full once it is done.

#include <cstdio>
#include <exception>
#include <string>

#include "caos/engine/text_scoring.hpp"
#include "tests/support/hashed_model.hpp"

namespace {

void fill(const std::string& folder, std::size_t num_references, std::size_t num_texts) {
  const caos::text::Question question{.labels = caos::text::LabelSpace({"yes", "no"})};
  const caos::test::HashedModel model(question.labels.size());
  auto store = caos::text::ScoreStore::open(folder, model, question);

  std::vector<caos::text::LabeledText> references;
  for (std::size_t r = 0; r < num_references; ++r) references.push_back({std::to_string(r), r % 2});
  std::vector<std::string> texts;
  for (std::size_t t = 0; t < num_texts; ++t) texts.push_back("text " + std::to_string(t));

  caos::TextScorer scorer(model, question, store, {.threads = 2});
  const caos::Matrix<caos::Score> scores = scorer.score(references, texts);
  for (std::size_t row = 0; row < scores.rows(); ++row) {
    for (const caos::Score score : scores.row(row)) std::printf("%a\n", score);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4) return 2;
    fill(argv[1], std::stoul(argv[2]), std::stoul(argv[3]));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
