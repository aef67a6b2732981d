#pragma once

#include <string>
#include <vector>

#include "caos/text/label_space.hpp"

namespace caos::text {

/// What a task.json says: which columns a table has and which labels there are.
struct TaskFile {
  std::string name{};                       ///< of the task; empty where the file does not tell
  std::vector<std::string> text_columns{};  ///< `text_columns`, else `data_columns` without "ID"
  std::string label_column{};
  LabelSpace labels{};
};

/// Reads {"name": ..., "data_columns": [...], "label_columns": {"Label": ["a", "b"]}} and,
/// simpler, {"labels": ["a", "b"]}. `label_column` picks one of several label columns; empty: there
/// must be only one. Throws `bad_format`.
[[nodiscard]] TaskFile read_task_file(const std::string& path,
                                      const std::string& label_column = {});

}  // namespace caos::text
