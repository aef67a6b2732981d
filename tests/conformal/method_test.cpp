#include "caos/method.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"

namespace {

TEST(Method, NamesCanBeReadBack) {
  for (const caos::Method method : caos::all_methods()) {
    EXPECT_EQ(caos::parse_method(caos::method_name(method)), method);
  }
}

TEST(Method, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  caos::test::expect_error(
      [] { static_cast<void>(caos::parse_method("coas")); }, caos::ErrorKind::invalid_input,
      {"unknown method 'coas'; choose among caos, full-caos, scos, scos-best, scos-oracle, "
       "split-caos, split-caos-cal, split-caos-ref"});
}

TEST(Guarantee, IsGivenToThoseWithATheoremOnly) {
  const auto text = [](caos::Method method) { return caos::guarantee_of(method).text(); };
  for (const caos::Method method : {caos::Method::caos, caos::Method::full_caos, caos::Method::scos,
                                    caos::Method::split_caos, caos::Method::split_caos_cal}) {
    EXPECT_EQ(text(method), "marginal");
  }
  EXPECT_EQ(text(caos::Method::scos_best),
            "none (the reference was chosen on the calibration examples)");
  EXPECT_EQ(text(caos::Method::scos_oracle), "none (uses the true label of the test example)");
  EXPECT_TRUE(text(caos::Method::split_caos_ref).starts_with("none ("));
}

TEST(Guarantee, HoldsInEachGroupWhereThereAreGroups) {
  using Kind = caos::Grouping::Kind;
  for (const Kind kind : {Kind::by_label, Kind::by_input}) {
    EXPECT_EQ(caos::guarantee_of(caos::Method::caos, kind).text(), "group-conditional");
    EXPECT_TRUE(
        caos::guarantee_of(caos::Method::split_caos_ref, kind).text().starts_with("none ("));
  }
}

TEST(Guarantee, IsLostByEveryMethodWhereTheRankWasClipped) {
  for (const caos::Method method : caos::all_methods()) {
    EXPECT_EQ(caos::guarantee_of(method, caos::Grouping::Kind::none, true).text(),
              "none (too few examples for alpha, and the rank was clipped)");
  }
}

}  // namespace
