// From arrays of scores to prediction sets, and how good they are.
#include <caos/caos.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr std::size_t num_labels = 6;

struct Examples {
  std::vector<double> x;
  std::vector<caos::Label> labels;
};

/// Points around 0, 1, ..., 5 on a line, labeled with where they come from.
Examples sample(std::size_t count, caos::Rng& rng) {
  Examples examples;
  for (std::size_t i = 0; i < count; ++i) {
    examples.labels.push_back(rng.below(num_labels));
    examples.x.push_back(static_cast<double>(examples.labels[i]) + 2 * (rng.uniform() - 0.5));
  }
  return examples;
}

/// Entry (t * num_labels + y, j): how badly label y fits input t, judged by reference j alone.
caos::Matrix<double> score(const Examples& inputs, const Examples& references) {
  caos::Matrix<double> scores(inputs.x.size() * num_labels, references.x.size());
  for (std::size_t r = 0; r < scores.rows(); ++r) {
    for (std::size_t j = 0; j < scores.cols(); ++j) {
      const double shift = static_cast<double>(r % num_labels) - double(references.labels[j]);
      scores(r, j) = std::abs(inputs.x[r / num_labels] - references.x[j] - shift);
    }
  }
  return scores;
}

}  // namespace

int main() {
  caos::Rng rng(1);
  const Examples labeled = sample(40, rng), tests = sample(500, rng);
  const caos::Matrix<double> labeled_scores = score(labeled, labeled);
  const caos::Matrix<double> test_scores = score(tests, labeled);
  const caos::ScoreTensor test{.rows = test_scores.view(), .num_labels = num_labels};
  const auto own = caos::OwnScores::of_labeled(
      {.rows = labeled_scores.view(), .num_labels = num_labels}, labeled.labels);

  const auto alpha = caos::Miscoverage::parse("0.1");
  std::printf("labels of the first test input:");
  for (const caos::Label y : caos::calibrate(own).predict_set({.pools = test.input(0)}, alpha)) {
    std::printf(" %zu", y);
  }
  const auto results = caos::evaluate({own, {.test = test}, tests.labels},
                                      {.methods = {caos::Method::caos, caos::Method::scos},
                                       .alphas = {alpha},
                                       .grouping = caos::Grouping::none(own.size()),
                                       .partition = caos::split::halve(own.size(), 0)});
  for (const caos::MethodResult& result : results) {
    std::printf("\n%s: coverage %.3f, mean set size %.2f (guarantee: %s)",
                caos::method_name(result.method).data(), result.evaluation.coverage,
                result.evaluation.mean_set_size, result.guarantee.text().c_str());
  }
  std::printf("\n");
}
