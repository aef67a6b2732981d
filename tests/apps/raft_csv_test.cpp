#include "apps/cli/experiments/raft_csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apps/raft_results.hpp"

namespace caos::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(RaftCsv, HasARowForEachTaskMethodAndAlpha) {
  const std::string csv = raft_csv(raft_results());
  EXPECT_THAT(csv, StartsWith("task,method,alpha,seeds,coverage,coverage_standard_error,"
                              "coverage_low,coverage_high,"
                              "mean_set_size,mean_set_size_standard_error,singleton_rate,"
                              "empty_rate,guarantee,why_none,feasible,texts,labels,labeled,test,"
                              "pairs,shortened\n"));
  EXPECT_THAT(
      csv,
      HasSubstr("\nmail,caos,0.1,5,0.905,0.011,0.811,0.967,1.25,0.031,0.75,0,marginal,,true,50,2,"
                "40,10,2450,0\n"));
  EXPECT_THAT(csv, HasSubstr("\nbank,scos,0.1,5,0.881,0.015,,,41.5,1.75,0,0,marginal,,false,50,77,"
                             "40,10,2450,321\n"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 6);
}

TEST(RaftCsv, QuotesNamesThatHoldCommas) {
  Json results = raft_results();
  results["results"][0]["task"] = "a,\"b\"";
  EXPECT_THAT(raft_csv(results), HasSubstr("\n\"a,\"\"b\"\"\",caos,"));
}

TEST(RaftCsv, LeavesFieldsEmptyThatAreNull) {
  Json results = raft_results();
  results["results"][0]["coverage"]["sem"] = nullptr;
  EXPECT_THAT(raft_csv(results), HasSubstr("\nmail,caos,0.1,5,0.905,,0.811,0.967,1.25,"));
}

}  // namespace
}  // namespace caos::cli
