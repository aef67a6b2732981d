#include "caos/landmarks/matching/query_filter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "caos/kernels/dot.hpp"
#include "caos/numerics/principal_directions.hpp"

namespace caos {
namespace {

using kernels::coarse_group;

/// Numbers of directions to try, such that projected rows, longer by one, fill panels.
constexpr std::array<std::size_t, 5> tried_directions{95, 71, 47, 35, 23};

constexpr std::uint64_t seed = 1;

/// Finding the directions takes about as long per row of their sample as this many comparisons of
/// a query with a reference: at most a few per cent of the whole.
constexpr std::size_t comparisons_per_row = 100'000;
constexpr std::size_t most_rows = 2'000;
constexpr std::size_t fewest_rows = 256;

constexpr std::size_t most_sampled = 1'000;
constexpr std::size_t queries_per_sampled = 50;

constexpr std::size_t glanced_rows = 128;
constexpr double benefit_of_doubt = 0.1;

/// Filters that leave more than this share of the work are not worth their trouble.
constexpr double worthwhile = 0.8;

/// How many rows the directions are found from.
std::size_t num_rows(std::size_t num_queries, std::size_t num_references) {
  return std::min(most_rows, num_queries * num_references / comparisons_per_row);
}

void append_evenly(std::span<const float* const> rows, std::size_t count,
                   std::vector<const float*>& out) {
  count = std::min(count, rows.size());
  for (std::size_t i = 0; i < count; ++i) out.push_back(rows[i * rows.size() / count]);
}

/// Where both references and queries are long: the rest of either must be short for good bounds.
Matrix<float> directions_of(const FilterProblem& problem, std::size_t count) {
  const std::size_t dimension = problem.references.dimension();
  const std::size_t rows =
      std::max(fewest_rows, num_rows(problem.num_queries, problem.references.size()));
  std::vector<const float*> some;
  append_evenly(problem.rows, rows / 2, some);
  append_evenly(problem.sample_rows, rows / 2, some);
  return principal_directions(some, dimension, std::min(count, dimension), seed);
}

/// Whether a glance at the rows shows that bounds would be too loose. The mean squared similarity
/// of two rows is the sum of squares of the principal directions' shares of all squared lengths, so
/// that of d directions the shares add up to its root times that of d at most. What is left of two
/// rows bounds a typical similarity; that must be less than what a set asks for.
bool is_hopeless(const FilterProblem& problem) {
  std::vector<const float*> some;
  append_evenly(problem.rows, glanced_rows / 2, some);
  append_evenly(problem.sample_rows, glanced_rows / 2, some);
  std::vector<double> dots(some.size());
  double squares = 0;
  for (std::size_t r = 1; r < some.size(); ++r) {
    const std::vector<const float*> one(r, some[r]);
    kernels::dot_pairs(one.data(), some.data(), r, problem.references.dimension(), dots.data());
    for (std::size_t other = 0; other < r; ++other) squares += dots[other] * dots[other];
  }
  const double pairs = static_cast<double>(some.size()) * static_cast<double>(some.size() - 1) / 2;
  const double held = std::sqrt(static_cast<double>(tried_directions[0]) * squares / pairs);
  double asked = 1;
  for (const CoarsePool* pool : problem.pools) asked = std::min(asked, pool->least_similarity());
  return 1 - held > asked + benefit_of_doubt;
}

std::optional<QueryFilter> filter_by(const FilterProblem& problem,
                                     MatrixView<const float> directions) {
  auto filter = ReferenceFilter::make(problem.references, directions);
  if (!filter) return std::nullopt;
  return QueryFilter(std::move(*filter), problem.pools);
}

/// Queries of the sample, evenly chosen.
CoarseRows tried_queries(const FilterProblem& problem) {
  const std::size_t count = std::min(problem.sample.size(), most_sampled);
  std::vector<std::uint32_t> which;
  for (std::size_t i = 0; i < count; ++i) {
    which.push_back(static_cast<std::uint32_t>(i * problem.sample.size() / count));
  }
  CoarseRows queries(problem.sample.dimension());
  queries.append(problem.sample, which);
  return queries;
}

/// The work of a query as a share of comparing it in full with every reference.
double cost(const QueryFilter& filter, const FilterProblem& problem, const CoarseRows& queries,
            CoarseScratch& of_pools) {
  QueryFilter::Scratch scratch(filter, of_pools);
  const auto compared = static_cast<double>(filter.dimension());
  const auto candidates = static_cast<double>(filter.candidates(queries, scratch).size());
  return compared / static_cast<double>(problem.references.size()) +
         compared / static_cast<double>(problem.references.dimension()) +
         candidates / static_cast<double>(std::max<std::size_t>(queries.size(), 1));
}

}  // namespace

std::vector<std::uint32_t> QueryFilter::candidates(const CoarseRows& queries,
                                                   Scratch& scratch) const {
  std::vector<std::uint32_t> result;
  filter_.project(queries, scratch.dots, scratch.projected);
  compare_in_groups(
      scratch.projected, {}, filter_.references(), scratch.bounds,
      [&](std::size_t number, const CoarseGroup& group) {
        std::uint32_t word = 0;
        for (const CoarsePool* pool : pools_) {
          word |= pool->not_missed(group, scratch.pools);
        }
        for (; word != 0; word &= word - 1) {
          result.push_back(static_cast<std::uint32_t>(
              number * coarse_group + static_cast<std::size_t>(std::countr_zero(word))));
        }
      });
  return result;
}

std::size_t filter_sample_size(std::size_t num_queries, std::size_t num_references) {
  if (num_rows(num_queries, num_references) < fewest_rows) return 0;
  return std::min(most_sampled, num_queries / queries_per_sampled);
}

std::optional<QueryFilter> choose_filter(const FilterProblem& problem) {
  if (is_hopeless(problem)) return std::nullopt;
  const std::size_t dimension = problem.references.dimension();
  const CoarseRows queries = tried_queries(problem);
  CoarseScratch scratch(problem.rows, dimension);
  std::optional<Matrix<float>> directions;
  std::optional<QueryFilter> best;
  double least = worthwhile;
  // Fewer directions leave more candidates, so after one that did worse none will do better.
  for (const std::size_t count : tried_directions) {
    if (2 * count > dimension) continue;
    if (!directions) directions = directions_of(problem, count);
    auto filter = filter_by(problem, directions->view().rows_from(0, count));
    if (!filter) continue;
    const double found = cost(*filter, problem, queries, scratch);
    if (found >= least) break;
    least = found;
    best = std::move(filter);
  }
  return best;
}

std::optional<QueryFilter> make_filter(const FilterProblem& problem, std::size_t num_directions) {
  return filter_by(problem, directions_of(problem, num_directions).view());
}

}  // namespace caos
