#include "caos/landmarks/points/point_measurement.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "caos/error.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/landmarks/points/point_baselines.hpp"
#include "caos/landmarks/points/proposed_point.hpp"
#include "caos/landmarks/predict_stream.hpp"
#include "tests/landmarks/points/annotated_example.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/thread_processes.hpp"

namespace {

using caos::AnnotatedImages;
using caos::ImageTarget;
using caos::ImageUnits;
using caos::Indices;
using caos::Matrix;
using caos::missing_label;
using caos::PointOutcomes;
using caos::PointSource;
using caos::PointTest;
using caos::PointTestOptions;
using caos::SourcePoints;
using caos::dist::Communicator;
using caos::vision::Point;
using points::Example;

Indices range(std::size_t first, std::size_t last) {
  Indices indices;
  for (std::size_t i = first; i < last; ++i) indices.push_back(i);
  return indices;
}

/// The first images are labeled, the others are tested, on some landmarks.
PointTest half_and_half(const AnnotatedImages& images, const Indices& landmarks) {
  return {.images = images,
          .labeled = range(0, images.size() / 2),
          .test = range(images.size() / 2, images.size()),
          .landmarks = landmarks,
          .units = std::vector<ImageUnits>(images.size())};
}

PointTestOptions with_k(std::size_t k) { return {.model = {.k = k, .threads = 2}}; }

void expect_same(const PointOutcomes& a, const PointOutcomes& b) {
  ASSERT_EQ(a.sources.size(), b.sources.size());
  for (std::size_t s = 0; s < a.sources.size(); ++s) {
    const SourcePoints& one = a.sources[s];
    const SourcePoints& other = b.sources[s];
    EXPECT_EQ(one.source, other.source);
    ASSERT_EQ(one.points.rows(), other.points.rows());
    for (std::size_t x = 0; x < one.points.rows(); ++x) {
      for (std::size_t t = 0; t < one.points.cols(); ++t) {
        EXPECT_EQ(one.points(x, t).x, other.points(x, t).x);
        EXPECT_EQ(one.points(x, t).y, other.points(x, t).y);
      }
    }
  }
}

TEST(MeasuredPoints, AreThoseOfTheModelOfTheLabeledImages) {
  const AnnotatedImages images = Example(1, {.images = 24, .landmarks = 4, .missing = 6}).images();
  const Indices landmarks = {0, 2, 3};
  const PointTest test = half_and_half(images, landmarks);
  const PointOutcomes outcomes = measure_points(test, with_k(2));
  const AnnotatedImages labeled = with_tasks(select(images, test.labeled), landmarks);
  const auto model = calibrate_landmarks(labeled, {}, {.k = 2});
  const caos::LandmarkPredictor predictor(model, {.alpha = caos::Miscoverage::parse("0.5")});
  const SourcePoints& proposal = outcomes.sources[0];
  EXPECT_EQ(proposal.source, PointSource::proposal);
  for (std::size_t x = 0; x < test.test.size(); ++x) {
    const std::size_t i = test.test[x];
    const auto predictions =
        predictor.predict(images.patches.images[i].view(), caos::padding_of(images.frames[i]),
                          images.frames[i].grid, &images.gray[i]);
    for (std::size_t t = 0; t < landmarks.size(); ++t) {
      EXPECT_TRUE(predictions[t].refined);
      const Point point = caos::proposed_point(predictions[t], images.frames[i]);
      const Point truth = images.points(i, landmarks[t]);
      EXPECT_NEAR(proposal.points(x, t).x, point.x, 0.0005001);
      EXPECT_NEAR(proposal.points(x, t).y, point.y, 0.0005001);
      if (images.patches.labels(i, landmarks[t]) == missing_label) {
        EXPECT_TRUE(std::isnan(proposal.errors(x, t)));
      } else {
        EXPECT_NEAR(proposal.errors(x, t), std::hypot(point.x - truth.x, point.y - truth.y), 0.001);
      }
    }
  }
}

TEST(MeasuredPoints, HaveBaselinesFromTheLabeledImagesAlone) {
  const AnnotatedImages images = Example(2, {.images = 20, .any_size = true}).images();
  const PointTest test = half_and_half(images, {0, 1, 2});
  const PointOutcomes outcomes = measure_points(test, with_k(3));
  ASSERT_EQ(outcomes.sources.size(), 3);
  EXPECT_EQ(outcomes.sources[1].source, PointSource::nearest_image);
  EXPECT_EQ(outcomes.sources[2].source, PointSource::mean_position);
  const AnnotatedImages labeled = select(images, test.labeled);
  const caos::PointBaselines baselines(labeled);
  for (std::size_t x = 0; x < test.test.size(); ++x) {
    const std::size_t i = test.test[x];
    const auto nearest = baselines.nearest_image(images.gray[i], images.frames[i]);
    const auto mean = baselines.mean_position(images.frames[i]);
    for (std::size_t t = 0; t < 3; ++t) {
      EXPECT_EQ(outcomes.sources[1].points(x, t).x, nearest[t].x);
      EXPECT_EQ(outcomes.sources[2].points(x, t).y, mean[t].y);
    }
  }
}

TEST(MeasuredPoints, HaveNoNearestImageWithoutPixels) {
  const AnnotatedImages images = Example(3, {.images = 14, .pixels = false}).images();
  const PointOutcomes outcomes = measure_points(half_and_half(images, {0, 1}), with_k(2));
  ASSERT_EQ(outcomes.sources.size(), 2);
  EXPECT_EQ(outcomes.sources[1].source, PointSource::mean_position);
}

TEST(MeasuredPoints, KnowSubjectsAndTheTarget) {
  AnnotatedImages images = Example(4, {.images = 24}).images();
  for (std::size_t i = 0; i < images.size(); ++i) images.patches.subjects.push_back(i / 3);
  PointTestOptions options = with_k(2);
  const PointTest test = half_and_half(images, {0, 1, 2});
  EXPECT_TRUE(measure_points(test, options).over_subjects);
  EXPECT_EQ(measure_points(test, options).subjects, subjects_of(images.patches, test.test));
  options.target = ImageTarget::image;
  EXPECT_FALSE(measure_points(test, options).over_subjects);
}

TEST(MeasuredPoints, TellProgress) {
  const AnnotatedImages images = Example(5, {.images = 16}).images();
  PointTestOptions options = with_k(2);
  std::vector<std::size_t> told;
  options.progress = [&](std::size_t done, std::size_t total) {
    EXPECT_EQ(total, 8);
    told.push_back(done);
  };
  static_cast<void>(measure_points(half_and_half(images, {0}), options));
  EXPECT_EQ(told, range(1, 9));
}

TEST(MeasuredPoints, NeedLabeledImagesEnough) {
  const AnnotatedImages images = Example(6, {.images = 8}).images();
  caos::test::expect_error(
      [&] {
        (void)measure_points(half_and_half(images, {0, 1}), with_k(4));
      },
      caos::ErrorKind::invalid_input, {"k = 4"});
}

TEST(MeasuredPoints, AreTheSameOnAnyNumberOfProcesses) {
  for (const std::size_t count : {14U, 42U}) {
    const AnnotatedImages images = Example(7, {.images = count, .missing = 7}).images();
    const PointTest test = half_and_half(images, {0, 1, 2});
    const PointOutcomes alone = measure_points(test, with_k(2));
    for (const std::size_t size : {1U, 2U, 3U, 9U}) {
      thread_processes::run_well(size, [&](Communicator& processes) {
        PointTestOptions options = with_k(2);
        options.processes = &processes;
        if (processes.is_first()) {
          expect_same(measure_points(test, options), alone);
        } else {
          help_to_measure_points(options);
        }
      });
    }
  }
}

}  // namespace
