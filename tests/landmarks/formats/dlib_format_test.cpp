#include "caos/landmarks/formats/dlib_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/landmarks/formats/sample.hpp"

namespace caos::landmarks {
namespace {

using test::expect_refused;
using test::sample;
using testing::ElementsAre;
using testing::HasSubstr;

LandmarkTable parse(const std::string& text) { return parse_dlib(text, "t.xml"); }

TEST(Dlib, HasPixelsWhoseCentersAreTheLandmarks) {
  const LandmarkTable table = parse(sample("imglab.xml"));
  const Annotation first{
      .image = "faces/2007_007763.jpg",
      .landmarks = {{"00", 331.5, 127.5}, {"01", 332.5, 134.5}, {"02", -2.5, 141.5}},
      .width = 500,
      .height = 375};
  EXPECT_THAT(table.annotations,
              ElementsAre(first, Annotation{.image = "faces/Tom & Jerry's.jpg"}));
}

TEST(Dlib, IsWrittenInWholePixelsWithABoxAroundThem) {
  const LandmarkTable table{{{.image = "a'b.png",
                              .landmarks = {{"n", 2.75, 3, Visibility::visible},
                                            {"m", 0, 0, Visibility::missing},
                                            {"o", 7.25, -0.5, Visibility::hidden}}}}};
  EXPECT_THAT(write_dlib(table), HasSubstr("  <image file='a&#39;b.png'>\n"
                                           "    <box top='-1' left='2' width='6' height='5'>\n"
                                           "      <part name='n' x='2' y='3'/>\n"
                                           "      <part name='o' x='7' y='-1'/>\n"
                                           "    </box>\n  </image>\n"));
}

TEST(Dlib, KeepsFractionsWhenAskedTo) {
  const LandmarkTable table{{{.image = "a", .landmarks = {{"n", 2.75, 3}}}}};
  EXPECT_THAT(write_dlib(table, {.fractions = true}), HasSubstr("x='2.25' y='2.5'"));
}

TEST(Dlib, MayHaveElementsThatAreNotLookedAt) {
  EXPECT_EQ(
      parse("<dataset><meta><images/></meta><images><image file=\"a\"><box><label>x</label>"
            "<part name='&#x6e;' x='1' y='2'><note/></part></box></image></images></dataset>"),
      (LandmarkTable{{{.image = "a", .landmarks = {{"n", 1.5, 2.5}}}}}));
}

TEST(Dlib, ThatIsMalformedIsRefusedWithItsLine) {
  const auto images = [](const std::string& text) {
    return "<dataset>\n<images>\n" + text + "</images></dataset>";
  };
  const auto box = [&](const std::string& text) {
    return images("<image file='a'><box>\n" + text + "</box></image>");
  };
  const std::string part = "<part name='n' x='1' y='2'/>";
  expect_refused(
      parse,
      {{"", "t.xml: not a file of dlib's imglab"},
       {"<html></html>", "t.xml: not a file of dlib's imglab"},
       {"<dataset>\n<images>\n", "t.xml:3: the file ends within <images>"},
       {"<dataset>\n</images>", "t.xml:2: </images> closes an element that is not open"},
       {"<dataset></dataset><dataset/>", "t.xml:1: a second outermost element"},
       {"<dataset>\n<\x1b[2J>", "t.xml:2: a name is expected here"},
       {"<dataset></dataset> x", "t.xml:1: text outside of all elements"},
       {"<!DOCTYPE dataset []><dataset/>", "t.xml:1: document types"},
       {"<dataset><!-- \n\n", "t.xml:1: a comment never ends"},
       {"<dataset a=1/>", "t.xml:1: the value of an attribute must be quoted"},
       {"<dataset a='1/>", "t.xml:1: a quote opens here"},
       {"<dataset a/>", "t.xml:1: attribute 'a' has no value"},
       {"<dataset a='' a=''/>", "t.xml:1: attribute 'a' is given twice"},
       {"<dataset a='x&y'/>", "t.xml:1: '&' does not begin an entity"},
       {"<dataset a='&nbsp;'/>", "t.xml:1: unknown entity '&nbsp;'"},
       {"<dataset a='&#xD800;'/>", "t.xml:1: unknown entity"},
       {"<dataset a='&#0;'/>", "t.xml:1: unknown entity"},
       {std::string("<dataset a='\0'/>", 16), "t.xml:1: a zero byte within"},
       {images("<image/>"), "t.xml:3: <image> has no attribute 'file'"},
       {images("<image file=''/>"), "t.xml:3: the image has no file name"},
       {images("<image file='a' width='x'/>"), "t.xml:3: width='x' is not a count"},
       {images("<image file='a'/>\n<image file='a'/>"), "t.xml:4: image 'a' is listed twice"},
       {box("<part x='1' y='2'/>"), "t.xml:4: <part> has no attribute 'name'"},
       {box("<part name='' x='1' y='2'/>"), "t.xml:4: the part has no name"},
       {box("<part name='n' x='1'/>"), "t.xml:4: <part> has no attribute 'y'"},
       {box("<part name='n' x='1' y='nan'/>"), "t.xml:4: y='nan' is not a valid position"},
       {box(part + "\n" + part), "t.xml:5: part 'n' is given twice"},
       {box(part + "</box>\n<box>\n<part name='m' x='1' y='2'/>"),
        "t.xml:5: a second box with parts in image 'a'"}});
}

RC_GTEST_PROP(Dlib, ReadsOrRefusesAnyText, ()) {
  static const std::vector<std::string> pieces = {"<dataset>",
                                                  "</dataset>",
                                                  "<images>",
                                                  "</images>",
                                                  "<image file='a'>",
                                                  "</image>",
                                                  "<box>",
                                                  "</box>",
                                                  "<part name='n' x='1' y='2'/>",
                                                  "<",
                                                  ">",
                                                  "/",
                                                  "'",
                                                  "&",
                                                  "<!--",
                                                  "-->",
                                                  "<?",
                                                  "x"};
  std::string text;
  for (const std::string& piece :
       *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces))) {
    text += piece;
  }
  try {
    (void)parse(text);
  } catch (const Error& error) {
    RC_ASSERT(error.kind() == ErrorKind::bad_format);
  }
}

}  // namespace
}  // namespace caos::landmarks
