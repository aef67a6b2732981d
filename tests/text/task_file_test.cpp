#include "caos/text/task_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::text {
namespace {

using test::expect_error;
using test::TempDir;
using testing::ElementsAre;
using testing::IsEmpty;

TaskFile read(std::string_view content, const std::string& label_column = {}) {
  const TempDir folder;
  return read_task_file(folder.write("task.json", content), label_column);
}

void expect_refused(std::string_view content, std::initializer_list<std::string> parts,
                    const std::string& label_column = {}) {
  expect_error([&] { (void)read(content, label_column); }, ErrorKind::bad_format, parts);
}

TEST(TaskFile, NamesColumnsAndLabels) {
  const TaskFile task = read(R"({"name": "t", "description": "", "data_columns": ["A", "ID", "B"],
                                 "label_columns": {"Label": ["y", "x"]}})");
  EXPECT_EQ(task.name, "t");
  EXPECT_THAT(task.text_columns, ElementsAre("A", "B"));
  EXPECT_EQ(task.label_column, "Label");
  EXPECT_THAT(task.labels.names(), ElementsAre("y", "x"));
}

TEST(TaskFile, MayHoldLabelsAlone) {
  const TaskFile task = read(R"({"labels": ["a", 2]})");
  EXPECT_EQ(task.name, "");
  EXPECT_THAT(task.text_columns, IsEmpty());
  EXPECT_EQ(task.label_column, "");
  EXPECT_THAT(task.labels.names(), ElementsAre("a", "2"));
  EXPECT_EQ(read(R"({"labels": ["a", "b"]})", "Class").label_column, "Class");
}

TEST(TaskFile, PrefersTextColumns) {
  const TaskFile task =
      read(R"({"labels": ["a", "b"], "text_columns": ["ID"], "data_columns": ["A"]})");
  EXPECT_THAT(task.text_columns, ElementsAre("ID"));
}

TEST(TaskFile, WithSeveralLabelColumnsNeedsAChoice) {
  const std::string task = R"({"label_columns": {"L": ["a", "b"], "M": ["c", "d"]}})";
  EXPECT_THAT(read(task, "M").labels.names(), ElementsAre("c", "d"));
  EXPECT_EQ(read(task, "M").label_column, "M");
  expect_refused(task, {"task.json", "'L', 'M'", "choose"});
  expect_refused(task, {"no label column 'N'", "'L', 'M'"}, "N");
}

TEST(TaskFile, OfAnotherShapeIsRefused) {
  expect_refused("", {"task.json:1", "not valid JSON"});
  expect_refused("{\n\"labels\": [\n}", {"task.json:3", "not valid JSON"});
  expect_refused("[]", {"not a task", "labels"});
  expect_refused("{}", {"has no labels"});
  expect_refused(R"({"labels": ["a", "b"], "label_columns": {"L": ["a", "b"]}})", {"both"});
  expect_refused(R"({"labels": "a,b"})", {"'labels' is not a list"});
  expect_refused(R"({"labels": ["a", null]})", {"entry 2 of 'labels'"});
  expect_refused(R"({"labels": ["a"]})", {"at least two labels"});
  expect_refused(R"({"labels": ["a", "a"]})", {"'a' is listed twice"});
  expect_refused(R"({"labels": ["a", ""]})", {"empty"});
  expect_refused(R"({"label_columns": []})", {"'label_columns' is not an object"});
  expect_refused(R"({"label_columns": {}})", {"'label_columns' is not an object"});
  expect_refused(R"({"label_columns": {"L": {}}})", {"'L' is not a list"});
  expect_refused(R"({"labels": ["a", "b"], "data_columns": "A"})",
                 {"'data_columns' is not a list"});
  expect_refused(R"({"labels": ["a", "b"], "name": []})", {"'name' is not a text"});
  expect_refused("{\"labels\": [\"a\", \"\xff\"]}", {"UTF-8"});
}

}  // namespace
}  // namespace caos::text
