#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "apps/studio/exchange/import_scheme.hpp"

namespace caos::studio {
namespace {

using Strings = std::vector<std::string>;

std::map<std::string, std::string> pairs_of(const Strings& names) {
  std::map<std::string, std::string> pairs;
  for (const SchemeLandmark& landmark : scheme_from_names(names)) {
    if (landmark.pair) pairs.emplace(landmark.name, *landmark.pair);
  }
  return pairs;
}

void expect_pair(const std::string& left, const std::string& right) {
  const auto pairs = pairs_of({left, "nose", right});
  EXPECT_EQ(pairs.size(), 2U) << left;
  EXPECT_EQ(pairs.contains(left) ? pairs.at(left) : "", right);
  EXPECT_EQ(pairs.contains(right) ? pairs.at(right) : "", left);
}

TEST(SchemeFromNames, FindsPairsInManyWaysOfWriting) {
  expect_pair("left eye", "right eye");
  expect_pair("Left Eye", "Right Eye");
  expect_pair("LEFT_EYE", "RIGHT_EYE");
  expect_pair("L_eye", "R_eye");
  expect_pair("eye_l", "eye_r");
  expect_pair("eye.L", "eye.R");
  expect_pair("eye (left)", "eye (right)");
  expect_pair("leftEye", "rightEye");
  expect_pair("EyeLeft2", "EyeRight2");
}

TEST(SchemeFromNames, TurnsAllSidesOfANameWhereThatGivesAnother) {
  const auto pairs = pairs_of({"left eye left corner", "left eye right corner",
                               "right eye left corner", "right eye right corner"});
  EXPECT_EQ(pairs.at("left eye left corner"), "right eye right corner");
  EXPECT_EQ(pairs.at("left eye right corner"), "right eye left corner");
  EXPECT_EQ(pairs_of({"left eye right corner", "right eye right corner"}).size(), 2U);
}

TEST(SchemeFromNames, SeesNoSidesWhereThereAreNone) {
  EXPECT_TRUE(pairs_of({"lip", "rip", "cleft", "cright", "nose", "left ear"}).empty());
}

TEST(SchemeFromNames, HasColorsThatDifferFromNeighbors) {
  const auto scheme = scheme_from_names(Strings{"a", "b", "c", "d", "e", "f", "g", "h"});
  std::set<std::string> colors;
  for (const SchemeLandmark& landmark : scheme) colors.insert(landmark.color);
  EXPECT_EQ(colors.size(), 7U);
  EXPECT_EQ(scheme[7].color, scheme[0].color);
  EXPECT_EQ(scheme[1].color, color_at(1));
  EXPECT_EQ(scheme[0].id, 0);
}

TEST(SchemeFromFiles, NeedsNamesAlone) {
  const std::vector<landmarks::NamedText> tps = {{"a.tps", "LM=2\n1 2\n3 4\nIMAGE=a.png\nID=0\n"}};
  const auto scheme = scheme_from_files(tps, {});
  ASSERT_EQ(scheme.size(), 2U);
  EXPECT_EQ(scheme[1].name, "2");
  const std::vector<landmarks::NamedText> csv = {
      {"a.csv", "image,landmark,x,y\na.png,left eye,1,2\na.png,right eye,3,4\n"}};
  EXPECT_EQ(scheme_from_files(csv, {})[0].pair, "right eye");
}

}  // namespace
}  // namespace caos::studio
