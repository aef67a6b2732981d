#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "caos/io/mapped_file.hpp"
#include "caos/io/write_whole.hpp"
#include "caos/landmarks.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/formats/landmark_file.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/landmarks/large_regions.hpp"
#include "caos/landmarks/points/proposed_point.hpp"
#include "caos/vision/codecs/decode.hpp"
#include "caos/vision/codecs/encode.hpp"
#include "caos/vision/drawing/synthetic_face.hpp"
#include "caos/vision/resample.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos {
namespace {

using test::expect_error;
using testing::ElementsAre;

constexpr std::size_t num_labeled = 8;
constexpr std::size_t num_new = 3;

/// The mean color of each patch of 16 pixels, and a constant.
class MeanColor : public vision::Backbone {
 public:
  [[nodiscard]] std::string identity() const override { return "mean color"; }
  [[nodiscard]] std::size_t patch_size() const override { return 16; }
  [[nodiscard]] std::size_t dimension() const override { return 4; }
  [[nodiscard]] std::size_t batch_size() const override { return 1; }
  [[nodiscard]] bool is_parallel() const override { return false; }
  [[nodiscard]] vision::PatchGrid grid_of(std::size_t width, std::size_t height) const override {
    return vision::grid_over(width, height, 16);
  }
  [[nodiscard]] std::vector<Matrix<float>> embed(
      std::span<const vision::Image> images) const override {
    std::vector<Matrix<float>> all;
    for (const vision::Image& image : images) {
      const vision::PatchGrid grid = grid_of(image.width, image.height);
      Matrix<float> patches(grid.size(), 4, 1);
      for (std::size_t p = 0; p < image.width * image.height; ++p) {
        const vision::Point at{static_cast<double>(p % image.width),
                               static_cast<double>(p / image.width)};
        for (std::size_t c = 0; c < 3; ++c) {
          patches(grid.patch_at(at), c) += static_cast<float>(image.rgb[3 * p + c]) / 256;
        }
      }
      all.push_back(std::move(patches));
    }
    return all;
  }
};

/// Synthetic faces with three landmarks; the first `num_labeled` are labeled, the others new.
class Finder : public testing::Test {
 protected:
  Finder() {
    std::filesystem::create_directory(dir_ / "labeled");
    std::filesystem::create_directory(dir_ / "new");
    std::string labeled = "image,landmark,x,y\n";
    std::string test = labeled;
    for (std::size_t i = 0; i < num_labeled + num_new; ++i) {
      const bool is_new = i >= num_labeled;
      const std::string name = std::to_string(i) + ".png";
      const vision::DrawnFace face = vision::draw_face(3, i);
      const auto bytes = vision::encode_png(face.image);
      dir_.write((is_new ? "new/" : "labeled/") + name,
                 {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      if (is_new) files_.push_back(dir_ / ("new/" + name));
      for (std::size_t t = 0; t < 3; ++t) {
        const vision::NamedPoint& point = face.landmarks[10 * t];
        (is_new ? test : labeled) += name + "," + point.name + "," +
                                     std::to_string(point.position.x) + "," +
                                     std::to_string(point.position.y) + "\n";
      }
    }
    dir_.write("labeled.csv", labeled);
    dir_.write("new.csv", test);
  }

  [[nodiscard]] LandmarkFinder calibrated(const LandmarkFinderOptions& options = {
                                              .score = "cosine"}) const {
    return LandmarkFinder::calibrate(dir_ / "labeled", dir_ / "labeled.csv", options);
  }

  test::TempDir dir_;
  std::vector<std::string> files_;
  RegionOptions options_{.alpha = Miscoverage::parse("0.2")};
};

void expect_equal(const ImageRegions& a, const ImageRegions& b) {
  ASSERT_EQ(a.landmarks.size(), b.landmarks.size());
  EXPECT_FALSE(a.error.has_value());
  for (std::size_t t = 0; t < a.landmarks.size(); ++t) {
    EXPECT_EQ(a.landmarks[t].landmark, b.landmarks[t].landmark);
    EXPECT_EQ(a.landmarks[t].patches.size(), b.landmarks[t].patches.size());
    EXPECT_EQ(a.landmarks[t].proposal.x, b.landmarks[t].proposal.x);
    EXPECT_EQ(a.landmarks[t].proposal_p_value, b.landmarks[t].proposal_p_value);
  }
}

TEST_F(Finder, GivesTheRegionsOfThePredictor) {
  const auto found = calibrated().find(files_, options_);
  const auto source = open_patch_source({}, {});
  const LandmarkModel model = [&] {
    calibrated().save(dir_ / "model.caos");
    return read_landmark_model(dir_ / "model.caos");
  }();
  const LandmarkPredictor predictor(model, {.alpha = options_.alpha});
  ASSERT_EQ(found.size(), num_new);
  const auto visit = in_order([&](EmbeddedImage&& image) {
    const auto predictions =
        predictor.predict(image.patches.view(), {}, image.frame.grid, &image.gray);
    for (std::size_t t = 0; t < predictions.size(); ++t) {
      const LandmarkRegion& region = found[image.index].landmarks[t];
      EXPECT_EQ(region.patches.size(), predictions[t].set.size());
      EXPECT_EQ(region.proposal_p_value, predictions[t].proposal_p_value);
      EXPECT_EQ(region.supporting_references.size(), 3U);
      EXPECT_TRUE(predictions[t].refined);
      const auto point = proposed_point(predictions[t], image.frame);
      EXPECT_EQ(region.proposal.x, point.x);
    }
  });
  EXPECT_TRUE(source->stream(files_, visit).empty());
}

TEST_F(Finder, ComesBackFromItsFile) {
  const LandmarkFinder finder = calibrated({.score = "margin", .k = 2});
  finder.save(dir_ / "model.caos");
  const LandmarkFinder loaded = LandmarkFinder::load(dir_ / "model.caos");
  EXPECT_EQ(loaded.landmarks(), finder.landmarks());
  EXPECT_EQ(loaded.images().size(), num_labeled);
  const auto before = finder.find(files_, options_);
  const auto after = loaded.find(files_, options_);
  for (std::size_t i = 0; i < num_new; ++i) expect_equal(before[i], after[i]);
}

TEST_F(Finder, CountsHowOftenItsRegionsContainTheLandmark) {
  const LandmarkFinder finder = calibrated();
  const auto coverages = finder.evaluate(dir_ / "new", dir_ / "new.csv", options_);
  const auto found = finder.find(files_, options_);
  ASSERT_EQ(coverages.size(), 3U);
  for (std::size_t t = 0; t < coverages.size(); ++t) {
    EXPECT_EQ(coverages[t].num_images, num_new);
    double covered = 0;
    for (std::size_t i = 0; i < num_new; ++i) {
      const vision::Point truth = vision::draw_face(3, num_labeled + i).landmarks[10 * t].position;
      for (const PixelBox& box : found[i].landmarks[t].patches) {
        covered +=
            box.left <= truth.x && truth.x < box.right && box.top <= truth.y && truth.y < box.bottom
                ? 1
                : 0;
      }
    }
    EXPECT_DOUBLE_EQ(coverages[t].evaluation->coverage, covered / num_new);
  }
}

TEST_F(Finder, SaysWhatItGuarantees) {
  const LandmarkFinder finder = calibrated();
  EXPECT_TRUE(finder.is_feasible(options_));
  EXPECT_FALSE(finder.is_feasible({.alpha = Miscoverage::parse("0.05")}));
  EXPECT_EQ(finder.guarantee(options_).kind, Guarantee::Kind::marginal);
  EXPECT_EQ(finder.guarantee({.alpha = options_.alpha, .simultaneous = true}).kind,
            Guarantee::Kind::simultaneous);
  expect_error([&] { static_cast<void>(finder.find(files_, {.method = Method::scos})); },
               ErrorKind::invalid_input, {"caos or full-caos"});
}

TEST_F(Finder, LeavesOutFilesThatAreNotImages) {
  files_[1] = dir_.write("broken.png", "not an image");
  const auto found = calibrated().find(files_, options_);
  ASSERT_EQ(found.size(), num_new);
  EXPECT_THAT(found[1].error.value_or(""), testing::HasSubstr("broken.png"));
  EXPECT_EQ(found[0].landmarks.size(), 3U);
  EXPECT_EQ(found[2].landmarks.size(), 3U);
}

/// Makes the images so large that the working size matters.
void enlarge_all(const std::string& folder, std::size_t factor) {
  for (const std::string& file : image_files(folder)) {
    const io::MappedFile bytes = io::MappedFile::read(file);
    const vision::Image image = vision::decode_image(bytes.bytes(), file, {});
    const auto larger = vision::encode_png(vision::enlarge(image, factor));
    io::write_whole(file, [&](io::Sink& sink) { sink.write(larger); });
  }
}

TEST_F(Finder, HasCellsOfFourPixelsUnlessToldOtherwise) {
  const LandmarkFinder finder = calibrated(LandmarkFinderOptions{});
  finder.save(dir_ / "model.caos");
  const LandmarkModel model = read_landmark_model(dir_ / "model.caos");
  EXPECT_EQ(patch_score_text(model.score), "geometry");
  EXPECT_EQ(model.embedding.cell, 4U);
  const auto found = finder.find(files_, options_);
  expect_equal(found[0], LandmarkFinder::load(dir_ / "model.caos").find(files_, options_)[0]);
  std::size_t count = 0;
  for (const LandmarkRegion& region : found[0].landmarks) {
    for (const PixelBox& cell : region.patches) {
      EXPECT_LE(cell.right - cell.left, 4.0001);
      EXPECT_LE(cell.bottom - cell.top, 4.0001);
      ++count;
    }
  }
  EXPECT_GT(count, 0U);
  expect_error(
      [&] {
        static_cast<void>(
            finder.find(files_, {.alpha = options_.alpha, .method = Method::full_caos}));
      },
      ErrorKind::invalid_input, {"full-caos", "the score cosine"});
}

TEST_F(Finder, MakesLargeImagesSmallerUnlessToldOtherwise) {
  enlarge_all(dir_ / "labeled", 4);
  enlarge_all(dir_ / "new", 4);
  const auto columns = [&](const std::string& working_size) {
    LandmarkFinderOptions options{.score = "cosine"};
    options.embedding.working_size = working_size;
    calibrated(options).save(dir_ / "model.caos");
    const LandmarkModel model = read_landmark_model(dir_ / "model.caos");
    EXPECT_EQ(model.embedding.precision, EmbeddingPrecision::float16);
    EXPECT_EQ(model.embedding.working_size, working_size.empty() ? "512" : working_size);
    return model.grid_columns.at(0);
  };
  EXPECT_EQ(columns(""), 27U);  // 872 high becomes 512, 712 wide 418
  EXPECT_EQ(columns("original"), 45U);
  EXPECT_EQ(columns("256"), 14U);
}

TEST_F(Finder, EmbedsForAFirstModelAsVersion010Did) {
  enlarge_all(dir_ / "labeled", 4);
  enlarge_all(dir_ / "new", 4);
  PatchSourceOptions way;
  way.embed.working_size = vision::WorkingSize::parse("original");  // of images below 12 megapixels
  way.embed.precision = EmbeddingPrecision::float32;
  const auto source = open_patch_source(way, {});
  const auto labeled = landmarks::read_landmarks(dir_ / "labeled.csv", {});
  const LandmarkModel model =
      calibrate_landmarks(embed_annotated(*source, dir_ / "labeled", labeled, "labeled.csv", {}),
                          {.identity = source->identity(),
                           .working_size = "",
                           .precision = EmbeddingPrecision::float32},
                          {.k = 3});
  write_landmark_model(dir_ / "first.caos", model);
  const auto found = LandmarkFinder::load(dir_ / "first.caos").find(files_, options_);
  const LandmarkPredictor predictor(model, {.alpha = options_.alpha});
  const auto visit = in_order([&](EmbeddedImage&& image) {
    EXPECT_EQ(image.frame.grid.columns, 45U);
    const auto predictions = predictor.predict(image.patches.view());
    for (std::size_t t = 0; t < predictions.size(); ++t) {
      const LandmarkRegion& region = found[image.index].landmarks[t];
      EXPECT_EQ(region.patches.size(), predictions[t].set.size());
      EXPECT_EQ(region.proposal_p_value, predictions[t].proposal_p_value);
      EXPECT_EQ(region.image_share, region_share(predictions[t].set, image.frame));
    }
  });
  EXPECT_TRUE(source->stream(files_, visit).empty());
}

TEST(LargeRegionsOfImages, SayWhatToTry) {
  EXPECT_FALSE(large_regions({}).has_value());
  std::vector<ImageRegions> images(2);
  images[0].landmarks = {{.patches = std::vector<PixelBox>(30), .image_share = 0.07},
                         {.patches = std::vector<PixelBox>(9), .image_share = 0.02}};
  EXPECT_FALSE(large_regions(images).has_value());
  images[1].landmarks = {{.patches = std::vector<PixelBox>(30), .image_share = 0.12}};
  EXPECT_THAT(
      large_regions(images).value_or(""),
      testing::HasSubstr("regions cover 7.0 % of the image on average; for smaller ones try "
                         "a smaller working_size"));
}

TEST_F(Finder, TakesABackboneOfTheCaller) {
  LandmarkFinderOptions options;
  options.embedding.own_backbone = std::make_shared<MeanColor>();
  const LandmarkFinder finder = calibrated(options);
  finder.save(dir_ / "model.caos");
  expect_error([&] { static_cast<void>(LandmarkFinder::load(dir_ / "model.caos")); },
               ErrorKind::invalid_input, {"mean color"});
  expect_error(
      [&] {
        static_cast<void>(LandmarkFinder::load(dir_ / "model.caos", {.backbone = "builtin"}));
      },
      ErrorKind::invalid_input, {"mean color", "other embeddings"});
  const LandmarkFinder loaded = LandmarkFinder::load(dir_ / "model.caos", options.embedding);
  expect_equal(finder.find(files_, options_)[0], loaded.find(files_, options_)[0]);
}

}  // namespace
}  // namespace caos
