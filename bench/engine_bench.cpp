// What the engine costs. bench/run turns these times into the ratios of bench/README.md.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "caos/calibration.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/evaluate.hpp"
#include "caos/growing.hpp"
#include "caos/numerics/minsum.hpp"
#include "caos/rng.hpp"

namespace {

constexpr std::size_t k = 3;
constexpr std::size_t num_labels = 168;
constexpr std::size_t tensor_bytes = std::size_t{512} << 20;  // far beyond any cache

template <typename T>
std::vector<T> random_scores(std::size_t count) {
  std::vector<T> scores(count);
  caos::Rng rng(1);
  for (T& score : scores) score = static_cast<T>(rng.uniform());
  return scores;
}

/// Rows of `n` scores, about `tensor_bytes` in all. Kept between runs: drawing takes a while.
template <typename T>
caos::MatrixView<const T> tensor(std::size_t n) {
  static const std::vector<T> scores = random_scores<T>(tensor_bytes / sizeof(T));
  return {scores.data(), scores.size() / n, n};
}

/// Reads everything and does next to nothing with it: the machine's own read bandwidth. The widest
/// loads the machine has, several sums so that none waits for another.
__attribute__((target_clones("avx512f", "avx2", "default"))) std::uint64_t read_all(
    const std::uint64_t* words, std::size_t count) {
  constexpr std::size_t lanes = 64;
  std::uint64_t sums[lanes] = {};
  for (std::size_t i = 0; i + lanes <= count; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += words[i + lane];
  }
  return std::accumulate(sums, sums + lanes, std::uint64_t{0});
}

constexpr std::size_t range_bytes = std::size_t{1} << 20;

void read_bandwidth(benchmark::State& state) {
  const auto threads = static_cast<std::size_t>(state.range(0));
  const auto view = tensor<float>(100);
  const auto* words = reinterpret_cast<const std::uint64_t*>(view.data());
  const std::size_t count = tensor_bytes / sizeof(std::uint64_t);
  for (auto _ : state) {
    caos::parallel_for(count, range_bytes / 8, threads, [&](std::size_t first, std::size_t last) {
      benchmark::DoNotOptimize(read_all(words + first, last - first));
    });
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(tensor_bytes));
}
BENCHMARK(read_bandwidth)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

template <typename T>
void aggregate(benchmark::State& state) {
  const auto threads = static_cast<std::size_t>(state.range(0));
  const auto n = static_cast<std::size_t>(state.range(1));
  const auto view = tensor<T>(n);
  std::vector<double> sums(view.rows());
  const std::size_t rows_per_range = range_bytes / (n * sizeof(T)) + 1;
  for (auto _ : state) {
    caos::parallel_for(view.rows(), rows_per_range, threads,
                       [&](std::size_t first, std::size_t last) {
                         caos::minsum_rows(view.rows_from(first, last - first), k,
                                           std::span(sums).subspan(first, last - first));
                       });
    benchmark::DoNotOptimize(sums.data());
  }
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(view.rows() * n * sizeof(T)));
}
BENCHMARK(aggregate<float>)
    ->ArgsProduct({{1, 2}, {40, 100, 1000}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(aggregate<double>)
    ->ArgsProduct({{1, 2}, {100}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// A symmetric bundle like a landmark task: references and patches on a line, scored by distance.
struct Bundle {
  static constexpr std::size_t n = 100;
  static constexpr std::size_t m = 2000;

  std::vector<float> own;
  std::vector<float> test;
  std::vector<caos::Label> truths;

  Bundle() {
    caos::Rng rng(2);
    std::vector<double> reference(n);
    for (double& place : reference) place = rng.uniform();
    for (const double a : reference) {
      for (const double b : reference) own.push_back(static_cast<float>((a - b) * (a - b)));
    }
    for (std::size_t t = 0; t < m; ++t) {
      truths.push_back(rng.below(num_labels));
      for (std::size_t y = 0; y < num_labels; ++y) {
        // The truth lies among the references, other patches mostly elsewhere.
        const double place = rng.uniform() * (y == truths.back() ? 1.0 : 12.0);
        for (const double b : reference) {
          test.push_back(static_cast<float>((place - b) * (place - b)));
        }
      }
    }
  }

  [[nodiscard]] caos::ScoreBundle scores() const {
    const caos::ScoreTensor tensor{
        .rows = caos::MatrixView<const float>(test.data(), m * num_labels, n),
        .num_labels = num_labels};
    return {.own = caos::OwnScores(caos::MatrixView<const float>(own.data(), n, n)),
            .inputs = {.test = tensor, .symmetric = true},
            .test_labels = truths};
  }
};

void evaluate_methods(benchmark::State& state, std::vector<caos::Method> methods) {
  static const Bundle data;
  const caos::ScoreBundle bundle = data.scores();
  caos::EvaluateOptions options{
      .methods = std::move(methods),
      .alphas = {caos::Miscoverage::parse("0.05"), caos::Miscoverage::parse("0.1"),
                 caos::Miscoverage::parse("0.2")},
      .k = k,
      .grouping = caos::Grouping::none(Bundle::n),
      .partition = caos::split::halve(Bundle::n, 0)};
  options.threads = 1;
  double size = 0;
  for (auto _ : state) size = caos::evaluate(bundle, options)[0].evaluation.mean_set_size;
  state.counters["mean_set_size"] = size;
}
BENCHMARK_CAPTURE(evaluate_methods, caos, std::vector{caos::Method::caos})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate_methods, full_caos, std::vector{caos::Method::full_caos})
    ->Unit(benchmark::kMillisecond);

/// n labeled examples for calibrating again and for adding one.
class LargeCalibration {
 public:
  static constexpr std::size_t n = 10'000;

  LargeCalibration() : own_(random_own()), growing_(own_, caos::calibrate(own_, {.k = k})) {}

  [[nodiscard]] const caos::OwnScores& own() const { return own_; }
  caos::GrowingCalibration& growing() { return growing_; }

  static LargeCalibration& instance() {
    static LargeCalibration large;
    return large;
  }

 private:
  static caos::OwnScores random_own() {
    const std::vector<double> scores = random_scores<double>(n * n);
    return caos::OwnScores(caos::MatrixView<const double>(scores.data(), n, n));
  }

  caos::OwnScores own_;
  caos::GrowingCalibration growing_;
};

const caos::Miscoverage tenth = caos::Miscoverage::parse("0.1");

void calibrate_again(benchmark::State& state) {
  const caos::OwnScores& own = LargeCalibration::instance().own();
  const auto threads = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) {
    const caos::Calibration calibration = caos::calibrate(own, {.k = k, .threads = threads});
    benchmark::DoNotOptimize(calibration.threshold(tenth));
  }
}
BENCHMARK(calibrate_again)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

/// Adds one example to n others and asks for the new threshold, then takes it out again untimed.
void add_example(benchmark::State& state) {
  caos::GrowingCalibration& growing = LargeCalibration::instance().growing();
  caos::Rng rng(3);
  std::vector<double> under_others(LargeCalibration::n);
  std::vector<double> of_others(LargeCalibration::n);
  for (auto _ : state) {
    state.PauseTiming();
    for (double& score : under_others) score = rng.uniform();
    for (double& score : of_others) score = rng.uniform();
    state.ResumeTiming();
    growing.add_example(under_others, of_others);
    benchmark::DoNotOptimize(growing.calibration().threshold(tenth));
    state.PauseTiming();
    growing.remove_example(LargeCalibration::n);
    state.ResumeTiming();
  }
}
BENCHMARK(add_example)->Iterations(300)->UseRealTime()->Unit(benchmark::kMillisecond);

void remove_example(benchmark::State& state) {
  caos::GrowingCalibration& growing = LargeCalibration::instance().growing();
  const std::vector<double> ones(LargeCalibration::n, 1.0);
  for (auto _ : state) {
    growing.remove_example(LargeCalibration::n / 2);
    benchmark::DoNotOptimize(growing.calibration().threshold(tenth));
    state.PauseTiming();
    const std::span<const double> others = std::span(ones).first(LargeCalibration::n - 1);
    growing.add_example(others, others);
    state.ResumeTiming();
  }
}
BENCHMARK(remove_example)->Iterations(50)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
