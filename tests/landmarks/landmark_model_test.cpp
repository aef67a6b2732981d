#include "caos/landmarks/landmark_model.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos {
namespace {

using test::expect_error;
using test::TempDir;

constexpr std::size_t patches_each = 12;
constexpr vision::PatchGrid grid{.patch_size = 16, .columns = 4, .rows = 3};

Matrix<float> draw_image(Rng& rng) {
  Matrix<float> image(patches_each, 6);
  for (std::size_t p = 0; p < patches_each; ++p) {
    for (float& value : image.row(p)) value = static_cast<float>(rng.uniform()) + 0.01F;
  }
  return unit_rows(image.view(), "image");
}

/// Images on a grid of 4 x 3 patches of 16 pixels, with three landmarks; some are missing.
AnnotatedImages draw_annotated(std::size_t count, bool subjects, Rng& rng) {
  AnnotatedImages images;
  images.patches.tasks = {"left eye", "right, \"eye\"", "nose"};
  images.patches.labels = Matrix<std::int64_t>(0, 3);
  images.points = Matrix<vision::Point>(0, 3);
  const vision::Frame frame{.width = 64,
                            .height = 48,
                            .scaled_width = 64,
                            .scaled_height = 48,
                            .working_width = 64,
                            .working_height = 48,
                            .grid = grid};
  for (std::size_t i = 0; i < count; ++i) {
    images.names.push_back("image " + std::to_string(i));
    images.files.push_back(images.names.back());
    images.frames.push_back(frame);
    images.patches.images.push_back(draw_image(rng));
    std::vector<vision::Point> points(3);
    std::vector<std::int64_t> labels(3);
    for (std::size_t t = 0; t < 3; ++t) {
      points[t] = {rng.uniform() * 63, rng.uniform() * 47};
      labels[t] = static_cast<std::int64_t>(frame.grid.patch_at(points[t]));
      if (t == 2 && i % 4 == 0) labels[t] = missing_label;
    }
    images.patches.labels.push_row(labels);
    images.points.push_row(points);
    if (subjects) images.patches.subjects.push_back(i / 2);
  }
  return images;
}

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
        EXPECT_EQ(prediction.set.size(), patches_each - 3);
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

std::string version_of(const std::vector<std::byte>& bytes) {
  return io::SafetensorsFile(io::MappedFile::of_bytes(bytes, "bytes")).metadata().at("version");
}

LandmarkModel read_again(const LandmarkModel& model) {
  return read_landmark_model(
      io::SafetensorsFile(io::MappedFile::of_bytes(landmark_model_bytes(model), "bytes")));
}

/// As version 0.1.0 embedded images.
const EmbeddingRecord first_embedding{.working_size = "", .precision = EmbeddingPrecision::float32};

TEST(LandmarkModel, HasVersionTwoOnlyWhereWeightsDiffer) {
  Rng rng(4);
  const LandmarkCalibrateOptions options{.k = 1, .score = {}, .threads = 1};
  const LandmarkModel plain =
      calibrate_landmarks(draw_annotated(10, false, rng), first_embedding, options);
  EXPECT_EQ(plain.target(), ImageTarget::any);
  EXPECT_EQ(version_of(landmark_model_bytes(plain)), "1");
  const LandmarkModel weighted =
      calibrate_landmarks(draw_annotated(10, true, rng), first_embedding, options);
  EXPECT_EQ(weighted.target(), ImageTarget::subject);
  EXPECT_EQ(version_of(landmark_model_bytes(weighted)), "2");
  EXPECT_EQ(read_again(weighted).weights(), weighted.weights());
  EXPECT_FALSE(weighted.weights().is_plain());
}

TEST(LandmarkModel, HasVersionThreeWithEmbeddingsInFloat16) {
  Rng rng(4);
  const LandmarkCalibrateOptions options{.k = 1, .score = {}, .threads = 1};
  for (const bool subjects : {false, true}) {
    const LandmarkModel model = calibrate_landmarks(draw_annotated(10, subjects, rng), {}, options);
    EXPECT_EQ(version_of(landmark_model_bytes(model)), "3");
    const LandmarkModel read = read_again(model);
    EXPECT_EQ(read.embedding.precision, EmbeddingPrecision::float16);
    EXPECT_EQ(read.embedding.working_size, "512");
    EXPECT_EQ(read.weights(), model.weights());
    EXPECT_EQ(size_and_precision(read.embedding), "longest side 512, float16");
  }
}

TEST(LandmarkModel, OfVersion010KeepsItsWorkingSizeAndPrecision) {
  Rng rng(4);
  const LandmarkModel model = calibrate_landmarks(draw_annotated(10, false, rng), first_embedding,
                                                  {.k = 1, .score = {}, .threads = 1});
  const auto bytes = landmark_model_bytes(model);
  const io::SafetensorsFile file(io::MappedFile::of_bytes(bytes, "bytes"));
  EXPECT_FALSE(file.metadata().contains("precision"));
  EXPECT_EQ(file.metadata().at("working_size"), "");
  const LandmarkModel read = read_again(model);
  EXPECT_EQ(read.embedding, model.embedding);
  EXPECT_EQ(size_and_precision(read.embedding),
            "longest side 1024 at 12 megapixels or more, float32");
}

// One labeled image of each subject: weights are plain, and the target is a new subject's image all
// the same.
TEST(LandmarkModel, IsForANewSubjectWhereSubjectsAreKnown) {
  Rng rng(4);
  AnnotatedImages images = draw_annotated(10, false, rng);
  const LandmarkCalibrateOptions options{.k = 1, .score = {}, .threads = 1};
  const LandmarkModel unknown = calibrate_landmarks(images, {}, options);
  images.patches.subjects_known = true;
  const LandmarkModel known = calibrate_landmarks(images, {}, options);
  EXPECT_EQ(unknown.target(), ImageTarget::any);
  EXPECT_EQ(known.target(), ImageTarget::subject);
  EXPECT_TRUE(known.weights().is_plain());
  EXPECT_EQ(read_again(unknown).target(), ImageTarget::any);
  EXPECT_EQ(read_again(known).target(), ImageTarget::subject);
}

// As version 1 was written: one image of each subject calibrates, and counts as one.
TEST(LandmarkModel, OfVersionOneKeepsItsMeaning) {
  Rng rng(5);
  LandmarkModel model = calibrate_landmarks(draw_annotated(12, true, rng), first_embedding,
                                            {.k = 1, .score = {}, .threads = 1});
  model.calibrating = {0, 3, 4, 7, 8, 11};
  for (std::size_t t = 0; t < model.calibrations.size(); ++t) {
    const PatchTask& task = model.references.tasks[t];
    Matrix<Score> nearest(0, 1);
    for (const std::size_t p : positions_in(task, model.calibrating)) {
      nearest.push_row(model.calibrations[t].nearest(p));
    }
    const std::size_t n = nearest.rows();
    model.calibrations[t] = {std::move(nearest), Grouping::none(n), task.images.size()};
  }
  EXPECT_EQ(version_of(landmark_model_bytes(model)), "1");
  const LandmarkModel read = read_again(model);
  EXPECT_EQ(read.target(), ImageTarget::subject);
  EXPECT_TRUE(read.weights().is_plain());
  for (std::size_t t = 0; t < model.calibrations.size(); ++t) {
    EXPECT_EQ(read.calibrations[t].group(0).units(), model.calibrations[t].size());
  }
}

TEST(LandmarkModel, KeepsItsPool) {
  Rng rng(6);
  const AnnotatedImages images = draw_annotated(10, true, rng);
  LandmarkExamples examples = examples_of(images, {});
  std::vector<std::string> names = images.names;
  std::vector<std::optional<std::string>> subjects;
  for (std::size_t i = 0; i < 10; ++i) subjects.push_back(fmt::format("s{}", i / 2));
  for (const char* more : {"a, \"b\"", "x", "y", "z"}) names.emplace_back(more);
  for (const char* more : {"s1", "new", "new", ""}) {
    subjects.push_back(*more == 0 ? std::nullopt : std::optional<std::string>(more));
  }
  examples.pool = labeled_pool({names, subjects}, images.names, images.patches.subjects);
  const LandmarkModel model =
      calibrate_landmarks(std::move(examples), {.k = 1, .score = {}, .threads = 1});
  EXPECT_EQ(model.target(), ImageTarget::image);
  const LandmarkModel read = read_again(model);
  EXPECT_EQ(read.pool, model.pool);
  for (const std::size_t size : {1U, 2U}) EXPECT_EQ(read.weights(size), model.weights(size));
  EXPECT_EQ(read.new_image("x").num_images, 2U);
  EXPECT_EQ(read.new_image("z").num_images, 1U);
  EXPECT_EQ(read.new_image("x").why_none, "");
  EXPECT_EQ(read.new_image("a, \"b\"").why_none, "the image's subject has labeled images");
  EXPECT_EQ(read.new_image("w").why_none, "the image is not in the pool");
  // The size of the new subject decides.
  const LandmarkPredictor small(read, {.alpha = Miscoverage::parse("0.3"), .new_images = 1});
  const LandmarkPredictor large(read, {.alpha = Miscoverage::parse("0.3"), .new_images = 2});
  const Matrix<float> image = draw_image(rng);
  for (std::size_t t = 0; t < 3; ++t) {
    EXPECT_LT(small.predict(image.view(), {}, grid)[t].proposal_p_value,
              large.predict(image.view(), {}, grid)[t].proposal_p_value + 1e-12);
  }
}

TEST(LandmarkModel, ThatIsDamagedOrAnotherFileIsRefused) {
  const TempDir folder;
  expect_error([&] { (void)read_landmark_model(folder.write("text", "no model at all")); },
               ErrorKind::bad_format, {"text"});
  io::write_safetensors(folder / "other", {{"format", "caos-calibration"}}, {});
  expect_error([&] { (void)read_landmark_model(folder / "other"); }, ErrorKind::bad_format,
               {"other", "landmark"});
}

TEST(LandmarkModel, WithALabelOutsideOfThePatchesIsRefused) {
  Rng rng(3);
  LandmarkModel model =
      calibrate_landmarks(draw_annotated(8, false, rng), {}, {.k = 1, .score = {}, .threads = 1});
  const TempDir folder;
  for (const std::int64_t label : {std::int64_t{-2}, std::int64_t{1} << 60}) {
    model.labeled.labels(0, 0) = label;
    write_landmark_model(folder / "model", model);
    expect_error([&] { (void)read_landmark_model(folder / "model"); }, ErrorKind::bad_format,
                 {"model", "not a patch"});
  }
}

}  // namespace
}  // namespace caos
