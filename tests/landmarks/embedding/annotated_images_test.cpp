#include "caos/landmarks/embedding/annotated_images.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "caos/vision/codecs/encode.hpp"
#include "caos/vision/drawing/synthetic_face.hpp"
#include "tests/landmarks/embedding/counting_backbone.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos {
namespace {

using landmarks::Annotation;
using landmarks::Visibility;
using test::expect_error;
using testing::ElementsAre;

/// Three drawn faces of 178 x 218 pixels, of which the last two are the same.
class Annotated : public testing::Test {
 protected:
  Annotated() {
    const char* names[] = {"a.png", "b.png", "c.png"};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto bytes = vision::encode_png(vision::draw_face(5, i == 0 ? 0 : 1).image);
      dir_.write(names[i], {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
  }

  /// An image with a nose that is to be seen and a chin that is hidden.
  static Annotation annotation(const std::string& image, std::optional<std::string> subject = {}) {
    return {.image = image,
            .landmarks = {{.name = "nose", .x = 20, .y = 35},
                          {.name = "chin", .x = 20, .y = 50, .visibility = Visibility::hidden}},
            .subject = std::move(subject)};
  }

  [[nodiscard]] AnnotatedImages embed(std::vector<Annotation> annotations,
                                      const AnnotationOptions& options = {}) const {
    return embed_annotated(*make_patch_source(backbone_, {}), dir_ / "", {std::move(annotations)},
                           "points.csv", options);
  }

  test::TempDir dir_;
  std::shared_ptr<test::CountingBackbone> backbone_ =
      std::make_shared<test::CountingBackbone>(test::CountingBackbone::Options{});
};

TEST_F(Annotated, LandmarksAreInTheirPatchesAndHiddenOnesMissing) {
  const AnnotatedImages images = embed({annotation("a.png"), annotation("b.png")});
  EXPECT_THAT(images.names, ElementsAre("a.png", "b.png"));
  EXPECT_THAT(images.patches.tasks, ElementsAre("nose", "chin"));
  const auto patch = static_cast<std::int64_t>(images.frames[0].patch_at({20, 35}));
  EXPECT_THAT(images.patches.labels.row(0), ElementsAre(patch, missing_label));
}

TEST_F(Annotated, WithoutCellsAreAsIfTheyNeverHadAny) {
  const std::vector<Annotation> all = {annotation("a.png"), annotation("b.png")};
  const AnnotationOptions options{.use_hidden = true};
  const AnnotatedImages plain = embed(all, options);
  const AnnotatedImages cells = embed_annotated(*make_patch_source(backbone_, {.cell = 4}),
                                                dir_ / "", {all}, "points.csv", options);
  ASSERT_TRUE(cells.patches.has_cells());
  EXPECT_NE(cells.patches.labels.row(0)[0], plain.patches.labels.row(0)[0]);
  const AnnotatedImages back = without_cells(cells);
  EXPECT_FALSE(back.patches.has_cells());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(back.frames[i].grid, plain.frames[i].grid);
    EXPECT_EQ(back.patches.grids[i], plain.patches.grids[i]);
    for (std::size_t t = 0; t < 2; ++t) {
      EXPECT_EQ(back.patches.labels(i, t), plain.patches.labels(i, t));
      EXPECT_EQ(back.patches.offsets(i, t).x, plain.patches.offsets(i, t).x);
      EXPECT_EQ(back.patches.offsets(i, t).y, plain.patches.offsets(i, t).y);
    }
  }
}

TEST_F(Annotated, HiddenLandmarksArePresentWhereThatWasAskedFor) {
  const AnnotatedImages images = embed({annotation("a.png")}, {.use_hidden = true});
  const auto patch = static_cast<std::int64_t>(images.frames[0].patch_at({20, 50}));
  EXPECT_EQ(images.patches.labels(0, 1), patch);
}

TEST_F(Annotated, OneImageUnderTwoNamesIsRefusedUnlessItIsOfOneSubject) {
  const auto embed_both = [&](std::optional<std::string> one, std::optional<std::string> other) {
    return embed({annotation("b.png", std::move(one)), annotation("c.png", std::move(other))});
  };
  EXPECT_THAT(embed_both("Ada", "Ada").patches.subjects, ElementsAre(0U, 0U));
  for (const auto& [one, other] :
       std::vector<std::pair<std::optional<std::string>, std::optional<std::string>>>{
           {std::nullopt, std::nullopt}, {"Ada", std::nullopt}, {"Ada", "Bo"}}) {
    expect_error([&] { (void)embed_both(one, other); }, ErrorKind::bad_format,
                 {"points.csv: 'b.png' and 'c.png' are the same image"});
  }
}

TEST_F(Annotated, CopiesAreAllListedBeforeAnythingIsEmbedded) {
  dir_.write("d.png", dir_.read("b.png"));
  dir_.write("e.png", dir_.read("a.png"));
  const std::vector<Annotation> all = {annotation("a.png"), annotation("b.png"),
                                       annotation("c.png"), annotation("d.png"),
                                       annotation("e.png")};
  expect_error([&] { (void)embed(all); }, ErrorKind::bad_format,
               {"points.csv: 'b.png' and 'c.png'; 'b.png' and 'd.png'; 'a.png' and 'e.png' are the "
                "same image",
                "--duplicates keep-first"});
  EXPECT_EQ(backbone_->num_images(), 0U);
}

TEST_F(Annotated, OnlyTheFirstOfCopiesIsKeptWhereThatIsAskedFor) {
  dir_.write("d.png", dir_.read("b.png"));
  const AnnotatedImages images = embed({annotation("b.png", "Ada"), annotation("a.png"),
                                        annotation("c.png", "Ada"), annotation("d.png", "Bo")},
                                       {.duplicates = Duplicates::keep_first});
  EXPECT_THAT(images.names, ElementsAre("b.png", "a.png", "c.png"));
  ASSERT_EQ(images.duplicates.size(), 1U);
  EXPECT_EQ(images.duplicates[0].kept, "b.png");
  EXPECT_EQ(images.duplicates[0].left_out, "d.png");
  EXPECT_EQ(backbone_->num_images(), 3U);
}

TEST_F(Annotated, DamagedCopiesAreDamagedAndNotTheSame) {
  dir_.write("bad.png", "not an image");
  dir_.write("worse.png", "not an image");
  const AnnotatedImages images =
      embed({annotation("bad.png"), annotation("a.png"), annotation("worse.png")});
  EXPECT_THAT(images.failed_names, ElementsAre("bad.png", "worse.png"));
  EXPECT_THAT(images.names, ElementsAre("a.png"));
}

}  // namespace
}  // namespace caos
