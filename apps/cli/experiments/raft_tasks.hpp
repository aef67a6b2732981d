#pragma once

#include <string>
#include <vector>

#include "apps/cli/options.hpp"
#include "apps/cli/text/text_inputs.hpp"

namespace caos::cli {

/// A folder with train.csv and task.json.
struct TaskFolder {
  std::string name{};  ///< of the folder
  LabeledTable table{};
};

/// Reads the tasks in a folder: all that hold a task.json, sorted, or those that are named. Their
/// texts are the columns that the RAFT benchmark's own baselines used where the task is one of
/// its, else all that task.json lists except "ID". Errors name file and line.
[[nodiscard]] std::vector<TaskFolder> read_tasks(const CommonOptions& common,
                                                 const std::string& data,
                                                 const std::vector<std::string>& names);

}  // namespace caos::cli
