// Errors of proposed points and of the baselines on real data that are too large for the project;
// where they are not beside it, these tests are skipped.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <numeric>

#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/evaluation/landmark_splits.hpp"
#include "caos/landmarks/formats/landmark_file.hpp"
#include "caos/landmarks/points/point_error_text.hpp"
#include "caos/landmarks/points/point_measurement.hpp"
#include "tests/support/test_folders.hpp"

namespace caos {
namespace {

struct Dataset {
  std::string folder{};
  std::string images{};  ///< within it
  std::string working_size{};
};

/// Median, mean and 90 % quantile in pixels.
struct Expected {
  double median = 0;
  double mean = 0;
  double q90 = 0;
};

class SharedPoints : public testing::Test {
 protected:
  /// Over five half-half splits.
  [[nodiscard]] PointSummary summary(const Dataset& data) const {
    const std::filesystem::path folder = test::shared_folder() / "data" / data.folder;
    const std::string table = (folder / "landmarks.csv").string();
    PatchSourceOptions options;
    options.embed.working_size = vision::WorkingSize::parse(data.working_size);
    const AnnotatedImages images =
        embed_annotated(*open_patch_source(options, {}), (folder / data.images).string(),
                        landmarks::read_landmarks(table, {}), table, {});
    Indices all(images.patches.num_tasks());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<PointOutcomes> splits;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const LandmarkSplit split =
          draw_landmark_split(images.patches, default_split_sizes(images.size()), seed);
      splits.push_back(measure_points({.images = images,
                                       .labeled = split.labeled(),
                                       .test = split.test,
                                       .landmarks = all,
                                       .units = std::vector<ImageUnits>(images.size())},
                                      {}));
    }
    return summarize_points(splits, images.patches.tasks, {});
  }

  /// Within a tenth of what an independent program measured over other splits.
  static void expect_about(const SourceErrors& source, const Expected& expected) {
    const PointDistances& found = source.all.distances[0].value();
    EXPECT_NEAR(found.median.value, expected.median, expected.median / 10);
    EXPECT_NEAR(found.mean.value, expected.mean, expected.mean / 10);
    EXPECT_NEAR(found.q90.value, expected.q90, expected.q90 / 10);
  }

  /// `most`: medians and means of proposals are at most these.
  void expect_baseline(const Dataset& data, const Expected& nearest, const Expected& most) const {
    if (!std::filesystem::exists(test::shared_folder() / "data" / data.folder)) {
      GTEST_SKIP() << "NOT TESTED: no " << data.folder << " in " << test::shared_folder()
                   << "; set CAOS_SHARED";
    }
    const PointSummary found = summary(data);
    std::cout << data.folder << " over 5 splits\n" << text_of(found);
    ASSERT_EQ(found.sources.size(), 3);
    EXPECT_EQ(found.sources[1].source, PointSource::nearest_image);
    expect_about(found.sources[1], nearest);
    const auto median = [&](std::size_t s) {
      return found.sources[s].all.distances[0]->median.value;
    };
    EXPECT_LE(median(0), most.median);
    EXPECT_LE(found.sources[0].all.distances[0]->mean.value, most.mean);
    EXPECT_LT(median(1), median(2));
  }
};

TEST_F(SharedPoints, BaselinesOfTheWingsAreAsKnown) {
  expect_baseline({"landmarks/droso640", "images", "512"}, {.median = 10, .mean = 12, .q90 = 24},
                  {.median = 2.0, .mean = 2.4});
}

TEST_F(SharedPoints, BaselinesOfTheMouseAreAsKnown) {
  expect_baseline({"landmarks/mirrormouse", "labeled-data", "512"},
                  {.median = 18, .mean = 30, .q90 = 74}, {.median = 5.3, .mean = 25});
}

}  // namespace
}  // namespace caos
