#include "caos/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "caos/error.hpp"
#include "caos/evaluation.hpp"
#include "caos/kernels/compare.hpp"

namespace caos::split {
namespace {

Indices first_indices(std::size_t n) {
  Indices all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

Indices complement(std::size_t n, const Indices& sorted) {
  Indices rest;
  std::ranges::set_difference(first_indices(n), sorted, std::back_inserter(rest));
  return rest;
}

void require_split_k(Method method, std::size_t k, std::size_t most) {
  require(1 <= k && k <= most, ErrorKind::invalid_input, [&] {
    return fmt::format("k = {} does not fit {}, which has at most {} references per example here",
                       k, method_name(method), most);
  });
}

}  // namespace

Partition draw(std::size_t n, std::size_t num_references, Rng& rng) {
  std::vector<std::size_t> order = first_indices(n);
  rng.shuffle(std::span(order));
  order.resize(num_references);
  std::ranges::sort(order);
  return {.references = order, .calibration = complement(n, order)};
}

Partition halve(std::size_t n, std::uint64_t seed) {
  require(n >= 2, ErrorKind::invalid_input, "splitting needs at least 2 labeled examples");
  Rng rng(seed);
  return draw(n, n / 2, rng);
}

Partition with_references(std::size_t n, std::span<const std::int64_t> references) {
  Indices chosen;
  for (const std::int64_t index : references) {
    require(0 <= index && static_cast<std::size_t>(index) < n, ErrorKind::bad_format, [&] {
      return fmt::format("reference index {} is not one of the labeled examples 0 to {}", index,
                         n - 1);
    });
    chosen.push_back(static_cast<std::size_t>(index));
  }
  std::ranges::sort(chosen);
  const auto twice = std::ranges::adjacent_find(chosen);
  require(twice == chosen.end(), ErrorKind::bad_format,
          [&] { return fmt::format("reference index {} is given twice", *twice); });
  require(!chosen.empty() && chosen.size() < n, ErrorKind::invalid_input,
          "the references must leave at least one example to calibrate on, and not be empty");
  Indices rest = complement(n, chosen);
  return {.references = std::move(chosen), .calibration = std::move(rest)};
}

void check_partition(const Partition& partition, std::size_t n) {
  Indices both;
  std::ranges::merge(partition.references, partition.calibration, std::back_inserter(both));
  require(
      both == first_indices(n) && !partition.references.empty() && !partition.calibration.empty(),
      ErrorKind::invalid_input,
      "references and calibration examples must be all labeled examples, once each");
}

Matrix<Score> SplitCaos::pools_of(const ScoreRows& pools) const {
  Matrix<Score> restricted(pools.rows(), references.size());
  for (Label y = 0; y < pools.rows(); ++y) pools.gather_row(y, references, restricted.row(y));
  return restricted;
}

std::vector<Score> SplitCaos::label_scores(const ScoreRows& pools) const {
  const Matrix<Score> restricted = pools_of(pools);
  return calibration.label_scores(restricted.view());
}

std::size_t largest_k(const Partition& partition, Method method) {
  const std::size_t references = partition.references.size();
  switch (method) {
    case Method::split_caos:
      return references;
    case Method::split_caos_ref:
      return references - 1;
    default:
      return references + partition.calibration.size() - 1;
  }
}

SplitCaos calibrate_split(const OwnScores& own, const Grouping& grouping,
                          const Partition& partition, Method method, std::size_t k) {
  check_partition(partition, own.size());
  require(grouping.num_examples() == own.size(), ErrorKind::invalid_input, [&] {
    return fmt::format("groups were given for {} examples; there are {}", grouping.num_examples(),
                       own.size());
  });
  const Indices all = first_indices(own.size());
  const bool all_calibrate = method == Method::split_caos_ref;
  const Indices& rows = all_calibrate ? all : partition.calibration;
  const Indices& columns = method == Method::split_caos_cal ? all : partition.references;
  require_split_k(method, k, largest_k(partition, method));
  return {Calibration(nearest_among(own, rows, columns, k), grouping.restricted_to(rows),
                      columns.size()),
          columns};
}

std::vector<Score> scos_thresholds(const OwnScores& own, const Partition& partition,
                                   const Miscoverage& alpha, RankRule rule) {
  check_partition(partition, own.size());
  std::vector<Score> thresholds;
  for (const std::size_t j : partition.references) {
    std::vector<Score> scores;
    for (const std::size_t i : partition.calibration) scores.push_back(own(i, j));
    thresholds.push_back(SortedScores(std::move(scores)).threshold(alpha, rule));
  }
  return thresholds;
}

ScosTally tally_scos(const ScoreRows& pools, Label truth, const Indices& references,
                     std::span<const Score> thresholds) {
  ScosTally tally{.sizes = std::vector<std::uint32_t>(references.size()), .covers = {}};
  add_set_sizes(pools, references, thresholds, tally.sizes);
  for (std::size_t r = 0; r < references.size(); ++r) {
    const bool covered = truth != unlisted_label && pools(truth, references[r]) <= thresholds[r];
    tally.covers.push_back(covered ? 1 : 0);
  }
  return tally;
}

void add_set_sizes(const ScoreRows& pools, const Indices& references,
                   std::span<const Score> thresholds, std::span<std::uint32_t> sizes) {
  std::vector<Score> scores(references.size());
  for (Label y = 0; y < pools.rows(); ++y) {
    pools.gather_row(y, references, scores);
    kernels::count_at_most(scores.data(), thresholds.data(), scores.size(), sizes.data());
  }
}

std::size_t best_reference(const ScoreTensor& labeled, const Partition& partition,
                           std::span<const Score> thresholds) {
  std::vector<std::uint32_t> total(partition.references.size());
  for (const std::size_t i : partition.calibration) {
    add_set_sizes(labeled.input(i), partition.references, thresholds, total);
  }
  return best_reference(total);
}

std::size_t best_reference(std::span<const std::uint32_t> sizes) {
  return static_cast<std::size_t>(std::ranges::min_element(sizes) - sizes.begin());
}

std::size_t oracle_reference(const ScosTally& tally) {
  const auto preference = [&](std::size_t r) {
    return std::pair(!tally.covers[r], tally.sizes[r]);
  };
  const Indices all = first_indices(tally.sizes.size());
  return *std::ranges::min_element(all, {}, preference);
}

}  // namespace caos::split
