#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "caos/text/task_file.hpp"
#include "caos/text/text_table.hpp"
#include "tests/support/test_folders.hpp"

namespace caos::text {
namespace {

const std::string folder = test::source_folder() + "/examples/messages/";

TEST(ExampleMessages, HaveEnoughOfEveryClass) {
  const TaskFile task = read_task_file(folder + "task.json");
  const TextTable table = read_text_table(
      folder + "messages.csv", {.text = task.text_columns, .label = task.label_column, .id = "id"});
  EXPECT_EQ(task.labels.size(), 6U);
  for (const std::string& label : task.labels.names()) {
    EXPECT_GE(std::ranges::count(table.labels, label), 16) << label;
  }
  EXPECT_EQ(labels_of(table, task.labels).size(), table.size());
}

TEST(ExampleMessages, AreAllDifferent) {
  std::set<std::string> texts;
  std::set<std::string> ids;
  std::size_t rows = 0;
  for (const std::string file : {"messages.csv", "new.csv"}) {
    const TextTable table = read_text_table(folder + file, {.id = "id"});
    texts.insert(table.texts.begin(), table.texts.end());
    ids.insert(table.ids.begin(), table.ids.end());
    rows += table.size();
  }
  EXPECT_EQ(texts.size(), rows);
  EXPECT_EQ(ids.size(), rows);
  EXPECT_FALSE(texts.contains(""));
}

}  // namespace
}  // namespace caos::text
