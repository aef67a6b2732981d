// Splits of texts whose labels are listed by the labeled texts themselves.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "caos/text/text_evaluation.hpp"
#include "tests/text/text_problem.hpp"

namespace caos {
namespace {

using text_problem::expect_outcome;
using text_problem::large;
using text_problem::options_for;
using text_problem::Problem;
using text_problem::small;

/// Of 12 texts with 9 labels, most splits leave a label unlisted.
struct Trial : text_problem::Trial {
  Trial()
      : text_problem::Trial(text_problem::make(*rc::gen::arbitrary<std::uint32_t>(), 12, 9), 6, 3) {
  }
};

/// Whether a labeled text of the split has the label.
bool is_listed(const Trial& trial, Label y) {
  return std::ranges::any_of(trial.split.labeled,
                             [&](std::size_t i) { return trial.problem.labels[i] == y; });
}

std::vector<std::size_t> listed_part(const Trial& trial, std::vector<std::size_t> set) {
  std::erase_if(set, [&](Label y) { return !is_listed(trial, y); });
  return set;
}

// A label that only test texts have is in no set, not even where every label is.
RC_GTEST_PROP(TextLabelLists, LabelsThatOnlyTestTextsHaveAreInNoSet, ()) {
  Trial trial;
  trial.split.labels_from_labeled = true;
  const Indices& labeled = trial.split.labeled;
  const auto results = evaluate_texts(
      trial.problem.tensor(), trial.problem.labels, trial.split,
      options_for({Method::caos, Method::full_caos, Method::scos}, trial.k), trial.reverse());
  const oracle::Table own = trial.problem.own(labeled);
  for (std::size_t t = 0; t < trial.split.test.size(); ++t) {
    const std::size_t x = trial.split.test[t];
    const Label truth = trial.problem.labels[x];
    const auto pools = trial.problem.pools(x, labeled);
    const auto reverse = trial.problem.reverse_pools(x, labeled);
    for (const std::size_t a : {0U, 1U}) {
      const std::size_t percent = a == 0 ? large : small;
      expect_outcome(results[a].outcomes[t],
                     listed_part(trial, oracle::caos_set(own, pools, trial.k, percent, 100)),
                     truth);
      expect_outcome(
          results[2 + a].outcomes[t],
          listed_part(trial, oracle::full_set(own, pools, reverse, trial.k, percent, 100)), truth);
      if (!is_listed(trial, truth)) RC_ASSERT(results[4 + a].outcomes[t].covered == 0);
    }
  }
}

TEST(TextLabelLists, SayWhatAListFromTheLabeledTextsCosts) {
  const Problem problem = text_problem::make(3);
  TextSplit split = draw_text_split(problem.count, 3, 1);
  const auto guarantees = [&] {
    std::vector<std::string> texts;
    for (const auto& result : evaluate_texts(problem.tensor(), problem.labels, split,
                                             options_for({Method::caos, Method::scos_best}, 2))) {
      texts.push_back(result.guarantee.text());
    }
    return texts;
  };
  EXPECT_EQ(guarantees()[0], "marginal");
  split.labels_from_labeled = true;
  EXPECT_EQ(guarantees()[0], "marginal for listed labels (1 - alpha - P(label not in the list))");
  EXPECT_TRUE(guarantees()[2].starts_with("none (")) << guarantees()[2];
}

TEST(TextLabelLists, ListTheLabelsOfTheLabeledTextsOnly) {
  const std::vector<Label> labels = {0, 0, 1, 0, 2, 0};
  TextSplit split{.labeled = {0, 1, 2, 3}, .test = {4, 5}};
  EXPECT_EQ(listed_labels(split, labels, 4), (std::vector<Label>{0, 1, 2, 3}));
  split.labels_from_labeled = true;
  EXPECT_EQ(listed_labels(split, labels, 4), (std::vector<Label>{0, 1}));
}

}  // namespace
}  // namespace caos
