// score_store_writer FOLDER REFERENCES TEXTS: fills a score store, to be killed while it does so
// (test_score_store_kills.py). Prints a hash of the scores of each text once it is done.

#include <bit>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "caos/text/text_session.hpp"
#include "tests/support/hashed_model.hpp"

namespace {

void fill(const std::string& folder, std::size_t num_references, std::size_t num_texts) {
  // Many labels make commits of many pages, which take longer to write.
  std::vector<std::string> labels;
  for (std::size_t y = 0; y < 77; ++y) labels.push_back("label " + std::to_string(y));
  const caos::text::Question question{.labels = caos::text::LabelSpace(labels)};
  caos::TextSessionOptions options;
  options.question = question;
  options.store = folder;
  options.threads = 2;
  caos::TextSession session(std::move(options),
                            std::make_shared<caos::test::HashedModel>(question.labels.size()));

  std::vector<caos::text::LabeledText> references;
  for (std::size_t r = 0; r < num_references; ++r) references.push_back({std::to_string(r), r % 2});
  std::vector<std::string> texts;
  for (std::size_t t = 0; t < num_texts; ++t) texts.push_back("text " + std::to_string(t));

  const caos::Matrix<caos::Score> scores = session.score(references, texts);
  for (std::size_t row = 0; row < scores.rows(); ++row) {
    std::uint64_t hash = row;
    for (const caos::Score score : scores.row(row))
      hash = hash * 31 + std::bit_cast<std::uint64_t>(score);
    std::printf("%llx\n", static_cast<unsigned long long>(hash));
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
