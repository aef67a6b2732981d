#include "caos/verify/plain_definitions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace caos::plain {

Score minsum(Pool pool, std::size_t k) {
  std::ranges::sort(pool);
  Score sum = 0;
  for (std::size_t j = 0; j < k; ++j) sum += pool[j];
  return sum;
}

Pool without(Pool pool, std::size_t place) {
  pool.erase(pool.begin() + static_cast<std::ptrdiff_t>(place));
  return pool;
}

Pool at(const Pool& pool, const Indices& places) {
  Pool result;
  for (const std::size_t j : places) result.push_back(pool[j]);
  return result;
}

std::size_t count_at_least(const Pool& scores, Score score) {
  std::size_t count = 0;
  for (const Score s : scores) count += s >= score ? 1 : 0;
  return count;
}

bool exceeds(std::size_t at_least, std::size_t n, const Miscoverage& alpha) {
  __extension__ using Wide = unsigned __int128;
  // A numerator has at most 18 digits: with more places than this, alpha is below 10^-9, too small
  // for any number of examples. With fewer, nothing below is too wide.
  constexpr int most_places = 27;
  if (alpha.places() > most_places) return true;
  Wide scale = 1;
  for (int place = 0; place < alpha.places(); ++place) scale *= 10;
  return static_cast<Wide>(1 + at_least) * scale >
         static_cast<Wide>(alpha.numerator()) * static_cast<Wide>(n + 1);
}

double p_value(std::size_t at_least, std::size_t n) {
  return static_cast<double>(1 + at_least) / static_cast<double>(n + 1);
}

std::size_t count_behind(double p_value, std::size_t n) {
  return static_cast<std::size_t>(std::llround(p_value * static_cast<double>(n + 1))) - 1;
}

PredictionSet set_of(const std::vector<std::size_t>& at_least, std::size_t n,
                     const Miscoverage& alpha) {
  PredictionSet set;
  for (Label y = 0; y < at_least.size(); ++y) {
    if (exceeds(at_least[y], n, alpha)) set.push_back(y);
  }
  return set;
}

Units Units::of(const Indices& some) const {
  Units units{.examples = {}, .new_example = new_example};
  for (const std::size_t i : some) units.examples.push_back(examples[i]);
  return units;
}

std::size_t Units::n() const {
  return std::accumulate(examples.begin(), examples.end(), new_example - 1);
}

std::size_t Units::at_least(const Pool& scores, Score score) const {
  std::size_t sum = new_example - 1;
  for (std::size_t i = 0; i < scores.size(); ++i) sum += scores[i] >= score ? examples[i] : 0;
  return sum;
}

Units units_of(const std::vector<std::size_t>& subjects, std::size_t count) {
  Units units{.examples = std::vector<std::size_t>(count, 1)};
  std::vector<std::size_t> images(count, 1);
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    images[i] = static_cast<std::size_t>(std::ranges::count(subjects, subjects[i]));
    units.new_example = std::lcm(units.new_example, images[i]);
  }
  for (std::size_t i = 0; i < count; ++i) units.examples[i] = units.new_example / images[i];
  return units;
}

bool holds(const PredictionSet& set, Label y) { return std::ranges::find(set, y) != set.end(); }

Pool caos_scores(const Pools& left_out, std::size_t k) {
  Pool scores;
  for (const Pool& pool : left_out) scores.push_back(minsum(pool, k));
  return scores;
}

Pool full_scores(const Pools& left_out, const Pool& inserted, std::size_t k) {
  Pool scores;
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    Pool pool = left_out[i];
    pool.push_back(inserted[i]);
    scores.push_back(minsum(std::move(pool), k));
  }
  return scores;
}

Definition::Definition(Pools left_out, Units units, std::size_t k)
    : left_out_(std::move(left_out)),
      units_(std::move(units)),
      k_(k),
      scores_(caos_scores(left_out_, k)) {}

std::size_t Definition::full_count(Score score, const Pool& inserted) const {
  return units_.at_least(full_scores(left_out_, inserted, k_), score);
}

}  // namespace caos::plain
