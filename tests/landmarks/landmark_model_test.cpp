#include "caos/landmarks/landmark_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "tests/landmarks/random_annotations.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos {
namespace {

using test::draw_annotated;
using test::draw_image;
using test::expect_error;
using test::grid;
using test::TempDir;

struct Setting {
  PatchScore score;
  bool subjects;
};

class Models : public testing::TestWithParam<Setting> {
 protected:
  Models() : rng_(5), images_(draw_annotated(16, GetParam().subjects, rng_)) {}

  [[nodiscard]] LandmarkModel model() const {
    return calibrate_landmarks(images_, {.identity = "drawn"},
                               {.k = 3, .score = GetParam().score, .threads = 1});
  }

  /// Full CAOS does not go with positions.
  [[nodiscard]] static std::vector<Method> methods() {
    if (GetParam().score.reads_positions()) return {Method::caos};
    return {Method::caos, Method::full_caos};
  }

  Rng rng_;
  AnnotatedImages images_;
};

void expect_same(const std::vector<LandmarkPrediction>& a,
                 const std::vector<LandmarkPrediction>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t t = 0; t < a.size(); ++t) {
    EXPECT_EQ(a[t].set, b[t].set);
    EXPECT_EQ(a[t].p_values, b[t].p_values);
    EXPECT_EQ(a[t].proposal, b[t].proposal);
    EXPECT_EQ(a[t].proposal_p_value, b[t].proposal_p_value);
    EXPECT_EQ(a[t].score_over_threshold, b[t].score_over_threshold);
    EXPECT_EQ(a[t].offset.x, b[t].offset.x);
    EXPECT_EQ(a[t].supporting_references, b[t].supporting_references);
  }
}

TEST_P(Models, PredictTheSameOnceWrittenAndRead) {
  const TempDir folder;
  const LandmarkModel before = model();
  write_landmark_model(folder / "model.caos", before);
  const LandmarkModel after = read_landmark_model(folder / "model.caos");
  EXPECT_EQ(after.embedding, before.embedding);
  EXPECT_EQ(after.images, before.images);
  EXPECT_EQ(after.labeled.tasks, before.labeled.tasks);
  EXPECT_EQ(after.by_subject(), GetParam().subjects);
  for (const Method method : methods()) {
    const LandmarkPredictOptions options{.alpha = Miscoverage::parse("0.2"), .method = method};
    const Matrix<float> image = draw_image(rng_);
    expect_same(LandmarkPredictor(before, options).predict(image.view(), {}, grid),
                LandmarkPredictor(after, options).predict(image.view(), {}, grid));
  }
}

TEST_P(Models, AreTheSameBytesInMemoryAndOnDisk) {
  const TempDir folder;
  const LandmarkModel written = model();
  write_landmark_model(folder / "model.caos", written);
  const auto file = io::MappedFile::open(folder / "model.caos");
  const std::vector<std::byte> bytes = landmark_model_bytes(written);
  EXPECT_TRUE(std::ranges::equal(bytes, file.bytes()));
  const auto read =
      read_landmark_model(io::SafetensorsFile(io::MappedFile::of_bytes(bytes, "bytes")));
  EXPECT_EQ(landmark_model_bytes(read), bytes);
}

TEST_P(Models, GiveTheSetsOfLargerAlphasFromThoseOfASmallOne) {
  const LandmarkModel calibrated = model();
  const auto shared = LandmarkPredictor::shared_part(calibrated);
  const Matrix<float> image = draw_image(rng_);
  for (const Method method : methods()) {
    for (const bool simultaneous : {false, true}) {
      if (simultaneous && method == Method::full_caos) continue;
      for (const RankRule rule : {RankRule::every_label, RankRule::clip}) {
        LandmarkPredictOptions options{.alpha = Miscoverage::parse("0.01"),
                                       .method = method,
                                       .simultaneous = simultaneous,
                                       .rule = rule};
        const LandmarkPredictor small(calibrated, options, *shared);
        const auto base = small.predict(image.view(), {}, grid);
        for (const char* text : {"0.01", "0.0625", "0.2", "0.5", "0.95"}) {
          options.alpha = Miscoverage::parse(text);
          const LandmarkPredictor large(calibrated, options);
          std::vector<LandmarkPrediction> narrowed;
          for (std::size_t t = 0; t < base.size(); ++t) {
            narrowed.push_back(small.narrowed(t, base[t], options.alpha));
            EXPECT_EQ(small.guarantee(t, options.alpha).text(), large.guarantee(t).text());
            EXPECT_EQ(small.is_feasible(t, options.alpha), large.is_feasible(t));
          }
          expect_same(narrowed, large.predict(image.view(), {}, grid));
        }
      }
    }
  }
}

TEST_P(Models, SayWhichLandmarksHaveTooFewImages) {
  const LandmarkModel calibrated = model();
  const LandmarkPredictor predictor(calibrated, {.alpha = Miscoverage::parse("0.2")});
  EXPECT_FALSE(predictor.feasibility_warning(Miscoverage::parse("0.2")));
  const auto warning = predictor.feasibility_warning(Miscoverage::parse("0.01"));
  ASSERT_TRUE(warning);
  const std::string what = GetParam().subjects ? "subjects" : "images";
  EXPECT_NE(warning->find("alpha 0.01: 99 " + what +
                          " are needed to calibrate a landmark; 3 have at most"),
            std::string::npos);
  EXPECT_NE(warning->find("nose), so their regions are the whole image"), std::string::npos);
}

TEST_P(Models, HaveFullSetsWithinTheirCaosSets) {
  const LandmarkModel calibrated = model();
  if (calibrated.score.reads_positions()) {
    expect_error(
        [&] {
          LandmarkPredictor(calibrated,
                            {.alpha = Miscoverage::parse("0.3"), .method = Method::full_caos});
        },
        ErrorKind::invalid_input, {"full-caos is not available with the score geometry"});
    return;
  }
  const LandmarkPredictor caos(calibrated, {.alpha = Miscoverage::parse("0.3")});
  const LandmarkPredictor full(calibrated,
                               {.alpha = Miscoverage::parse("0.3"), .method = Method::full_caos});
  for (int i = 0; i < 20; ++i) {
    const Matrix<float> image = draw_image(rng_);
    const auto larger = caos.predict(image.view(), {}, grid);
    const auto smaller = full.predict(image.view(), {}, grid);
    for (std::size_t t = 0; t < larger.size(); ++t) {
      EXPECT_TRUE(std::ranges::includes(larger[t].set, smaller[t].set));
      for (const double p : smaller[t].p_values) EXPECT_GT(p, 0.3);
    }
  }
}

TEST_P(Models, NeverPointWhereNoLandmarkCanBe) {
  const LandmarkModel calibrated = model();
  const std::vector<Label> padding = {3, 7, 11};
  // The first alpha is infeasible: every patch conforms.
  for (const char* alpha : {"0.01", "0.2"}) {
    for (const bool simultaneous : {false, true}) {
      const LandmarkPredictor predictor(
          calibrated, {.alpha = Miscoverage::parse(alpha), .simultaneous = simultaneous});
      for (const auto& prediction : predictor.predict(draw_image(rng_).view(), padding, grid)) {
        EXPECT_EQ(prediction.set.size(), prediction.p_values.size());
        for (const Label y : padding) {
          EXPECT_NE(prediction.proposal, y);
          EXPECT_FALSE(std::ranges::binary_search(prediction.set, y));
        }
        if (predictor.is_feasible(0)) continue;
        EXPECT_EQ(prediction.set.size(), grid.size() - 3);
      }
    }
  }
}

TEST_P(Models, ProposeWhatTheirSupportingReferencesMarked) {
  const LandmarkModel calibrated = model();
  const LandmarkPredictor predictor(calibrated, {.alpha = Miscoverage::parse("0.2")});
  for (const auto& prediction : predictor.predict(draw_image(rng_).view(), {}, grid)) {
    EXPECT_EQ(prediction.supporting_references.size(), 3U);
    EXPECT_GE(prediction.offset.x, 0);
    EXPECT_LE(prediction.offset.x, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, Models,
                         testing::Values(Setting{{}, false}, Setting{{}, true},
                                         Setting{{PatchScore::Kind::margin, 3}, false},
                                         Setting{{PatchScore::Kind::softmax, 0.1}, true},
                                         Setting{{PatchScore::Kind::geometry, 0}, false},
                                         Setting{{PatchScore::Kind::geometry, 0}, true}));

TEST(LandmarkModel, WithGeometryNeedsGridsThatFit) {
  Rng rng(1);
  const AnnotatedImages images = draw_annotated(10, false, rng);
  const LandmarkCalibrateOptions options{.score = {PatchScore::Kind::geometry, 0}, .threads = 1};
  LandmarkExamples examples = examples_of(images, {});
  examples.grid_columns.clear();
  expect_error([&] { static_cast<void>(calibrate_landmarks(examples, options)); },
               ErrorKind::invalid_input, {"give the grid"});
  examples.grid_columns.assign(10, 5);
  expect_error([&] { static_cast<void>(calibrate_landmarks(examples, options)); },
               ErrorKind::invalid_input, {"not a number of rows of 5"});
  const LandmarkModel model = calibrate_landmarks(images, {}, options);
  const LandmarkPredictor predictor(model, {.alpha = Miscoverage::parse("0.2")});
  expect_error([&] { static_cast<void>(predictor.predict(images.patches.images[0].view())); },
               ErrorKind::invalid_input, {"12 patches; a grid of 0 x 0"});
}

TEST(LandmarkModel, KnowsAnImageOfItsOwnAgain) {
  Rng rng(1);
  const AnnotatedImages images = draw_annotated(10, false, rng);
  const LandmarkModel model = calibrate_landmarks(images, {}, {.k = 1, .score = {}, .threads = 1});
  const LandmarkPredictor predictor(model, {.alpha = Miscoverage::parse("0.2")});
  const auto predictions = predictor.predict(images.patches.images[5].view());
  for (std::size_t t = 0; t < 3; ++t) {
    EXPECT_EQ(static_cast<std::int64_t>(predictions[t].proposal), images.patches.labels(5, t));
    EXPECT_EQ(predictions[t].supporting_references, std::vector<std::size_t>{5});
    const vision::Point corner = images.frames[5].grid.corner(predictions[t].proposal);
    EXPECT_NEAR(corner.x + 16 * predictions[t].offset.x, images.points(5, t).x, 1e-9);
    EXPECT_NEAR(corner.y + 16 * predictions[t].offset.y, images.points(5, t).y, 1e-9);
  }
}

TEST(LandmarkModel, LeavesOutLandmarksThatTooFewImagesHave) {
  Rng rng(2);
  AnnotatedImages images = draw_annotated(8, false, rng);
  for (std::size_t i = 0; i < 6; ++i) images.patches.labels(i, 2) = missing_label;
  const LandmarkModel model = calibrate_landmarks(images, {}, {.k = 3, .score = {}, .threads = 1});
  EXPECT_EQ(model.left_out, std::vector<std::string>{"nose"});
  EXPECT_EQ(model.calibrations.size(), 2U);
}

}  // namespace
}  // namespace caos
