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
  const auto alpha = caos::Miscoverage::parse("0.1");
  const std::vector<caos::Method> methods = {caos::Method::caos, caos::Method::scos};
  constexpr int repeats = 50;  // the guarantee is an average over labeled examples, too
  std::vector<double> coverage(methods.size()), size(methods.size());
  for (int repeat = 0; repeat < repeats; ++repeat) {
    caos::Rng rng = caos::Rng::stream(1, repeat);
    const Examples labeled = sample(40, rng), tests = sample(100, rng);
    const caos::Matrix<double> labeled_scores = score(labeled, labeled);
    const caos::Matrix<double> test_scores = score(tests, labeled);
    const caos::ScoreTensor test{.rows = test_scores.view(), .num_labels = num_labels};
    const auto own = caos::OwnScores::of_labeled(
        {.rows = labeled_scores.view(), .num_labels = num_labels}, labeled.labels);
    if (repeat == 0) {
      const caos::Calibration calibration = caos::calibrate(own);
      std::printf("labels of the first test input:");
      for (const caos::Label y : calibration.predict_set({.pools = test.input(0)}, alpha)) {
        std::printf(" %zu", y);
      }
      std::printf("\n");
    }
    const auto results = caos::evaluate({own, {.test = test}, tests.labels},
                                        {.methods = methods,
                                         .alphas = {alpha},
                                         .grouping = caos::Grouping::none(own.size()),
                                         .partition = caos::split::halve(own.size(), 0)});
    for (std::size_t m = 0; m < methods.size(); ++m) {
      coverage[m] += results[m].evaluation.coverage / repeats;
      size[m] += results[m].evaluation.mean_set_size / repeats;
    }
  }
  for (std::size_t m = 0; m < methods.size(); ++m) {
    std::printf("%s: coverage %.3f, mean set size %.2f (guarantee: %s)\n",
                caos::method_name(methods[m]).data(), coverage[m], size[m],
                caos::guarantee_of(methods[m]).text().c_str());
  }
}
