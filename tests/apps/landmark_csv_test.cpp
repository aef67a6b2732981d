#include "apps/cli/experiments/landmark_csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "caos/io/csv.hpp"

namespace caos::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Row = std::vector<std::string>;

io::CsvTable table_of(const Json& results, const std::string& name) {
  for (const auto& [file, text] : landmark_csvs(results)) {
    if (file == name) return io::parse_csv(text, file);
  }
  ADD_FAILURE() << "no " << name;
  return {};
}

std::string field(const io::CsvTable& table, std::size_t row, const std::string& column) {
  const auto found = std::ranges::find(table.header, column);
  if (found == table.header.end()) return "no column " + column;
  return table.rows.at(row).at(static_cast<std::size_t>(found - table.header.begin()));
}

TEST(LandmarkCsv, HasAFileForEachPartThatIsThere) {
  EXPECT_THAT(landmark_csvs(Json::object()), IsEmpty());
  const Json results = Json::parse(R"({"beyond": [{"score": "cosine"}], "methods": []})");
  const auto files = landmark_csvs(results);
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].first, "beyond.csv");
}

TEST(LandmarkCsv, KeepsEveryDigitAndLeavesNullEmpty) {
  const Json results = Json::parse(R"({"methods": [
    {"method": "scos-best", "alpha": "0.05", "guarantee": "none", "why_none": "a, \"b\"",
     "coverage": {"mean": 0.1234567890123456, "sem_landmarks": 1e-9, "sem_splits": null,
                  "sem_images": 0.25, "sem": 0.25},
     "mean_set_size": {"mean": 16.0}, "paper": {"coverage": 0.955, "mean_set_size_sem": null}},
    {"method": "caos", "alpha": "0.05", "paper": null}]})");
  const io::CsvTable table = table_of(results, "methods.csv");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(field(table, 0, "why_none"), "a, \"b\"");
  EXPECT_EQ(std::stod(field(table, 0, "coverage")), 0.1234567890123456);
  EXPECT_EQ(std::stod(field(table, 0, "coverage_sem_landmarks")), 1e-9);
  EXPECT_EQ(field(table, 0, "coverage_sem_splits"), "");
  EXPECT_EQ(field(table, 0, "coverage_sem_images"), "0.25");
  EXPECT_EQ(field(table, 0, "coverage_sem"), "0.25");
  EXPECT_EQ(field(table, 0, "mean_set_size"), "16.0");
  EXPECT_EQ(field(table, 0, "paper_coverage"), "0.955");
  EXPECT_EQ(field(table, 0, "paper_mean_set_size_sem"), "");
  EXPECT_EQ(field(table, 1, "paper_coverage"), "");
}

TEST(LandmarkCsv, HasAColumnForEachMethodAndKThatAnyLandmarkHas) {
  const Json results = Json::parse(R"({"landmarks": [
    {"name": "a,b", "stratum": "easy", "sizes": {"caos": 2}, "by_k": [1], "n": 5},
    {"name": "c", "sizes": {"scos": 3.5, "caos": 4}, "coverage": {"caos": 1}, "by_k": [1, null, 7]}
  ]})");
  const io::CsvTable table = table_of(results, "landmarks.csv");
  EXPECT_THAT(table.header,
              ElementsAre("landmark", "stratum", "n", "smallest_alpha", "size_caos", "size_scos",
                          "coverage_caos", "size_k1", "size_k2", "size_k3"));
  EXPECT_THAT(table.rows, ElementsAre(Row{"a,b", "easy", "5", "", "2", "", "", "1", "", ""},
                                      Row{"c", "", "", "", "4", "3.5", "1", "1", "", "7"}));
}

TEST(LandmarkCsv, HasTheOtherTables) {
  const Json results = Json::parse(R"({
    "data_reuse": [{"method": "split-caos"}],
    "k_ablation": [{"k": 3, "alpha": "0.1", "mean_set_size": {"mean": 9.27}}],
    "k_strata": [{"stratum": "hard", "k": 1, "mean_set_size": {"mean": 40.5}}],
    "simultaneous": [{"alpha": "0.1", "per_landmark_coverage_together": 0.41}],
    "beyond": [{"score": "margin:10", "ratio_to_cosine": 0.63, "fixed_in_advance": true}]})");
  EXPECT_EQ(field(table_of(results, "data_reuse.csv"), 0, "method"), "split-caos");
  EXPECT_EQ(field(table_of(results, "k_ablation.csv"), 0, "mean_set_size"), "9.27");
  EXPECT_EQ(field(table_of(results, "k_strata.csv"), 0, "mean_set_size"), "40.5");
  EXPECT_EQ(field(table_of(results, "simultaneous.csv"), 0, "per_landmark_coverage_together"),
            "0.41");
  EXPECT_EQ(field(table_of(results, "beyond.csv"), 0, "ratio_to_cosine"), "0.63");
  EXPECT_EQ(field(table_of(results, "beyond.csv"), 0, "fixed_in_advance"), "true");
}

}  // namespace
}  // namespace caos::cli
