#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"
#include "caos/landmarks/embedding/patch_exchange.hpp"
#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/rng.hpp"
#include "caos/vision/codecs/encode.hpp"
#include "caos/vision/drawing/synthetic_face.hpp"
#include "tests/landmarks/embedding/counting_backbone.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos {
namespace {

using landmarks::Annotation;
using landmarks::Landmark;
using landmarks::LandmarkTable;
using test::CountingBackbone;
using test::expect_error;
using vision::Rotation;

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Drawn faces, each rotated by an angle of its own, with four of their landmarks.
class RotatedFaces {
 public:
  RotatedFaces(std::size_t count, double most_degrees, std::uint64_t seed) {
    Rng rng(seed);
    for (std::size_t i = 0; i < count; ++i) {
      const vision::DrawnFace face = vision::draw_face(seed, i);
      const vision::ImageSize size{face.image.width, face.image.height};
      const double degrees = (2 * rng.uniform() - 1) * most_degrees;
      const std::string name = "face" + std::to_string(100 + i) + ".png";
      const vision::Image rotated = vision::rotated_image(face.image, size, degrees);
      dir_.write(name, text_of(vision::encode_png(rotated)));
      Annotation annotation{.image = name};
      for (std::size_t t = 0; t < face.landmarks.size(); t += 12) {
        const vision::Point at = vision::rotated_point(face.landmarks[t].position, size, degrees);
        annotation.landmarks.push_back({.name = face.landmarks[t].name, .x = at.x, .y = at.y});
      }
      table_.annotations.push_back(std::move(annotation));
    }
  }

  [[nodiscard]] AnnotatedImages embed(const std::shared_ptr<const vision::Backbone>& backbone,
                                      Rotation rotation, bool keep_all = false,
                                      CacheFolder cache = {}) const {
    EmbedOptions options{.rotation = rotation, .cache = std::move(cache), .threads = 2};
    return embed_annotated(*make_patch_source(backbone, options), dir_ / "", table_, "points.csv",
                           {.keep_all_rotated = keep_all});
  }

  [[nodiscard]] std::string folder() const { return dir_ / ""; }

 private:
  test::TempDir dir_;
  LandmarkTable table_;
};

std::shared_ptr<CountingBackbone> counting(bool is_parallel = false) {
  return std::make_shared<CountingBackbone>(
      CountingBackbone::Options{.batch_size = is_parallel ? 4U : 1U, .is_parallel = is_parallel});
}

void expect_same_rows(const Matrix<float>& a, const Matrix<float>& b) {
  ASSERT_EQ(a.rows(), b.rows());
  for (std::size_t r = 0; r < a.rows(); ++r) EXPECT_TRUE(std::ranges::equal(a.row(r), b.row(r)));
}

TEST(RotatedImages, HoldTheirLandmarksWhereTheseWereRotatedTo) {
  const RotatedFaces faces(3, 0, 4);
  const AnnotatedImages images = faces.embed(counting(), Rotation::small, true);
  ASSERT_EQ(images.patches.rotations.size(), 4U);
  for (std::size_t r = 0; r < 4; ++r) {
    const RotatedPatches& rotated = images.patches.rotations[r];
    for (std::size_t i = 0; i < images.size(); ++i) {
      EXPECT_EQ(rotated.images[i].rows(), rotated.grids[i].size());
      for (std::size_t t = 0; t < images.patches.num_tasks(); ++t) {
        const vision::Point expected = vision::rotated_point(images.points(i, t), {178, 218},
                                                             vision::angles_of(Rotation::small)[r]);
        const vision::Point found = images.patches.position(i, t, r + 1);
        EXPECT_NEAR(16 * found.x, expected.x, 1e-9);
        EXPECT_NEAR(16 * found.y, expected.y, 1e-9);
      }
    }
  }
}

TEST(RotatedImages, KeepOnlyLandmarksUnlessAllPatchesAreAskedFor) {
  const RotatedFaces faces(3, 0, 4);
  const AnnotatedImages all = faces.embed(counting(), Rotation::any, true);
  const AnnotatedImages some = faces.embed(counting(), Rotation::any);
  const ReferencePatches of_all = reference_patches(all.patches);
  const ReferencePatches of_some = reference_patches(some.patches);
  ASSERT_EQ(of_some.rotated.size(), 11U);
  for (std::size_t r = 0; r < 11; ++r) {
    expect_same_rows(of_some.rotated[r], of_all.rotated[r]);
    EXPECT_TRUE(some.patches.rotations[r].grids.empty());
    EXPECT_EQ(some.patches.rotations[r].images[0].rows(), some.patches.num_tasks());
  }
}

TEST(RotatedImages, AreTheSameFromTheCacheAndInBatches) {
  const RotatedFaces faces(5, 20, 4);
  const test::TempDir folder;
  const auto backbone = counting();
  const AnnotatedImages before = faces.embed(backbone, Rotation::small);
  const AnnotatedImages kept =
      faces.embed(backbone, Rotation::small, false, cache_folder(folder / "cache"));
  const std::size_t computed = backbone->num_images();
  EXPECT_EQ(computed, 2U * 5U * 5U);
  const AnnotatedImages cached =
      faces.embed(backbone, Rotation::small, false, cache_folder(folder / "cache"));
  EXPECT_EQ(backbone->num_images(), computed);
  const AnnotatedImages batched = faces.embed(counting(true), Rotation::small);
  for (const AnnotatedImages* other : {&kept, &cached, &batched}) {
    for (std::size_t r = 0; r < 4; ++r) {
      for (std::size_t i = 0; i < 5; ++i) {
        expect_same_rows(other->patches.rotations[r].images[i],
                         before.patches.rotations[r].images[i]);
      }
    }
  }
}

TEST(RotatedImages, TravelBetweenProcesses) {
  const RotatedFaces faces(2, 20, 4);
  const AnnotatedImages images = faces.embed(counting(), Rotation::small, true);
  dist::Packer packer;
  pack(packer, images.patches);
  const dist::Bytes bytes = packer.take();
  dist::Unpacker unpacker(bytes);
  const LabeledPatches found = unpack_labeled(unpacker);
  ASSERT_EQ(found.rotations.size(), 4U);
  for (std::size_t r = 0; r < 4; ++r) {
    expect_same_rows(found.rotations[r].images[1], images.patches.rotations[r].images[1]);
    EXPECT_EQ(found.rotations[r].labels(1, 2), images.patches.rotations[r].labels(1, 2));
    EXPECT_EQ(found.rotations[r].grids, images.patches.rotations[r].grids);
    EXPECT_EQ(found.offset(1, 2, 0).x, images.patches.offset(1, 2, 0).x);
  }
}

/// Takes images of one size only, as many ONNX models do.
class OneSize final : public vision::Backbone {
 public:
  [[nodiscard]] std::string identity() const override { return "one size"; }
  [[nodiscard]] std::size_t patch_size() const override { return 16; }
  [[nodiscard]] std::size_t dimension() const override { return 4; }
  [[nodiscard]] std::size_t batch_size() const override { return 1; }
  [[nodiscard]] bool is_parallel() const override { return false; }
  [[nodiscard]] vision::PatchGrid grid_of(std::size_t width, std::size_t height) const override {
    require(width == 178 && height == 218, ErrorKind::invalid_input, "one size: 178 x 218 only");
    return vision::grid_over(width, height, 16);
  }
  [[nodiscard]] std::vector<Matrix<float>> embed(
      std::span<const vision::Image> images) const override {
    std::vector<Matrix<float>> result;
    for (const vision::Image& image : images) result.push_back(CountingBackbone::describe(image));
    return result;
  }
};

TEST(RotatedImages, NeedABackboneThatTakesThem) {
  const RotatedFaces faces(2, 0, 4);
  const AnnotatedImages images = faces.embed(std::make_shared<OneSize>(), Rotation::small);
  EXPECT_EQ(images.size(), 0U);
  ASSERT_EQ(images.failed.size(), 2U);
  EXPECT_THAT(images.failed[0].reason, testing::AllOf(testing::HasSubstr("178 x 218 only"),
                                                      testing::HasSubstr("--rotation")));
}

TEST(RotatedImages, DoNotGoWithALocationPrior) {
  const EmbedOptions options{.location = vision::LocationPrior{}, .rotation = Rotation::small};
  expect_error(
      [&] {
        const std::vector<std::string> files;
        static_cast<void>(stream_images(*counting(), files, options, in_order([](auto&&) {})));
      },
      ErrorKind::invalid_input, {"--rotation"});
}

/// A written model predicts as the one that was written.
TEST(RotatedImages, AreReferencesOfModelsOnceWrittenAndRead) {
  const RotatedFaces faces(9, 40, 6);
  const auto backbone = std::shared_ptr<const vision::Backbone>(open_backbone(default_backbone));
  const test::TempDir folder;
  for (const char* score : {"cosine", "margin", "geometry"}) {
    const PatchScore kind = choose_score(score, default_backbone).score;
    const AnnotatedImages images = faces.embed(backbone, Rotation::any, kind.reads_positions());
    EmbeddingRecord record{.identity = images.identity};
    record.rotation = Rotation::any;
    const LandmarkModel before =
        calibrate_landmarks(images, record, {.k = 2, .score = kind, .threads = 2});
    EXPECT_NE(before.refiner, nullptr);
    write_landmark_model(folder / "model.caos", before);
    const LandmarkModel after = read_landmark_model(folder / "model.caos");
    EXPECT_EQ(after.embedding, before.embedding);
    const LandmarkPredictOptions options{.alpha = Miscoverage::parse("0.3")};
    const LandmarkPredictor one(before, options);
    const LandmarkPredictor other(after, options);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto expected = one.predict(images.patches.images[i].view(), {}, images.frames[i].grid);
      const auto found = other.predict(images.patches.images[i].view(), {}, images.frames[i].grid);
      for (std::size_t t = 0; t < expected.size(); ++t) {
        EXPECT_EQ(found[t].set, expected[t].set);
        EXPECT_EQ(found[t].proposal_score, expected[t].proposal_score);
        EXPECT_EQ(found[t].offset.x, expected[t].offset.x);
        EXPECT_EQ(found[t].offset.y, expected[t].offset.y);
      }
    }
    expect_error(
        [&] {
          static_cast<void>(LandmarkPredictor(
              before, {.alpha = Miscoverage::parse("0.3"), .method = Method::full_caos}));
        },
        ErrorKind::invalid_input, {"full-caos is not available"});
  }
}

/// Faces at random angles are exchangeable: over random divisions of them, coverage is at least
/// 1 - alpha, within three standard errors of the divisions; and rotated references make the sets
/// smaller.
TEST(RotatedImages, CoverAsOftenAsGuaranteedWithSmallerSets) {
  constexpr double alpha = 0.2;
  constexpr std::size_t divisions = 80;
  const RotatedFaces faces(45, 30, 11);
  const auto backbone = std::shared_ptr<const vision::Backbone>(open_backbone(default_backbone));
  double sizes[2]{};
  for (const Rotation rotation : {Rotation::none, Rotation::small}) {
    const AnnotatedImages images = faces.embed(backbone, rotation);
    LandmarkEvaluateOptions options;
    options.methods = {Method::caos};
    options.alphas = {Miscoverage::parse("0.2")};
    options.k = 2;
    options.threads = 2;
    double sum = 0;
    double squares = 0;
    for (std::size_t d = 0; d < divisions; ++d) {
      Rng rng = Rng::stream(77, d);
      const split::Partition parts = split::draw(45, 19, rng);
      const LabeledPatches labeled = select(images.patches, parts.references);
      const TestPatches test{
          .image = [&](std::size_t x) { return images.patches.images[parts.calibration[x]]; },
          .labels = select(images.patches.labels, parts.calibration)};
      const auto method = evaluate_landmarks(labeled, test, options).methods.at(0);
      const double coverage = method.summary->coverage.mean;
      sum += coverage;
      squares += coverage * coverage;
      sizes[rotation == Rotation::none ? 0 : 1] += method.summary->mean_set_size.mean / divisions;
    }
    const double mean = sum / divisions;
    const double error = std::sqrt((squares / divisions - mean * mean) / divisions);
    EXPECT_GE(mean, 1 - alpha - 3 * error) << vision::rotation_name(rotation);
  }
  EXPECT_LT(sizes[1], 0.8 * sizes[0]);
}

}  // namespace
}  // namespace caos
