// What each format holds comes back from it, alone and by way of any other format.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "caos/landmarks/formats/asf_format.hpp"
#include "caos/landmarks/formats/dlib_format.hpp"
#include "caos/landmarks/formats/hdf5/deeplabcut_hdf5.hpp"
#include "caos/landmarks/formats/hdf5/sleap_format.hpp"
#include "caos/landmarks/formats/json/coco_format.hpp"
#include "caos/landmarks/formats/json/label_studio_format.hpp"
#include "caos/landmarks/formats/json/slicer_format.hpp"
#include "caos/landmarks/formats/losses.hpp"
#include "caos/landmarks/formats/pts_format.hpp"
#include "caos/landmarks/formats/tables/csv_format.hpp"
#include "caos/landmarks/formats/tables/deeplabcut_format.hpp"
#include "caos/landmarks/formats/tables/points_format.hpp"
#include "caos/landmarks/formats/tables/wide_csv_format.hpp"
#include "caos/landmarks/formats/tem_format.hpp"
#include "caos/landmarks/formats/tps_format.hpp"
#include "tests/landmarks/formats/random_table.hpp"

namespace caos::landmarks {
namespace {

using test::draw_bool;
using test::draw_table;
using test::Held;
using test::Positions;
using test::snapped;
using test::without_sizes;

/// A way through the text of a format and back; `known` is the table before all conversions, for
/// what the reader of the format must be told.
struct Way {
  Format format;
  Held held;
  double tolerance;
  std::function<LandmarkTable(const LandmarkTable& table, const LandmarkTable& known)> pass;
};

ImageSizes sizes_of(const LandmarkTable& table) {
  return [table](const std::string& image) -> std::optional<ImageSize> {
    for (const Annotation& a : table.annotations) {
      if (a.image == image) return ImageSize{*a.width, *a.height};
    }
    return std::nullopt;
  };
}

LandmarkTable pass_tps(const LandmarkTable& table, const LandmarkTable& known, TpsY y) {
  const TpsOptions options{.y = y};
  const ImageSizes sizes = sizes_of(known);
  return parse_tps(write_tps(table, options, sizes), "t.tps", options, sizes);
}

/// Percentages need sizes: those of the table before it went through a format that has none.
LandmarkTable with_sizes(LandmarkTable table, const LandmarkTable& known) {
  for (Annotation& annotation : table.annotations) {
    const auto size = sizes_of(known)(annotation.image);
    annotation.width = size->width;
    annotation.height = size->height;
  }
  return table;
}

const std::vector<Way>& ways() {
  static const std::vector<Way> all = {
      {Format::csv,
       {},
       0,
       [](const auto& table, const auto&) { return parse_csv(write_csv(table), "t.csv"); }},
      {Format::tps,
       {.names = false,
        .hidden = false,
        .subject = false,
        .size = false,
        .partial = false,
        .line_breaks = false},
       0,
       [](const auto& table, const auto& known) { return pass_tps(table, known, TpsY::top); }},
      {Format::tps,
       {.names = false,
        .hidden = false,
        .subject = false,
        .size = false,
        .partial = false,
        .line_breaks = false},
       0,
       [](const auto& table, const auto& known) { return pass_tps(table, known, TpsY::bottom); }},
      {Format::pts,
       {.names = false,
        .hidden = false,
        .subject = false,
        .scale = false,
        .size = false,
        .partial = false,
        .many = false},
       0,
       [](const auto& table, const auto& known) {
         return parse_pts(write_pts(table), "t.pts", known.annotations[0].image);
       }},
      {Format::coco,
       {.subject = false, .scale = false, .partial = false},
       0,
       [](const auto& table, const auto&) { return parse_coco(write_coco(table), "t.json"); }},
      {Format::dlib,
       {.hidden = false, .missing = false, .subject = false, .scale = false},
       0,
       [](const auto& table, const auto&) {
         return parse_dlib(write_dlib(table, {.fractions = true}), "t.xml");
       }},
      {Format::label_studio,
       {.hidden = false, .missing = false},
       1e-9,
       [](const auto& table, const auto& known) {
         return parse_label_studio(write_label_studio(with_sizes(table, known)), "t.json");
       }},
      {Format::slicer,
       {.subject = false, .size = false, .many = false},
       0,
       [](const auto& table, const auto& known) {
         const Annotation& image = known.annotations[0];
         return parse_slicer(write_slicer(table), "t.mrk.json", image.image, image.scale);
       }},
      {Format::slicer,
       {.subject = false, .size = false, .many = false},
       0,
       [](const auto& table, const auto& known) {
         const Annotation& image = known.annotations[0];
         return parse_slicer(write_slicer(table, PatientAxes::ras), "t.mrk.json", image.image,
                             image.scale);
       }},
      {Format::wide_csv,
       {.hidden = false, .partial = false},
       0,
       [](const auto& table, const auto&) {
         return parse_wide_csv(write_wide_csv(table), "t.csv");
       }},
      {Format::deeplabcut,
       {.hidden = false, .subject = false, .scale = false, .size = false, .partial = false},
       0,
       [](const auto& table, const auto&) {
         return parse_deeplabcut(write_deeplabcut(table), "t.csv");
       }},
      {Format::deeplabcut_hdf5,
       {.hidden = false, .subject = false, .scale = false, .size = false, .partial = false},
       0,
       [](const auto& table, const auto&) {
         return parse_deeplabcut_hdf5(write_deeplabcut_hdf5(table), "t.h5");
       }},
      {Format::sleap,
       {.subject = false, .scale = false, .size = false, .partial = false},
       0,
       [](const auto& table, const auto&) { return parse_sleap(write_sleap(table), "t.slp"); }},
      {Format::tem,
       {.names = false,
        .hidden = false,
        .subject = false,
        .scale = false,
        .size = false,
        .partial = false,
        .many = false},
       0,
       [](const auto& table, const auto& known) {
         return parse_tem(write_tem(table), "t.tem", known.annotations[0].image);
       }},
      {Format::points,
       {.partial = false, .many = false},  // a list without points tells nothing of its image
       0,
       [](const auto& table, const auto& known) {
         return parse_points(write_points(table), "t.txt", known.annotations[0].image);
       }},
      {Format::asf,
       {.names = false,
        .hidden = false,
        .subject = false,
        .scale = false,
        .partial = false,
        .line_breaks = false,
        .many = false},
       1e-9,
       [](const auto& table, const auto& known) {
         return parse_asf(write_asf(with_sizes(table, known)), "t.asf", "", sizes_of(known));
       }},
  };
  return all;
}

/// Where a format has room for it, it says which landmarks are proposals, and how they conform.
TEST(LandmarkFormats, GiveBackProposals) {
  for (const Way& way : ways()) {
    Landmark one{.name = "1", .x = 2.5, .y = 3.5};
    one.proposed = true;
    one.conformity = 0.625;
    Landmark two = one;
    two.name = "2";
    two.conformity = 0.0625;
    LandmarkTable table{{{.image = "a.png", .landmarks = {one, two}, .width = 8, .height = 8}}};
    const LandmarkTable back = way.pass(table, table);
    const bool lost = !losses(without_sizes(table), way.format, {.fractions = true}).empty() &&
                      back.annotations[0].landmarks != table.annotations[0].landmarks;
    const bool has_no_room = way.format == Format::pts || way.format == Format::dlib ||
                             way.format == Format::tem || way.format == Format::asf ||
                             way.format == Format::wide_csv;
    EXPECT_EQ(lost, has_no_room) << name_of(way.format);
  }
}

const Way& draw_way() { return ways()[*rc::gen::inRange<std::size_t>(0, ways().size())]; }

RC_GTEST_PROP(LandmarkFormats, GiveBackWhatTheyHold, ()) {
  const Way& way = draw_way();
  const LandmarkTable table = draw_table(way.held, Positions::coarse);
  const LandmarkTable expected = way.held.size ? table : without_sizes(table);
  RC_ASSERT(snapped(way.pass(table, table), expected, way.tolerance) == expected);
}

RC_GTEST_PROP(LandmarkFormats, GiveBackAnyPositionToABillionthOfAPixel, ()) {
  const Way& way = draw_way();
  const LandmarkTable table = draw_table(way.held, Positions::any);
  const LandmarkTable expected = way.held.size ? table : without_sizes(table);
  RC_ASSERT(snapped(way.pass(table, table), expected, 1e-9) == expected);
}

RC_GTEST_PROP(LandmarkFormats, ConvertIntoEachOtherAndBack, ()) {
  const Way& a = draw_way();
  const Way& b = draw_way();
  const Held held = a.held & b.held;
  const LandmarkTable table = draw_table(held, Positions::coarse);
  const LandmarkTable there = b.pass(a.pass(table, table), table);
  const LandmarkTable back = a.pass(there, table);
  RC_ASSERT(without_sizes(snapped(back, table, a.tolerance + b.tolerance)) == without_sizes(table));
}

/// Where nothing is said to be lost, nothing is.
RC_GTEST_PROP(LandmarkFormats, ReportEveryLoss, ()) {
  const Way& way = draw_way();
  const Held held{.names = draw_bool(),
                  .hidden = draw_bool(),
                  .missing = draw_bool(),
                  .subject = draw_bool(),
                  .scale = draw_bool(),
                  .partial = draw_bool(),
                  .line_breaks = false,
                  .many = way.held.many};
  const LandmarkTable table = draw_table(held, Positions::coarse);
  const LandmarkTable plain = way.held.size ? table : without_sizes(table);
  if (!losses(plain, way.format, {.fractions = true}).empty()) return;
  const LandmarkTable back = snapped(way.pass(table, table), plain, way.tolerance);
  // Order of first appearance does not matter where landmarks have names.
  const auto content = [](const LandmarkTable& t) {
    std::vector<std::string> lines;
    for (const Annotation& annotation : with_all_landmarks(t).annotations) {
      for (const Landmark& l : annotation.landmarks) {
        lines.push_back(fmt::format("{} {} {:.6f} {:.6f} {} {} {}", annotation.image, l.name, l.x,
                                    l.y, static_cast<int>(l.visibility),
                                    annotation.subject.value_or(""), annotation.scale.value_or(0)));
      }
    }
    std::ranges::sort(lines);
    return lines;
  };
  RC_ASSERT(content(back) == content(plain));
}

}  // namespace
}  // namespace caos::landmarks
