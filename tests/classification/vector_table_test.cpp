#include "caos/classification/vector_table.hpp"

#include <gtest/gtest.h>

#include "caos/io/arrays/npy.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::classification {
namespace {

using test::expect_error;
using Names = std::vector<std::string>;

class VectorFiles : public testing::Test {
 protected:
  VectorTable read(const std::string& content, const VectorColumns& columns = {}) {
    return read_vector_table(directory_.write("v.csv", content), columns);
  }

  void refused(const std::string& content, std::initializer_list<std::string> said,
               ErrorKind kind = ErrorKind::bad_format, const VectorColumns& columns = {}) {
    expect_error([&] { (void)read(content, columns); }, kind, said);
  }

  test::TempDir directory_;
};

TEST_F(VectorFiles, OfCsvHaveFeaturesLabelsAndIds) {
  const VectorTable table =
      read("id,a,label,b\nx, 1.5,cat,-2e1\ny,+3,dog,0\n", {.label = "label", .id = "id"});
  EXPECT_EQ(table.features, (Names{"a", "b"}));
  EXPECT_EQ(table.ids, (Names{"x", "y"}));
  EXPECT_EQ(table.labels->labels, (Names{"cat", "dog"}));
  EXPECT_EQ(table.labels->lines, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(table.vectors(0, 0), 1.5);
  EXPECT_EQ(table.vectors(0, 1), -20);
  EXPECT_EQ(table.vectors(1, 0), 3);
}

TEST_F(VectorFiles, OfCsvCanBeReadByTheFeaturesOfOthers) {
  const VectorTable table = read("b,note,a\n2,n/a,1\n", {.features = {"a", "b"}});
  EXPECT_EQ(table.vectors(0, 0), 1);
  EXPECT_EQ(table.vectors(0, 1), 2);
  EXPECT_EQ(table.ids, Names{"0"});
  refused("b\n2\n", {"v.csv: has no column", "a feature", "it has"}, ErrorKind::bad_format,
          {.features = {"a", "b"}});
}

TEST_F(VectorFiles, OfArraysAreWidenedExactly) {
  const std::string path = directory_ / "v.npy";
  io::write_npy(path, {2, 2}, std::vector<float>{0.1F, 2, 3, 4});
  const VectorTable table = read_vector_table(path, {});
  EXPECT_EQ(table.vectors(0, 0), double{0.1F});
  EXPECT_EQ(table.vectors(1, 1), 4);
  EXPECT_TRUE(table.features.empty());
  EXPECT_EQ(table.ids, (Names{"0", "1"}));
  expect_error([&] { (void)read_vector_table(path, {.id = "name"}); }, ErrorKind::invalid_input,
               {"v.npy: is an array", "columns are for CSV"});
  io::write_npy(path, {4}, std::vector<float>{0.1F, 2, 3, 4});
  expect_error([&] { (void)read_vector_table(path, {}); }, ErrorKind::invalid_input,
               {"v.npy: has 1 dimension", "vectors x dimensions"});
}

TEST_F(VectorFiles, AreRefusedByLineAndColumn) {
  refused("a,b\n1,2\n3,n/a\n", {"v.csv:3: column", "b", "n/a", "not a finite number"});
  refused("a,b\n1,nan\n", {"v.csv:2", "not a finite number"});
  refused("a,b\n1,\n", {"v.csv:2", "not a finite number"});
  refused("a,b\n1,inf\n", {"v.csv:2", "not a finite number"});
  refused("a,b\n1\n", {"v.csv:2"});
  refused("1,2\n3,4\n", {"v.csv:1", "is a number", "names of the columns"});
  refused("a,a\n3,4\n", {"v.csv:1: has two columns"});
  refused("a\n3\n", {"v.csv: has no column", "--label-column"}, ErrorKind::bad_format,
          {.label = "label"});
  refused("label\nx\n", {"v.csv: has no column of features"}, ErrorKind::invalid_input,
          {.label = "label"});
  refused("a,label\n3,\n", {"v.csv:2: the label is empty"}, ErrorKind::bad_format,
          {.label = "label"});
  refused("PK\3\4", {"is an .npz archive"});
}

}  // namespace
}  // namespace caos::classification
