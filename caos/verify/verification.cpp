#include "caos/verify/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "caos/error.hpp"
#include "caos/evaluation.hpp"
#include "caos/numerics/beta.hpp"

namespace caos {
namespace {

/// The coverage of split conformal sets on some test examples: a beta-binomial count, divided.
class CoverageLaw {
 public:
  explicit CoverageLaw(const TrialLaw& law) : tested_(law.tested) {
    if (law.rank > law.n) return;  // every label, whatever happens
    const auto a = static_cast<double>(law.rank);
    const auto b = static_cast<double>(law.n + 1 - law.rank);
    for (std::size_t hits = 0; hits <= law.tested; ++hits) {
      probability_.push_back(beta_binomial_pmf(hits, law.tested, a, b));
    }
  }

  /// E exp(-theta coverage).
  [[nodiscard]] double transform(double theta) const {
    if (probability_.empty()) return std::exp(-theta);
    double sum = 0;
    for (std::size_t hits = 0; hits < probability_.size(); ++hits) {
      const double share = static_cast<double>(hits) / static_cast<double>(tested_);
      sum += probability_[hits] * std::exp(-theta * share);
    }
    return sum;
  }

 private:
  std::size_t tested_;
  std::vector<double> probability_{};
};

/// The logarithm of Chernoff's bound as a function of its parameter; convex, and 0 at 0.
class ChernoffBound {
 public:
  explicit ChernoffBound(std::span<const Trial> trials) : trials_(trials) {
    for (const Trial& trial : trials) {
      total_ += trial.coverage;
      for (const TrialLaw& law : trial.tasks) laws_.try_emplace(law, law);
    }
  }

  [[nodiscard]] double operator()(double theta) const {
    std::map<TrialLaw, double> transforms;
    for (const auto& [key, law] : laws_) transforms.emplace(key, law.transform(theta));
    double sum = theta * total_;
    for (const Trial& trial : trials_) {
      // The transform of a mean is at most the mean of the transforms, however tasks depend on
      // each other (Jensen).
      double mean = 0;
      for (const TrialLaw& law : trial.tasks) mean += transforms.at(law);
      sum += std::log(mean / static_cast<double>(trial.tasks.size()));
    }
    return sum;
  }

 private:
  std::span<const Trial> trials_;
  double total_ = 0;
  std::map<TrialLaw, CoverageLaw> laws_;
};

/// Any parameter gives a bound; this one is near the best of a convex function.
double smallest_value(const ChernoffBound& bound) {
  constexpr double largest = 600;  // exp(-600) is still a number
  constexpr int steps = 60;
  double low = 0;
  double high = 1;
  while (high < largest && bound(high) < bound(high / 2)) high *= 2;
  high = std::min(high, largest);
  for (int step = 0; step < steps; ++step) {
    const double left = low + (high - low) / 3;
    const double right = high - (high - low) / 3;
    if (bound(left) < bound(right)) {
      high = right;
    } else {
      low = left;
    }
  }
  return std::min(0.0, bound(low));
}

double mean_expected(std::span<const Trial> trials) {
  double sum = 0;
  for (const Trial& trial : trials) {
    double of_tasks = 0;
    for (const TrialLaw& law : trial.tasks) {
      of_tasks += static_cast<double>(law.rank) / static_cast<double>(law.n + 1);
    }
    sum += of_tasks / static_cast<double>(trial.tasks.size());
  }
  return sum / static_cast<double>(trials.size());
}

/// Whether the standard error tells how far chance goes: over many splits that are not all equal.
bool is_telling(const CoverageCheck& check) {
  return check.splits >= splits_for_an_error && *check.standard_error > 0;
}

bool contradicts(const CoverageCheck& check) {
  const double distance = 1 - check.alpha.value() - check.coverage;
  constexpr double as_for_a_normal_law = standard_errors_allowed * standard_errors_allowed / 2;
  return distance > standard_errors_allowed * *check.standard_error &&
         (is_telling(check) || check.chance < std::exp(-as_for_a_normal_law));
}

}  // namespace

std::string_view verdict_name(CoverageVerdict verdict) {
  switch (verdict) {
    case CoverageVerdict::agrees:
      return "agrees";
    case CoverageVerdict::contradicts:
      return "contradicts";
    case CoverageVerdict::not_judged:
      break;
  }
  return "not judged";
}

std::string_view verdict_name(IdentityVerdict verdict) {
  switch (verdict) {
    case IdentityVerdict::holds:
      return "holds";
    case IdentityVerdict::broken:
      return "broken";
    case IdentityVerdict::not_checked:
      break;
  }
  return "not checked";
}

double chance_of_so_little(std::span<const Trial> trials) {
  return std::exp(smallest_value(ChernoffBound(trials)));
}

CoverageCheck check_coverage(std::string method, const Miscoverage& alpha,
                             const Guarantee& guarantee, std::span<const Trial> trials) {
  assert(!trials.empty());
  std::vector<double> coverages;
  for (const Trial& trial : trials) coverages.push_back(trial.coverage);
  const MeanWithError mean = mean_with_error(coverages);
  CoverageCheck check{.method = std::move(method), .alpha = alpha, .guarantee = guarantee};
  check.splits = trials.size();
  check.coverage = mean.mean;
  check.standard_error = mean.standard_error;
  check.expected = mean_expected(trials);
  check.chance = chance_of_so_little(trials);
  if (guarantee.kind == Guarantee::Kind::none) {
    check.why_not_judged = guarantee.why_none;
  } else if (!check.standard_error) {
    check.why_not_judged = "one split has no standard error";
  } else {
    check.verdict = contradicts(check) ? CoverageVerdict::contradicts : CoverageVerdict::agrees;
  }
  return check;
}

IdentityVerdict IdentityCheck::verdict() const {
  if (broken > 0) return IdentityVerdict::broken;
  return compared > 0 ? IdentityVerdict::holds : IdentityVerdict::not_checked;
}

std::size_t default_num_tested(std::size_t count) { return std::max<std::size_t>(1, count / 4); }

void check_options(const VerifyOptions& options) {
  require(options.splits > 0 && !options.alphas.empty(), ErrorKind::invalid_input,
          "give at least one split and one alpha");
}

void check_num_tested(std::size_t tested, std::size_t count, std::size_t k) {
  require(count >= k + 2, ErrorKind::invalid_input, [&] {
    return fmt::format("there are {} examples; k = {} needs {}, of which one is tested", count, k,
                       k + 2);
  });
  require(tested <= count - k - 1, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{} tested of {} examples leave too few, as k = {} needs {} labeled ones: test at most {}",
        tested, count, k, k + 1, count - k - 1);
  });
}

std::vector<IdentityCheck> explained(std::vector<IdentityCheck> checks) {
  for (IdentityCheck& check : checks) {
    if (check.compared > 0 || !check.why_not_checked.empty()) continue;
    check.why_not_checked = "there was nothing to compare";
  }
  return checks;
}

std::vector<Miscoverage> with_more_alphas(std::vector<Miscoverage> alphas) {
  for (const char* text : {"0.000001", "0.02", "0.05", "0.1", "0.2", "0.35", "0.5", "0.8"}) {
    alphas.push_back(Miscoverage::parse(text));
  }
  std::ranges::sort(alphas);
  const auto twice = std::ranges::unique(alphas);
  alphas.erase(twice.begin(), twice.end());
  return alphas;
}

bool Verification::contradicts() const {
  return std::ranges::any_of(coverage,
                             [](const CoverageCheck& check) {
                               return check.verdict == CoverageVerdict::contradicts;
                             }) ||
         std::ranges::any_of(identities, [](const IdentityCheck& check) {
           return check.verdict() == IdentityVerdict::broken;
         });
}

}  // namespace caos
