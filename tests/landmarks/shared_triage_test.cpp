// How well the review order finds the images with the largest errors, on real data that are too
// large for the project; where they are not beside it, these tests are skipped.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <numeric>

#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/evaluation/landmark_splits.hpp"
#include "caos/landmarks/formats/landmark_file.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/landmarks/predict_stream.hpp"
#include "caos/landmarks/shape_deviation.hpp"
#include "caos/landmarks/triage.hpp"
#include "tests/support/test_folders.hpp"

namespace caos {
namespace {

using Order = std::vector<std::size_t>;

struct Dataset {
  std::string name{};
  std::string folder{};
  std::string images{};  ///< within it
  std::string table{};
  std::string working_size = "original";
  std::size_t every = 1;  ///< landmarks that are used
  std::size_t num_splits = 8;
};

/// Predictions of all test images of one split, and how wrong their proposals are.
struct Outcomes {
  std::vector<ImageConformity> images{};
  std::vector<double> image_errors{};  ///< mean over the landmarks that are present
  std::vector<LandmarkConformity> landmarks{};
  std::vector<double> landmark_errors{};
};

/// Areas under the curve, summed over splits.
struct Areas {
  double images = 0;
  double images_by_size = 0;
  double landmarks = 0;
};

/// The largest tenth, at least one.
std::vector<bool> worst_tenth(const std::vector<double>& errors) {
  Order order(errors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return errors[i]; });
  std::vector<bool> worst(errors.size());
  for (std::size_t r = 0; r < (errors.size() + 9) / 10; ++r) worst[order[r]] = true;
  return worst;
}

/// How often one of the worst comes before another one, of all such pairs.
double area_under_curve(const Order& order, const std::vector<bool>& worst) {
  double seen = 0;
  double pairs = 0;
  for (const std::size_t i : order) {
    if (worst[i]) ++seen;
    if (!worst[i]) pairs += seen;
  }
  return pairs / (seen * (static_cast<double>(order.size()) - seen));
}

/// The order of version 0.1.0: the largest regions first.
Order order_by_size(const std::vector<ImageConformity>& images) {
  Order order(images.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t i) { return images[i].mean_set_size; });
  return order;
}

class SharedTriage : public testing::Test {
 protected:
  void read(const Dataset& data) {
    const std::filesystem::path folder = test::shared_folder() / "data" / data.folder;
    if (!std::filesystem::exists(folder)) {
      GTEST_SKIP() << "NOT TESTED: no " << folder << "; set CAOS_SHARED";
    }
    const std::string table = (folder / data.table).string();
    PatchSourceOptions options;
    options.embed.working_size = vision::WorkingSize::parse(data.working_size);
    images_ = embed_annotated(*open_patch_source(options, {}), (folder / data.images).string(),
                              landmarks::read_landmarks(table, {}), table, {});
    Indices tasks;
    for (std::size_t t = 0; t < images_.patches.num_tasks(); t += data.every) tasks.push_back(t);
    offsets_ = examples_of(images_, {}).offsets;
    keep_landmarks(tasks);
  }

  [[nodiscard]] Outcomes outcomes(std::uint64_t seed) const {
    const LandmarkSplit split =
        draw_landmark_split(images_.patches, default_split_sizes(images_.size()), seed);
    const LandmarkModel model = calibrate_landmarks(examples(split.labeled()), {});
    const LandmarkPredictor predictor(model, {.alpha = Miscoverage::parse("0.1")});
    Outcomes result;
    const LabeledShapes shapes(model);
    for (const std::size_t i : split.test) add(i, model, predictor, shapes, result);
    return result;
  }

  [[nodiscard]] Areas areas(std::size_t num_splits) const {
    Areas sum;
    const auto count = static_cast<double>(num_splits);
    for (std::size_t seed = 0; seed < num_splits; ++seed) {
      const Outcomes split = outcomes(seed);
      const std::vector<bool> worst = worst_tenth(split.image_errors);
      sum.images += area_under_curve(review_order(split.images), worst) / count;
      sum.images_by_size += area_under_curve(order_by_size(split.images), worst) / count;
      sum.landmarks +=
          area_under_curve(review_order(split.landmarks), worst_tenth(split.landmark_errors)) /
          count;
    }
    return sum;
  }

  void expect_found(const Dataset& data) {
    read(data);
    if (IsSkipped()) return;
    const Areas found = areas(data.num_splits);
    const std::string text = fmt::format(
        "AUC for the worst tenth, mean of {} splits: images {:.3f} (largest regions first: "
        "{:.3f}), single landmarks {:.3f}",
        data.num_splits, found.images, found.images_by_size, found.landmarks);
    std::cout << data.name << ": " << text << '\n';
    RecordProperty("found", text);
    EXPECT_GE(found.images, 0.75);
    EXPECT_LT(found.images_by_size, 0.5);
    EXPECT_GT(found.landmarks, 0.6);
  }

 private:
  void keep_landmarks(const Indices& tasks) {
    Matrix<vision::Point> points(images_.size(), tasks.size());
    Matrix<Offset> offsets(images_.size(), tasks.size());
    for (std::size_t i = 0; i < images_.size(); ++i) {
      for (std::size_t t = 0; t < tasks.size(); ++t) {
        points(i, t) = images_.points(i, tasks[t]);
        offsets(i, t) = offsets_(i, tasks[t]);
      }
    }
    images_.points = std::move(points);
    offsets_ = std::move(offsets);
    images_.patches = with_tasks(std::move(images_.patches), tasks);
  }

  [[nodiscard]] LandmarkExamples examples(const Indices& labeled) const {
    LandmarkExamples result{.patches = select(images_.patches, labeled),
                            .offsets = Matrix<Offset>(0, offsets_.cols())};
    for (const std::size_t i : labeled) {
      result.grid_columns.push_back(images_.frames[i].grid.columns);
      result.images.push_back(images_.names[i]);
      result.offsets.push_row(offsets_.row(i));
    }
    return result;
  }

  /// The error of a proposal in pixels; nothing where the landmark is absent.
  [[nodiscard]] std::optional<double> error(std::size_t i, std::size_t t,
                                            const LandmarkPrediction& prediction) const {
    if (images_.patches.labels(i, t) == missing_label) return std::nullopt;
    const vision::Point found = images_.frames[i].point_at(prediction.proposal, prediction.offset);
    return std::hypot(found.x - images_.points(i, t).x, found.y - images_.points(i, t).y);
  }

  void add(std::size_t i, const LandmarkModel& model, const LandmarkPredictor& predictor,
           const LabeledShapes& shapes, Outcomes& result) const {
    const auto predictions =
        predictor.predict(images_.patches.images[i].view(), padding_of(images_.frames[i]));
    const Indices tasks = usable_tasks_of(model);
    double total = 0;
    std::size_t count = 0;
    for (std::size_t u = 0; u < predictions.size(); ++u) {
      const auto wrong = error(i, tasks[u], predictions[u]);
      if (!wrong) continue;
      result.landmarks.push_back(conformity_of(predictions[u]));
      result.landmark_errors.push_back(*wrong);
      total += *wrong;
      ++count;
    }
    if (count == 0) return;
    const Shape shape = shapes.shape_of(predictions, images_.frames[i].grid.columns);
    result.images.push_back(
        conformity_of(std::span<const LandmarkPrediction>(predictions), shapes.deviation(shape)));
    result.image_errors.push_back(total / static_cast<double>(count));
  }

  /// Where the model's landmarks are among all of them.
  [[nodiscard]] Indices usable_tasks_of(const LandmarkModel& model) const {
    Indices tasks;
    for (const std::string& name : model.labeled.tasks) {
      const auto place = std::ranges::find(images_.patches.tasks, name);
      tasks.push_back(static_cast<std::size_t>(place - images_.patches.tasks.begin()));
    }
    return tasks;
  }

  AnnotatedImages images_{};
  Matrix<Offset> offsets_{};  ///< [images, landmarks]
};

TEST_F(SharedTriage, FindsTheWorstFaces) {
  expect_found(
      {.name = "faces", .folder = "faces-london-canada", .table = "landmarks478.csv", .every = 16});
}

TEST_F(SharedTriage, FindsTheWorstWings) {
  expect_found({.name = "wings",
                .folder = "landmarks/droso640",
                .images = "images",
                .table = "landmarks.csv",
                .num_splits = 16});
}

TEST_F(SharedTriage, FindsTheWorstWingsAtASmallerWorkingSize) {
  expect_found({.name = "wings at 512",
                .folder = "landmarks/droso640",
                .images = "images",
                .table = "landmarks.csv",
                .working_size = "512",
                .num_splits = 16});
}

TEST_F(SharedTriage, FindsTheWorstMice) {
  expect_found({.name = "mouse",
                .folder = "landmarks/mirrormouse",
                .images = "labeled-data",
                .table = "landmarks.csv"});
}

}  // namespace
}  // namespace caos
