#include "caos/classification/label_column.hpp"

#include <gtest/gtest.h>

#include "caos/classification/label_list.hpp"
#include "caos/evaluation.hpp"
#include "caos/io/arrays/npy.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::classification {
namespace {

using test::expect_error;
using Names = std::vector<std::string>;

class LabelFiles : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& content) {
    return directory_.write(name, content);
  }

  test::TempDir directory_;
};

TEST_F(LabelFiles, HaveOneLabelPerLineOrRow) {
  EXPECT_EQ(read_label_column(write("a.txt", "cat\r\ndog, big\n\n")).labels,
            (Names{"cat", "dog, big"}));
  const LabelColumn csv = read_label_column(write("a.csv", "species\ncat\n\"a,b\"\n"));
  EXPECT_EQ(csv.labels, (Names{"cat", "a,b"}));
  EXPECT_EQ(csv.lines, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(read_label_column(write("b.csv", "3\n1\n")).labels, (Names{"3", "1"}));
  const std::string npy = directory_ / "a.npy";
  io::write_npy(npy, {3}, std::vector<std::int64_t>{4, -1, 4});
  EXPECT_EQ(read_label_column(npy).labels, (Names{"4", "-1", "4"}));
  EXPECT_EQ(read_label_column(npy).place(2), npy + ": element 2");
}

TEST_F(LabelFiles, ThatAreNotLabelsAreRefusedByPlace) {
  expect_error([&] { (void)read_label_column(write("a.txt", "cat\n\ndog\n")); },
               ErrorKind::bad_format, {"a.txt:2: the label is empty"});
  expect_error([&] { (void)read_label_column(write("a.csv", "x\ncat\n\xff\n")); },
               ErrorKind::bad_format, {"a.csv:3: the label is not a UTF-8 text"});
  expect_error([&] { (void)read_label_column(write("a.csv", "x,y\ncat,1\n")); },
               ErrorKind::invalid_input, {"has 2 columns; expected one of labels"});
  const std::string npy = directory_ / "a.npy";
  io::write_npy(npy, {2}, std::vector<double>{1, 0.5});
  expect_error([&] { (void)read_label_column(npy); }, ErrorKind::bad_format,
               {"element [1] is 0.5"});
  const LabelColumn csv = read_label_column(write("a.csv", "cat\ndog\n"));
  expect_error([&] { check_label_count(csv, 2, "v.npy"); }, ErrorKind::invalid_input,
               {"a.csv: has 1 labels; v.npy has 2 vectors", "its header"});
}

LabelColumn column(Names labels) { return {.name = "labels", .labels = std::move(labels)}; }

TEST(LabelList, OfLabeledExamplesIsSortedAndKnowsItsRisk) {
  const LabelList words = labels_of_train(column({"b", "a", "b"}));
  EXPECT_EQ(words.names, (Names{"a", "b"}));
  EXPECT_TRUE(words.from_train);
  EXPECT_EQ(labels_of_train(column({"10", "9", "-1"})).names, (Names{"-1", "9", "10"}));
  expect_error(
      [] {
        (void)labels_of_train(column({"a", "a"}));
      },
      ErrorKind::invalid_input, {"all labels are", "--label-names"});
}

TEST(LabelList, NumbersLabelsByNameOrByPosition) {
  const LabelList words = named_labels({"cat", "dog"}, "names");
  EXPECT_EQ(numbers_of(column({"dog", "cat"}), words), (std::vector<Label>{1, 0}));
  EXPECT_EQ(numbers_of(column({"1", "0"}), words), (std::vector<Label>{1, 0}));
  const LabelList numbers = named_labels({"7", "3"}, "names");
  EXPECT_EQ(numbers_of(column({"3", "7"}), numbers), (std::vector<Label>{1, 0}));
  EXPECT_EQ(numbers_of(column({"2", "0"}), numbered_labels(3)), (std::vector<Label>{2, 0}));
  for (const char* unknown : {"cow", "2", "-1"}) {
    expect_error([&] { (void)numbers_of(column({unknown}), words, true); }, ErrorKind::bad_format,
                 {"labels: element 0", "not among the labels", "add it"});
  }
}

TEST(LabelList, OfLabeledExamplesMayLackTestLabels) {
  const LabelList words = labels_of_train(column({"b", "a"}));
  EXPECT_EQ(numbers_of(column({"b", "c"}), words, true), (std::vector<Label>{1, unlisted_label}));
  expect_error([&] { (void)numbers_of(column({"c"}), words); }, ErrorKind::bad_format,
               {"not among the labels"});
}

TEST(LabelList, RefusesNamesThatAreMissingOrRepeated) {
  expect_error(
      [] {
        (void)named_labels({"a", "b", "a"}, "names.txt");
      },
      ErrorKind::invalid_input, {"names.txt: names the label", "twice", "once"});
  expect_error(
      [] {
        (void)named_labels({"a", ""}, "names.txt");
      },
      ErrorKind::invalid_input, {"names.txt: label 1 is empty"});
  expect_error([] { (void)named_labels({"a"}, "names.txt"); }, ErrorKind::invalid_input,
               {"at least two"});
}

}  // namespace
}  // namespace caos::classification
