#include "apps/cli/experiments/landmark_csv.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/reports/json_csv.hpp"
#include "apps/cli/reports/json_parts.hpp"

namespace caos::cli {
namespace {

/// `coverage`, `coverage_sem`, `coverage_sem_landmarks`, `coverage_sem_splits` and
/// `coverage_sem_images`.
Columns quantity(const std::string& key) {
  return {{key, {key, "mean"}},
          {key + "_sem_landmarks", {key, "sem_landmarks"}},
          {key + "_sem_splits", {key, "sem_splits"}},
          {key + "_sem_images", {key, "sem_images"}},
          {key + "_sem", {key, "sem"}}};
}

Columns paper() {
  Columns columns;
  for (const char* key : {"coverage", "coverage_sem", "mean_set_size", "mean_set_size_sem"}) {
    columns.push_back({fmt::format("paper_{}", key), {"paper", key}});
  }
  return columns;
}

Columns results_of(const std::vector<std::string>& keys) {
  return plain(keys) + quantity("coverage") + quantity("mean_set_size");
}

Columns method_columns() {
  return results_of({"method", "alpha", "guarantee", "why_none"}) + paper() + plain({"target"});
}

/// One column for each method that any landmark has under `key`.
Columns by_method(const Json& landmarks, const char* key, const char* prefix) {
  Columns columns;
  for (const std::string& method : distinct_keys(landmarks, key)) {
    columns.push_back({prefix + method, {key, method}});
  }
  return columns;
}

/// One column for each k that any landmark has.
Columns by_k(const Json& landmarks) {
  std::size_t largest = 0;
  for (const Json& row : landmarks) largest = std::max(largest, member(row, "by_k").size());
  Columns columns;
  for (std::size_t k = 1; k <= largest; ++k) {
    columns.push_back({fmt::format("size_k{}", k), {"by_k", fmt::format("{}", k - 1)}});
  }
  return columns;
}

Columns landmark_columns(const Json& landmarks) {
  return Columns{{"landmark", {"name"}}} + plain({"stratum", "n", "smallest_alpha"}) +
         by_method(landmarks, "sizes", "size_") + by_method(landmarks, "coverage", "coverage_") +
         by_k(landmarks);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> landmark_csvs(const Json& results) {
  std::vector<std::pair<std::string, std::string>> files;
  const auto add = [&](const char* part, const Columns& columns) {
    const Json& rows = member(results, part);
    if (!rows.empty()) files.emplace_back(fmt::format("{}.csv", part), csv_text(rows, columns));
  };
  add("methods", method_columns());
  add("data_reuse", method_columns());
  add("k_ablation", results_of({"k", "alpha"}));
  add("landmarks", landmark_columns(member(results, "landmarks")));
  add("k_strata", plain({"stratum", "k"}) + quantity("mean_set_size"));
  add("simultaneous", results_of({"alpha"}) + plain({"per_landmark_coverage_together"}));
  add("beyond", results_of({"score", "alpha"}) + plain({"ratio_to_cosine", "fixed_in_advance"}));
  return files;
}

}  // namespace caos::cli
