// What files of landmark models keep, by version.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>

#include "caos/landmarks/landmark_model.hpp"
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

TEST(LandmarkModel, WithALabelThatIsNotAPatchIsRefused) {
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
