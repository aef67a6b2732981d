#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/landmarks/split_landmarks.hpp"
#include "tests/landmarks/cells/cell_problem.hpp"
#include "tests/support/expect_error.hpp"

namespace caos {
namespace {

using test::expect_error;

LandmarkModel model_of(const cells::Problem& problem, std::size_t cell) {
  LandmarkExamples examples{.patches = problem.labeled, .offsets = problem.labeled.offsets};
  examples.embedding.cell = cell;
  for (std::size_t i = 0; i < problem.labeled.size(); ++i) {
    examples.images.push_back(std::to_string(i));
    examples.grid_columns.push_back(problem.labeled.grids[i].columns);
  }
  return calibrate_landmarks(
      std::move(examples),
      {.k = 2, .score = parse_patch_score("geometry"), .refine = false, .threads = 1});
}

LandmarkModel read_bytes(const std::vector<std::byte>& bytes) {
  return read_landmark_model(io::SafetensorsFile(io::MappedFile::of_bytes(bytes, "bytes")));
}

std::vector<LandmarkPrediction> predict(const LandmarkModel& model, const cells::Image& image,
                                        Method method = Method::caos) {
  const CellSource source = cells::Problem::source(image);
  const LandmarkPredictor predictor(model, {.alpha = Miscoverage::parse("0.3"), .method = method});
  return predictor.predict(image.patches.view(), {}, image.cells, nullptr, &source);
}

void expect_same(const std::vector<LandmarkPrediction>& a,
                 const std::vector<LandmarkPrediction>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t t = 0; t < a.size(); ++t) {
    EXPECT_EQ(a[t].set, b[t].set);
    EXPECT_EQ(a[t].p_values, b[t].p_values);
    EXPECT_EQ(a[t].proposal, b[t].proposal);
    EXPECT_EQ(a[t].refined->x, b[t].refined->x);
  }
}

RC_GTEST_PROP(CellModel, PredictsTheSameFromItsFile, ()) {
  const std::size_t cell = *rc::gen::element<std::size_t>(4, 8);
  const cells::Problem problem =
      cells::make(*rc::gen::inRange<std::uint64_t>(0, 1'000'000), {.missing = 9, .cell = cell});
  RC_PRE(usable_tasks(problem.labeled, 3).size() == problem.labeled.num_tasks());
  const LandmarkModel model = model_of(problem, cell);
  const std::vector<std::byte> bytes = landmark_model_bytes(model);
  const LandmarkModel read = read_bytes(bytes);
  RC_ASSERT(landmark_model_bytes(read) == bytes);
  RC_ASSERT(read.embedding.cell == cell);
  for (const cells::Image& image : problem.images) {
    expect_same(predict(read, image), predict(model, image));
  }
}

TEST(CellModel, SplitsTheSameFromItsFile) {
  const cells::Problem problem = cells::make(3, {.labeled = 12, .missing = 0, .cell = 4});
  const LandmarkModel model = model_of(problem, 4);
  const LandmarkModel read = read_bytes(landmark_model_bytes(model));
  const split::Partition halves = split::halve(12, 7);
  const LandmarkModel split = split_landmarks(model, halves, 1);
  const LandmarkModel split_of_read = split_landmarks(read, halves, 1);
  for (const cells::Image& image : problem.images) {
    expect_same(predict(split_of_read, image, Method::split_caos),
                predict(split, image, Method::split_caos));
  }
}

/// Not cells times numbers: what is kept grows with landmarks.
TEST(CellModel, KeepsNoVectorsOfOtherCells) {
  const cells::Problem problem = cells::make(4, {.missing = 0, .cell = 4});
  const LandmarkModel model = model_of(problem, 4);
  EXPECT_EQ(model.references.patches.rows(), problem.labeled.size() * problem.labeled.num_tasks());
  EXPECT_TRUE(model.labeled.cells.exact.empty());
  for (const CellSource& source : model.labeled.cells.sources) EXPECT_EQ(source.gray, nullptr);
}

TEST(CellModel, NeedsTheCellsOfNewImages) {
  const cells::Problem problem = cells::make(5, {.missing = 0, .cell = 4});
  const LandmarkModel model = model_of(problem, 4);
  const LandmarkPredictor predictor(model, {.alpha = Miscoverage::parse("0.3")});
  const cells::Image& image = problem.images[0];
  expect_error([&] { static_cast<void>(predictor.predict(image.patches.view(), {}, image.grid)); },
               ErrorKind::invalid_input, {"labels are cells or patches"});
}

}  // namespace
}  // namespace caos
