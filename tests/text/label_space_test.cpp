#include "caos/text/label_space.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"

namespace caos::text {
namespace {

void expect_refused(std::vector<std::string> names, const std::string& message) {
  test::expect_error([&] { (void)LabelSpace(std::move(names), "here"); }, ErrorKind::invalid_input,
                     {"here", message});
}

TEST(LabelSpace, FindsLabelsByTheirNames) {
  const LabelSpace labels({"b", "a", "ab"});
  ASSERT_EQ(labels.size(), 3U);
  for (Label y = 0; y < labels.size(); ++y) EXPECT_EQ(labels.find(labels[y]), y);
  EXPECT_EQ(labels.find("B"), std::nullopt);
  EXPECT_EQ(labels.find(""), std::nullopt);
}

TEST(LabelSpace, HasTwoOrMoreDifferentNames) {
  expect_refused({}, "at least two");
  expect_refused({"a"}, "at least two");
  expect_refused({"a", "b", "a"}, "'a' is listed twice");
  expect_refused({"a", ""}, "empty");
  expect_refused({"a", "\xc3"}, "UTF-8");
}

TEST(LabelSpace, TellsNamesThatDifferInSpaceOrCaseApart) {
  EXPECT_EQ(LabelSpace({"a", " a", "A"}).size(), 3U);
}

}  // namespace
}  // namespace caos::text
