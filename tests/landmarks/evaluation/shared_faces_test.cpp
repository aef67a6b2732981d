// The built-in descriptor and a small vision transformer on 142 real faces, against figures that
// were computed apart from this project. The faces are too large for the project; where they are
// not beside it, these tests are skipped.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "caos/io/csv.hpp"
#include "caos/landmarks/embedding/embed_images.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"
#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/formats/landmark_file.hpp"
#include "caos/onnx/onnx_runtime.hpp"
#include "tests/support/test_folders.hpp"

namespace {

using caos::Matrix;
using caos::Method;
using caos::Miscoverage;

// The thread sanitizer does not see how the threads of ONNX Runtime wait for each other, and takes
// far too long over each suspected race.
#ifdef __SANITIZE_THREAD__
constexpr std::size_t model_threads = 1;
#else
constexpr std::size_t model_threads = 0;  // one per core
#endif

/// Coverage and mean set size at alpha 0.05, 0.1 and 0.2.
struct Row {
  Method method;
  double coverage[3];
  double size[3];
};

struct Way {
  std::string backbone = "builtin";
  std::string output{};
  bool location = false;
};

class SharedFaces : public testing::Test {
 protected:
  void SetUp() override {
    faces_ = caos::test::shared_folder() / "data/faces-london-canada";
    if (!std::filesystem::exists(faces_))
      GTEST_SKIP() << "NOT TESTED: no " << faces_ << "; set CAOS_SHARED";
    table_ = caos::landmarks::read_landmarks((faces_ / "landmarks478.csv").string(), {});
  }

  /// The images of a split, first the references, then those that calibrate, then the test images.
  void read_split() {
    const caos::io::CsvTable split = caos::io::read_csv((faces_ / "split0.csv").string());
    for (const std::string role : {"reference", "calibration", "test"}) {
      for (const auto& row : split.rows) {
        if (row[1] == role) names_.push_back(row[0]);
      }
      ends_.push_back(names_.size());
    }
  }

  void embed(const Way& way) {
    const auto backbone =
        caos::open_backbone(way.backbone, {.output = way.output, .threads = model_threads});
    caos::EmbedOptions options;
    options.precision = caos::EmbeddingPrecision::float32;  // as the figures of record
    if (way.location) options.location = caos::vision::LocationPrior{};
    std::vector<std::string> files;
    for (const std::string& name : names_) files.push_back((faces_ / name).string());
    const auto failed = stream_images(
        *backbone, files, options,
        caos::in_order([&](caos::EmbeddedImage&& image) { images_.push_back(std::move(image)); }));
    ASSERT_TRUE(failed.empty()) << failed[0].reason;
  }

  /// The patches that hold the landmarks of images `first` to `last`.
  [[nodiscard]] Matrix<std::int64_t> labels(std::size_t first, std::size_t last) const {
    std::map<std::string, const caos::landmarks::Annotation*> by_name;
    for (const auto& annotation : table_.annotations) by_name[annotation.image] = &annotation;
    Matrix<std::int64_t> result(last - first, table_.landmark_names().size());
    for (std::size_t i = first; i < last; ++i) {
      const auto& points = by_name.at(names_[i])->landmarks;
      const caos::vision::Frame& frame = images_[i].frame;
      for (std::size_t t = 0; t < points.size(); ++t) {
        const caos::vision::Point point = frame.to_working({points[t].x, points[t].y});
        result(i - first, t) = static_cast<std::int64_t>(frame.grid.patch_at(point));
      }
    }
    return result;
  }

  [[nodiscard]] caos::LandmarkEvaluation evaluate(const caos::LandmarkEvaluateOptions& options) {
    caos::LabeledPatches labeled{.labels = labels(0, ends_[1]), .tasks = table_.landmark_names()};
    for (std::size_t i = 0; i < ends_[1]; ++i) labeled.images.push_back(images_[i].patches);
    const caos::TestPatches test{
        .image = [&](std::size_t x) { return images_[ends_[1] + x].patches; },
        .labels = labels(ends_[1], ends_[2])};
    return caos::evaluate_landmarks(labeled, test, options);
  }

  [[nodiscard]] caos::LandmarkEvaluateOptions options_for(const std::vector<Row>& rows) const {
    caos::LandmarkEvaluateOptions options;
    options.methods.clear();
    for (const Row& row : rows) options.methods.push_back(row.method);
    for (const char* alpha : {"0.05", "0.1", "0.2"}) {
      options.alphas.push_back(Miscoverage::parse(alpha));
    }
    for (std::size_t i = 0; i < ends_[1]; ++i) {
      (i < ends_[0] ? options.partition.references : options.partition.calibration).push_back(i);
    }
    return options;
  }

  void expect_figures(const Way& way, const std::vector<Row>& rows) {
    read_split();
    ASSERT_EQ(names_.size(), 142U);
    ASSERT_NO_FATAL_FAILURE(embed(way));
    const auto evaluation = evaluate(options_for(rows));
    for (std::size_t m = 0; m < rows.size(); ++m) {
      for (std::size_t a = 0; a < 3; ++a) {
        const caos::LandmarkMethodResult& result = evaluation.methods[3 * m + a];
        SCOPED_TRACE(
            fmt::format("{} at {}", caos::method_name(result.method), result.alpha.text()));
        RecordProperty(fmt::format("{}_{}", caos::method_name(result.method), a),
                       fmt::format("{:.3f} {:.2f}", result.summary->coverage.mean,
                                   result.summary->mean_set_size.mean));
        EXPECT_NEAR(result.summary->coverage.mean, rows[m].coverage[a], 0.005);
        EXPECT_NEAR(result.summary->mean_set_size.mean, rows[m].size[a], 0.03 * rows[m].size[a]);
      }
    }
  }

  /// The mean set sizes at alpha 0.05 as more and more of the labeled images are used twice.
  void expect_ablation(const Way& way, const double (&sizes)[5]) {
    read_split();
    ASSERT_NO_FATAL_FAILURE(embed(way));
    auto options = options_for({});
    options.methods = {Method::scos, Method::split_caos, Method::split_caos_cal,
                       Method::split_caos_ref, Method::caos};
    options.alphas.resize(1, Miscoverage::parse("0.05"));
    const auto evaluation = evaluate(options);
    for (std::size_t m = 0; m < 5; ++m) {
      const caos::LandmarkMethodResult& result = evaluation.methods[m];
      EXPECT_NEAR(result.summary->mean_set_size.mean, sizes[m], 0.03 * sizes[m])
          << caos::method_name(result.method);
    }
  }

  std::filesystem::path faces_;
  caos::landmarks::LandmarkTable table_;
  std::vector<std::string> names_;
  std::vector<std::size_t> ends_;  ///< of references, of labeled images, of all
  std::vector<caos::EmbeddedImage> images_;
};

class SharedModel : public SharedFaces {
 protected:
  void SetUp() override {
    SharedFaces::SetUp();
    if (IsSkipped()) return;
    const std::string description = caos::onnx_runtime_description();
    if (description.starts_with("without")) GTEST_SKIP() << "NOT TESTED: " << description;
    const auto model = caos::test::shared_folder() / "models/vit_tiny_patch16_192x224.onnx";
    if (!std::filesystem::exists(model))
      GTEST_SKIP() << "NOT TESTED: no " << model << "; set CAOS_SHARED";
    model_ = "onnx:" + model.string();
  }

  std::string model_;
};

TEST_F(SharedFaces, GiveTheFiguresKnownForTheBuiltinDescriptor) {
  expect_figures({}, {{Method::scos, {.990, .949, .857}, {12.17, 6.35, 3.75}},
                      {Method::scos_best, {.980, .931, .824}, {4.14, 2.42, 1.53}},
                      {Method::caos, {.983, .946, .861}, {1.81, 1.45, 1.20}},
                      {Method::full_caos, {.982, .945, .859}, {1.79, 1.44, 1.20}}});
}

TEST_F(SharedFaces, GiveTheFiguresKnownForTheDescriptorWithLocation) {
  expect_figures({.location = true}, {{Method::scos, {.989, .947, .854}, {3.93, 2.60, 1.87}},
                                      {Method::scos_best, {.981, .935, .817}, {2.19, 1.64, 1.22}},
                                      {Method::caos, {.981, .945, .860}, {1.59, 1.36, 1.16}},
                                      {Method::full_caos, {.980, .944, .858}, {1.57, 1.35, 1.15}}});
}

TEST_F(SharedFaces, GiveTheAblationKnownForTheBuiltinDescriptor) {
  expect_ablation({}, {12.17, 3.13, 2.64, 2.07, 1.81});
}

TEST_F(SharedModel, GivesTheAblationKnownForItsFinalTokens) {
  expect_ablation({.backbone = model_, .output = "patch_tokens"},
                  {44.24, 15.30, 14.35, 11.12, 9.29});
}

TEST_F(SharedModel, GivesTheFiguresKnownForItsFinalTokens) {
  expect_figures({.backbone = model_, .output = "patch_tokens"},
                 {{Method::scos, {.989, .952, .857}, {44.24, 25.32, 13.91}},
                  {Method::scos_best, {.973, .937, .830}, {18.56, 10.85, 5.50}},
                  {Method::caos, {.974, .917, .821}, {9.29, 5.52, 3.47}},
                  {Method::full_caos, {.971, .915, .819}, {9.22, 5.49, 3.45}}});
}

TEST_F(SharedModel, GivesTheFiguresKnownForItsEarlyKeys) {
  expect_figures({.backbone = model_, .output = "block1_keys"},
                 {{Method::scos, {.983, .937, .838}, {2.85, 2.15, 1.64}},
                  {Method::scos_best, {.977, .932, .830}, {2.06, 1.61, 1.23}},
                  {Method::caos, {.976, .930, .814}, {1.49, 1.29, 1.07}},
                  {Method::full_caos, {.973, .928, .810}, {1.44, 1.28, 1.06}}});
}

}  // namespace
