#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "caos/text/task_file.hpp"
#include "caos/text/text_table.hpp"
#include "tests/support/test_folders.hpp"

namespace caos::text {
namespace {

TEST(SharedRaft, HasFiftyTextsPerTaskWithTheLabelsOfTheTask) {
  const std::filesystem::path raft = test::shared_folder() / "data/raft";
  if (!std::filesystem::exists(raft)) {
    GTEST_SKIP() << "NOT TESTED: there is no " << raft << "; set CAOS_SHARED";
  }
  std::size_t tasks = 0;
  for (const auto& entry : std::filesystem::directory_iterator(raft)) {
    const TaskFile task = read_task_file((entry.path() / "task.json").string());
    const TextTable table =
        read_text_table((entry.path() / "train.csv").string(),
                        {.text = task.text_columns, .label = task.label_column, .id = "ID"});
    EXPECT_EQ(task.name, entry.path().filename());
    EXPECT_EQ(table.size(), 50U) << task.name;
    EXPECT_EQ(labeled_texts(table, task.labels).size(), 50U) << task.name;
    EXPECT_GE(task.labels.size(), labels_in(table).size()) << task.name;
    for (const std::string& text : table.texts) EXPECT_FALSE(text.empty()) << task.name;
    ++tasks;
  }
  EXPECT_EQ(tasks, 12U);
}

}  // namespace
}  // namespace caos::text
