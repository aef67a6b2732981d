#include "caos/conformal/exchangeability.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <span>

#include "caos/error.hpp"
#include "caos/kernels/exp.hpp"
#include "caos/numerics/minsum.hpp"
#include "caos/rng.hpp"
#include "caos/sorted_scores.hpp"

namespace caos {
namespace {

/// One task while its examples join: of each, the k smallest scores under the others, ascending.
class JoiningTask {
 public:
  JoiningTask(const OnlineTask& task, std::size_t k) : task_(task), k_(k) {}

  /// Whether `example` has the task; then it joins.
  bool join(std::size_t example) {
    const std::size_t newest = nearest_.size();
    if (newest == task_.examples.size() || task_.examples[newest] != example) return false;
    nearest_.emplace_back();
    for (std::size_t i = 0; i < newest; ++i) {
      insert(nearest_[i], task_.own(i, newest));
      insert(nearest_[newest], task_.own(newest, i));
    }
    return true;
  }

  /// Puts the scores of those that are there into `largest`, by example, where they are larger.
  void raise(std::vector<std::optional<Score>>& largest) const {
    for (std::size_t i = 0; i < nearest_.size(); ++i) {
      const Score score = sum_in_order(nearest_[i]);
      auto& of_example = largest[task_.examples[i]];
      of_example = of_example ? std::max(*of_example, score) : score;
    }
  }

 private:
  void insert(std::vector<Score>& nearest, Score score) const {
    nearest.insert(std::ranges::upper_bound(nearest, score), score);
    if (nearest.size() > k_) nearest.pop_back();
  }

  const OnlineTask& task_;
  std::size_t k_;
  std::vector<std::vector<Score>> nearest_;
};

/// How the others compare with the newest.
Exceedances compare_with(std::span<const std::optional<Score>> scores, std::size_t newest) {
  Exceedances others;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (i == newest || !scores[i]) continue;
    if (*scores[i] > *scores[newest]) ++others.greater;
    if (*scores[i] == *scores[newest]) ++others.equal;
  }
  return others;
}

std::size_t num_present(std::span<const std::optional<Score>> scores) {
  return static_cast<std::size_t>(
      std::ranges::count_if(scores, [](const auto& score) { return score.has_value(); }));
}

void check(const OnlineTask& task, std::size_t num_examples) {
  const std::size_t count = task.examples.size();
  require(task.own.rows() == count && task.own.cols() == count, ErrorKind::invalid_input,
          "a task needs one row and one column of scores for each of its examples");
  require(
      std::ranges::is_sorted(task.examples) && (count == 0 || task.examples.back() < num_examples),
      ErrorKind::invalid_input, "examples of a task must be ascending, and among all examples");
}

}  // namespace

std::vector<OnlinePValue> online_p_values(const std::vector<OnlineTask>& tasks,
                                          std::size_t num_examples, std::size_t k,
                                          std::uint64_t seed) {
  require(k >= 1, ErrorKind::invalid_input, "k must be at least 1");
  std::vector<JoiningTask> joining;
  for (const OnlineTask& task : tasks) {
    check(task, num_examples);
    joining.emplace_back(task, k);
  }
  std::vector<OnlinePValue> result;
  for (std::size_t newest = 0; newest < num_examples; ++newest) {
    bool has_task = false;
    for (JoiningTask& task : joining) has_task = task.join(newest) || has_task;
    if (!has_task) continue;
    std::vector<std::optional<Score>> scores(num_examples);
    for (const JoiningTask& task : joining) task.raise(scores);
    const Exceedances others = compare_with(scores, newest);
    const double u = 1 - Rng::stream(seed, newest).uniform();  // never 0, so p is not either
    result.push_back({newest, smoothed_p_value(others, num_present(scores) - 1, u)});
  }
  return result;
}

void ExchangeabilityMartingale::add(double p) {
  assert(0 < p && p <= 1);
  for (std::size_t b = 0; b < log_wealth_.size(); ++b) {
    const double e = static_cast<double>(b + 1) / 10;
    log_wealth_[b] += kernels::log_of_positive(e) + (e - 1) * kernels::log_of_positive(p);
  }
  log10_largest_ = std::max(log10_largest_, log10_wealth());
}

double ExchangeabilityMartingale::log10_wealth() const {
  const double largest = *std::ranges::max_element(log_wealth_);
  double sum = 0;
  for (const double log_wealth : log_wealth_) sum += kernels::exp_of_negative(log_wealth - largest);
  return (largest + kernels::log_of_positive(sum / static_cast<double>(log_wealth_.size()))) /
         kernels::log_of_positive(10.0);
}

}  // namespace caos
