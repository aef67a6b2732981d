#include "caos/landmarks/formats/losses.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caos::landmarks {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const LandmarkTable full{{{.image = "a.png",
                           .landmarks = {{"nose", 1.25, 2, Visibility::visible},
                                         {"ear", 3, 4, Visibility::hidden},
                                         {"eye", 0, 0, Visibility::missing}},
                           .subject = "Minka",
                           .scale = 0.5,
                           .width = 10,
                           .height = 10}}};

TEST(Losses, AreNoneInCsv) { EXPECT_THAT(losses(full, Format::csv), IsEmpty()); }

TEST(Losses, OfEachFormatAreNamed) {
  EXPECT_THAT(losses(full, Format::tps),
              ElementsAre("TPS knows landmarks by their places; 3 names are lost",
                          "TPS cannot say that a landmark is hidden; 1 become visible",
                          "TPS holds no subjects; those of 1 images are lost",
                          "TPS holds no sizes of images; those of 1 images are lost"));
  EXPECT_THAT(losses(full, Format::pts),
              ElementsAre(HasSubstr("3 names"), HasSubstr("hidden"), HasSubstr("-1 -1"),
                          HasSubstr("subjects"), HasSubstr("scales"), HasSubstr("sizes"),
                          HasSubstr("without folder and extension (.png)")));
  EXPECT_THAT(losses(full, Format::coco), ElementsAre(HasSubstr("subjects"), HasSubstr("scales")));
  EXPECT_THAT(
      losses(full, Format::dlib),
      ElementsAre(HasSubstr("hidden"), HasSubstr("1 that no image has"), HasSubstr("subjects"),
                  HasSubstr("scales"), HasSubstr("whole pixels; 2")));
  EXPECT_THAT(losses(full, Format::label_studio),
              ElementsAre(HasSubstr("hidden"), HasSubstr("1 that no image has")));
  EXPECT_THAT(losses(full, Format::slicer),
              ElementsAre(HasSubstr("subjects"), HasSubstr("millimeters"), HasSubstr("sizes"),
                          HasSubstr("(.png)")));
}

TEST(Losses, AreOnlyOfWhatIsThere) {
  const LandmarkTable plain{{{.image = "a", .landmarks = {{"1", 1.5, 2.5}}}}};
  for (const Format format : {Format::csv, Format::tps, Format::pts, Format::coco, Format::dlib,
                              Format::label_studio, Format::slicer}) {
    EXPECT_THAT(losses(plain, format), IsEmpty()) << name_of(format);
  }
}

TEST(Losses, OfFractionsDependOnTheOption) {
  const LandmarkTable table{{{.image = "a", .landmarks = {{"1", 1.25, 2.5}}}}};
  EXPECT_EQ(losses(table, Format::dlib).size(), 1U);
  EXPECT_THAT(losses(table, Format::dlib, {.fractions = true}), IsEmpty());
}

}  // namespace
}  // namespace caos::landmarks
