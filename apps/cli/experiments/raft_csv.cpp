#include "apps/cli/experiments/raft_csv.hpp"

#include "apps/cli/reports/json_csv.hpp"
#include "apps/cli/reports/json_parts.hpp"

namespace caos::cli {
namespace {

Columns quantity(const std::string& key) {
  return {{key, {key, "mean"}}, {key + "_standard_error", {key, "sem"}}};
}

Columns interval_of(const std::string& key) {
  return {{key + "_low", {key, "low"}}, {key + "_high", {key, "high"}}};
}

/// The rows of the results, each with what its task is.
Json rows_with_tasks(const Json& results) {
  Json rows = Json::array();
  for (const Json& result : member(results, "results")) {
    Json row = result;
    for (const Json& task : member(results, "tasks")) {
      if (member(task, "task") == member(result, "task")) row.update(task);
    }
    row["seeds"] = member(member(results, "setting"), "seeds");
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::string raft_csv(const Json& results) {
  return csv_text(rows_with_tasks(results),
                  plain({"task", "method", "alpha", "seeds"}) + quantity("coverage") +
                      interval_of("coverage") + quantity("mean_set_size") +
                      plain({"singleton_rate", "empty_rate", "guarantee", "why_none", "feasible",
                             "texts", "labels", "labeled", "test", "pairs", "shortened"}));
}

}  // namespace caos::cli
