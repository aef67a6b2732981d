#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caos/io/csv.hpp"
#include "tests/apps/raft_example.hpp"

namespace caos::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

io::CsvTable table_of(const RaftResults& results) {
  return io::parse_csv(raft_csv(results), "results.csv");
}

TEST(RaftCsv, HasARowForEachTaskMethodAndAlpha) {
  const std::string csv = raft_csv(raft_example());
  EXPECT_THAT(csv, StartsWith("task,method,alpha,seeds,coverage,coverage_standard_error,"
                              "coverage_low,coverage_high,"
                              "mean_set_size,mean_set_size_standard_error,singleton_rate,"
                              "empty_rate,guarantee,why_none,feasible,texts,labels,labeled,test,"
                              "pairs,shortened\n"));
  EXPECT_THAT(csv, HasSubstr("\nmail,caos,0.1,2,0.90625,"));
  EXPECT_THAT(csv, HasSubstr(",0.75,0.0,marginal,,true,50,2,40,10,2450,0\nmail,scos,"));
  EXPECT_THAT(csv, HasSubstr(",none,it chose late,true,50,2,40,10,2450,0\nbank,caos,"));
  EXPECT_THAT(csv, HasSubstr("\nbank,scos,0.1,2,0.875,"));
  EXPECT_THAT(csv, HasSubstr(",marginal,,false,50,77,40,10,2450,321\nbank,scos-best,"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 7);
}

TEST(RaftCsv, KeepsEveryDigit) {
  const RaftResults results = raft_example();
  const TextExperimentResult& caos = results.tasks[0].experiment.results[0];
  const std::vector<std::string> row = table_of(results).rows.at(0);
  EXPECT_EQ(std::stod(row[5]), caos.coverage_error());
  EXPECT_EQ(std::stod(row[6]), caos.coverage_interval().low);
  EXPECT_EQ(std::stod(row[7]), caos.coverage_interval().high);
  EXPECT_EQ(row[8], "1.25");
  EXPECT_EQ(std::stod(row[9]), caos.size_error());
}

TEST(RaftCsv, QuotesNamesThatHoldCommas) {
  RaftResults results = raft_example();
  results.tasks[0].experiment.task = "a,\"b\"";
  EXPECT_THAT(raft_csv(results), HasSubstr("\n\"a,\"\"b\"\"\",caos,"));
}

TEST(RaftCsv, LeavesStandardErrorsOfOneSplitEmpty) {
  const std::vector<std::string> row = table_of(raft_example_of_one_split()).rows.at(0);
  EXPECT_EQ(row[4], "0.875");
  EXPECT_EQ(row[5], "");
  EXPECT_EQ(row[9], "");
}

}  // namespace
}  // namespace caos::cli
