#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "caos/io/csv.hpp"
#include "tests/apps/landmark_example.hpp"

namespace caos::cli {
namespace {

using testing::ElementsAre;

using Row = std::vector<std::string>;

io::CsvTable table_of(const LandmarkResults& results, const std::string& name) {
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

std::vector<std::string> names_of(const LandmarkResults& results) {
  std::vector<std::string> names;
  for (const auto& file : landmark_csvs(results)) names.push_back(file.first);
  return names;
}

/// Of the only split: two landmarks, two test images.
SplitFigures of_one_split(double first, double second, double deviation) {
  SplitFigures figures{.values = Matrix<double>(1, 2), .deviations = Matrix<double>(2, 2)};
  figures.values(0, 0) = first;
  figures.values(0, 1) = second;
  for (std::size_t t = 0; t < 2; ++t) {
    figures.deviations(0, t) = deviation;
    figures.deviations(1, t) = -deviation;
  }
  return figures;
}

TEST(LandmarkCsv, HasAFileForEachPartThatIsThere) {
  LandmarkResults results = landmark_example();
  EXPECT_THAT(names_of(results),
              ElementsAre("methods.csv", "data_reuse.csv", "k_ablation.csv", "landmarks.csv",
                          "k_strata.csv", "simultaneous.csv", "beyond.csv"));
  results.experiment.by_subject = true;
  results.experiment.ablation.clear();
  results.experiment.simultaneous.clear();
  EXPECT_THAT(names_of(results), ElementsAre("methods.csv", "landmarks.csv", "beyond.csv"));
}

TEST(LandmarkCsv, KeepsEveryDigitAndLeavesFieldsEmptyThatAreAbsent) {
  LandmarkResults results = landmark_example();
  results.options.alphas = {Miscoverage::parse("0.05"), Miscoverage::parse("0.15")};
  const SplitFigures coverage = of_one_split(0.1234567890123456, 0.1234567890123458, 0.25);
  results.experiment.methods = {
      landmark_result(Method::scos_best, coverage, of_one_split(16, 16, 0), "0.05"),
      landmark_result(Method::caos, figures(0.9), figures(5), "0.05"),
      landmark_result(Method::split_caos, figures(0.9), figures(5), "0.05"),
      landmark_result(Method::caos, figures(0.9), figures(5), "0.15")};
  without_guarantee(results.experiment.methods[0], "a, \"b\"");
  results.experiment.other_scores.clear();
  const io::CsvTable table = table_of(results, "methods.csv");
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(field(table, 0, "method"), "scos-best");
  EXPECT_EQ(field(table, 0, "guarantee"), "none");
  EXPECT_EQ(field(table, 0, "why_none"), "a, \"b\"");
  EXPECT_EQ(std::stod(field(table, 0, "coverage")), coverage.mean());
  EXPECT_EQ(std::stod(field(table, 0, "coverage_sem_landmarks")), coverage.error_over_landmarks());
  EXPECT_EQ(field(table, 0, "coverage_sem_splits"), "");
  EXPECT_EQ(field(table, 0, "coverage_sem_images"), "0.5");
  EXPECT_EQ(field(table, 0, "coverage_sem"), "0.5");
  EXPECT_EQ(field(table, 0, "mean_set_size"), "16.0");
  EXPECT_EQ(field(table, 1, "paper_coverage"), "0.955");
  EXPECT_EQ(field(table, 1, "coverage_sem_images"), "");
  EXPECT_EQ(field(table, 2, "paper_coverage"), "");
  const io::CsvTable reuse = table_of(results, "data_reuse.csv");
  EXPECT_EQ(field(reuse, 0, "method"), "split-caos");
  EXPECT_EQ(field(reuse, 0, "paper_mean_set_size"), "33.54");
  EXPECT_EQ(field(reuse, 0, "paper_mean_set_size_sem"), "");
}

TEST(LandmarkCsv, HasAColumnForEachMethodAndK) {
  LandmarkResults results = landmark_example();
  results.images.patches.tasks[0] = "a,b";
  std::vector<ExperimentResult>& methods = results.experiment.methods;
  methods = {landmark_result(Method::scos, by_landmark(0.5, 0.75), by_landmark(3.5, 7)),
             landmark_result(Method::caos, by_landmark(1, 0.5), by_landmark(2, 4))};
  methods[1].n = {5, 6};
  methods[1].smallest_feasible_alpha = {0.125, 0.25};
  const io::CsvTable without = table_of(results, "landmarks.csv");
  EXPECT_THAT(without.header,
              ElementsAre("landmark", "stratum", "n", "smallest_alpha", "size_scos", "size_caos",
                          "coverage_scos", "coverage_caos", "size_k1", "size_k2"));
  EXPECT_THAT(
      without.rows,
      ElementsAre(Row{"a,b", "", "5", "0.125", "3.5", "2.0", "0.5", "1.0", "3.5", "3.0"},
                  Row{"nose", "", "6", "0.25", "7.0", "4.0", "0.75", "0.5", "8.75", "8.0"}));
  methods.push_back(landmark_result(Method::scos_oracle, figures(1), by_landmark(3, 2)));
  const io::CsvTable with_oracle = table_of(results, "landmarks.csv");
  EXPECT_EQ(field(with_oracle, 0, "stratum"), "medium");
  EXPECT_EQ(field(with_oracle, 1, "stratum"), "easy");
}

TEST(LandmarkCsv, HasTheOtherTables) {
  const LandmarkResults results = landmark_example();
  EXPECT_EQ(field(table_of(results, "data_reuse.csv"), 1, "method"), "split-caos-cal");
  EXPECT_EQ(field(table_of(results, "k_ablation.csv"), 0, "mean_set_size"), "6.125");
  EXPECT_EQ(field(table_of(results, "k_strata.csv"), 0, "mean_set_size"), "3.5");
  EXPECT_EQ(field(table_of(results, "simultaneous.csv"), 0, "mean_set_size"), "44.5");
  EXPECT_EQ(field(table_of(results, "simultaneous.csv"), 0, "per_landmark_coverage_together"),
            "0.41");
  EXPECT_EQ(std::stod(field(table_of(results, "beyond.csv"), 1, "ratio_to_cosine")), 3.25 / 5.25);
  EXPECT_EQ(field(table_of(results, "beyond.csv"), 1, "fixed_in_advance"), "true");
}

TEST(LandmarkCsv, DoesNotClaimThatAGivenParameterWasFixedInAdvance) {
  LandmarkResults results = landmark_example();
  results.own_parameter = true;
  EXPECT_EQ(field(table_of(results, "beyond.csv"), 0, "fixed_in_advance"), "");
}

}  // namespace
}  // namespace caos::cli
