#include "caos/scorers/patch_score.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/expect_error.hpp"

namespace caos {
namespace {

using Kind = PatchScore::Kind;
using test::expect_error;

void expect_refused(const std::string& text, std::initializer_list<std::string> parts) {
  expect_error([&] { (void)parse_patch_score(text); }, ErrorKind::invalid_input, parts);
}

TEST(PatchScore, IsReadWithItsParameter) {
  EXPECT_EQ(parse_patch_score("cosine"), PatchScore{});
  EXPECT_EQ(parse_patch_score("margin:2.5"), (PatchScore{Kind::margin, 2.5}));
  EXPECT_EQ(parse_patch_score("margin:0"), (PatchScore{Kind::margin, 0}));
  EXPECT_EQ(parse_patch_score("softmax:1e-4"), (PatchScore{Kind::softmax, 1e-4}));
  EXPECT_EQ(parse_patch_score("softmax:10000"), (PatchScore{Kind::softmax, 1e4}));
  EXPECT_EQ(parse_patch_score("geometry"), (PatchScore{Kind::geometry, 0}));
}

TEST(PatchScore, TakesTheDefaultsWhereNoParameterIsGiven) {
  EXPECT_EQ(parse_patch_score("margin"), (PatchScore{Kind::margin, 10}));
  EXPECT_EQ(parse_patch_score("softmax"), (PatchScore{Kind::softmax, 0.05}));
  const PatchScoreDefaults defaults{.margin_weight = 3, .temperature = 0.02};
  EXPECT_EQ(parse_patch_score("margin", defaults), (PatchScore{Kind::margin, 3}));
  EXPECT_EQ(parse_patch_score("softmax", defaults), (PatchScore{Kind::softmax, 0.02}));
  EXPECT_EQ(parse_patch_score("softmax:0.5", defaults), (PatchScore{Kind::softmax, 0.5}));
}

TEST(PatchScore, RefusesNamesThatAreNone) {
  for (const char* text : {"", "Cosine", "cosine ", "cosine:", "cosine:1", "cos", "margins:1", ":1",
                           " margin", "softmax 0.05", "geometry:1"}) {
    expect_refused(text, {fmt::format("unknown score '{}'", text),
                          "geometry, cosine, margin[:weight] or softmax[:temperature]"});
  }
}

TEST(PatchScore, RefusesParametersThatAreNoNumbersOrOutOfRange) {
  for (const char* text : {"", "x", "1x", " 1", "1 ", "+1", "-1", "nan", "inf", "10001", "1e400",
                           "1:2", "0x1", "1,5"}) {
    expect_refused(fmt::format("margin:{}", text),
                   {fmt::format("margin:{0}: '{0}' must be a number from 0 to 10000", text)});
  }
  for (const char* text : {"", "0", "1e-5", "-0.1", "nan", "inf", "20000"}) {
    expect_refused(fmt::format("softmax:{}", text),
                   {fmt::format("'{}' must be a number from 0.0001 to 10000", text)});
  }
}

TEST(PatchScore, IsSymmetricForTheCosineAlone) {
  EXPECT_TRUE(parse_patch_score("cosine").is_symmetric());
  EXPECT_FALSE(parse_patch_score("margin").is_symmetric());
  EXPECT_FALSE(parse_patch_score("margin:0").is_symmetric());
  EXPECT_FALSE(parse_patch_score("softmax").is_symmetric());
  EXPECT_FALSE(parse_patch_score("geometry").is_symmetric());
}

RC_GTEST_PROP(PatchScore, IsReadBackFromItsText, ()) {
  const auto kind = *rc::gen::element(Kind::margin, Kind::softmax);
  const double parameter = 1e-4 + *rc::gen::inRange(0, 1'000'000'000) / 123457.0;
  const PatchScore score{kind, parameter};
  RC_ASSERT(parse_patch_score(patch_score_text(score)) == score);
  RC_ASSERT(patch_score_text(PatchScore{}) == "cosine");
}

}  // namespace
}  // namespace caos
