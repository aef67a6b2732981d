#include "caos/landmarks/predict_stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "caos/core/pipeline.hpp"
#include "caos/rng.hpp"
#include "tests/landmarks/random_annotations.hpp"

namespace caos {
namespace {

using test::draw_image;
using test::grid;
using testing::ElementsAre;
using testing::HasSubstr;

/// The image ends before the last column of patches.
constexpr vision::Frame frame{.width = 48,
                              .height = 48,
                              .scaled_width = 48,
                              .scaled_height = 48,
                              .working_width = 64,
                              .working_height = 48,
                              .grid = grid};

LandmarkModel draw_model(Rng& rng) {
  AnnotatedImages images;
  images.patches.tasks = {"eye", "nose"};
  images.patches.labels = Matrix<std::int64_t>(0, 2);
  images.points = Matrix<vision::Point>(0, 2);
  for (std::size_t i = 0; i < 12; ++i) {
    images.names.push_back("image " + std::to_string(i));
    images.files.push_back(images.names.back());
    images.frames.push_back(frame);
    images.patches.images.push_back(draw_image(rng, 5));
    const std::vector<vision::Point> points = {{rng.uniform() * 47, rng.uniform() * 47},
                                               {rng.uniform() * 47, rng.uniform() * 47}};
    images.patches.labels.push_row(
        std::vector{static_cast<std::int64_t>(grid.patch_at(points[0])),
                    static_cast<std::int64_t>(grid.patch_at(points[1]))});
    images.points.push_row(points);
  }
  return calibrate_landmarks(images, {.identity = "drawn"}, {.k = 2, .score = {}, .threads = 1});
}

/// Has the embeddings of images already. Files whose name begins with "bad" cannot be used.
class ReadySource final : public PatchSource {
 public:
  ReadySource(std::vector<Matrix<float>> images, std::size_t threads)
      : images_(std::move(images)), threads_(threads) {}

  [[nodiscard]] std::string identity() const override { return "ready"; }
  [[nodiscard]] std::vector<FailedImage> stream(std::span<const std::string> files,
                                                const ImageVisitor& visitor) const override {
    std::vector<EmbeddedImage> images(files.size());
    std::vector<std::function<void()>> in_order(files.size());
    std::vector<FailedImage> failed;
    const auto is_bad = [&](std::size_t i) { return files[i].starts_with("bad"); };
    run_pipeline(files.size(), threads_,
                 {.read =
                      [&](std::size_t i) {
                        images[i] = {i, frame, images_[i]};
                      },
                  .steps = {{[&](std::size_t i) {
                    if (!is_bad(i)) in_order[i] = visitor(std::move(images[i]));
                  }}},
                  .take =
                      [&](std::size_t i) {
                        is_bad(i) ? failed.push_back({i, "bad"}) : in_order[i]();
                      },
                  .window = 6});
    return failed;
  }

 private:
  std::vector<Matrix<float>> images_;
  std::size_t threads_;
};

class PredictStream : public testing::Test {
 protected:
  PredictStream() : rng_(3), model_(draw_model(rng_)) {
    for (std::size_t i = 0; i < 40; ++i) {
      images_.push_back(draw_image(rng_, i == 11 ? 7 : 5));  // one of another dimension
      files_.push_back((i == 20 ? "bad " : "file ") + std::to_string(i));
    }
  }

  Rng rng_;
  LandmarkModel model_;
  LandmarkPredictor predictor_{model_, {.alpha = Miscoverage::parse("0.2")}};
  PredictorOf always_ = [this](std::size_t) -> const LandmarkPredictor& { return predictor_; };
  std::vector<Matrix<float>> images_;
  std::vector<std::string> files_;
};

TEST_F(PredictStream, HandsOnWhatBecameOfEachImageInOrder) {
  const std::vector<Label> padding = {3, 7, 11};
  for (const std::size_t threads : {1U, 2U, 5U}) {
    std::size_t next = 0;
    const auto failed = predict_stream(
        ReadySource(images_, threads), files_, always_,
        [&](EmbeddedImage&& image, std::vector<LandmarkPrediction>&& landmarks) {
          EXPECT_EQ(image.patches.rows(), 0U);
          return [&, index = image.index, set = landmarks[1].set] {
            while (next == 11 || next == 20) ++next;
            EXPECT_EQ(index, next++);
            EXPECT_EQ(set, predictor_.predict(images_[index].view(), padding)[1].set);
          };
        });
    EXPECT_EQ(next, 40U);
    ASSERT_EQ(failed.size(), 2U);
    EXPECT_EQ(failed[0].index, 11U);
    EXPECT_THAT(failed[0].reason, HasSubstr("file 11: the image's embeddings have another"));
    EXPECT_EQ(failed[1].index, 20U);
  }
}

TEST_F(PredictStream, ThrowsWhatTheEarliestImageThrew) {
  std::vector<std::size_t> taken;
  const auto run = [&] {
    (void)predict_stream(ReadySource(images_, 4), files_, always_,
                         [&](EmbeddedImage&& image, std::vector<LandmarkPrediction>&&) {
                           if (image.index >= 3)
                             throw std::runtime_error(std::to_string(image.index));
                           return [&, index = image.index] { taken.push_back(index); };
                         });
  };
  EXPECT_THAT(run, testing::ThrowsMessage<std::runtime_error>("3"));
  EXPECT_THAT(taken, ElementsAre(0U, 1U, 2U));
}

}  // namespace
}  // namespace caos
