#include "caos/landmarks/formats/hdf5/deeplabcut_hdf5.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caos/landmarks/formats/hdf5/pickled_lists.hpp"
#include "caos/landmarks/formats/tables/deeplabcut_format.hpp"
#include "tests/landmarks/formats/sample.hpp"

namespace caos::landmarks {
namespace {

using caos::test::expect_error;
using test::sample;
using testing::ElementsAre;

/// The samples were written by pandas, and say what the CSV file says.
TEST(DeepLabCutHdf5, SaysWhatTheCsvSays) {
  const LandmarkTable csv = parse_deeplabcut(sample("deeplabcut.csv"), "t.csv");
  for (const char* name : {"deeplabcut_fixed.h5", "deeplabcut_table.h5"}) {
    EXPECT_EQ(parse_deeplabcut_hdf5(sample(name), name), csv) << name;
  }
}

TEST(DeepLabCutHdf5, MayHaveSeveralIndividuals) {
  const std::string bytes = sample("deeplabcut_multi.h5");
  expect_error([&] { (void)parse_deeplabcut_hdf5(bytes, "t.h5"); }, ErrorKind::bad_format,
               {"t.h5: row 1: a second individual", "(fly1, fly2)"});
  const LandmarkTable table = parse_deeplabcut_hdf5(bytes, "t.h5", parse_instances("fly2"));
  EXPECT_EQ(table.annotations[0].landmarks,
            (std::vector<Landmark>{{"snout", 50, 60}, {"door", 7, 8}}));
}

TEST(DeepLabCutHdf5, IsTheSameBytesEveryTime) {
  const LandmarkTable table{{{.image = "a.png", .landmarks = {{"n", 1, 2}}}}};
  EXPECT_EQ(write_deeplabcut_hdf5(table), write_deeplabcut_hdf5(table));
}

TEST(DeepLabCutHdf5, ThatIsDamagedIsRefused) {
  const auto parse = [](const std::string& bytes) { return parse_deeplabcut_hdf5(bytes, "t.h5"); };
  test::expect_refused(parse, {{"", "t.h5: not an HDF5 file"},
                               {"scorer,a\n", "t.h5: not an HDF5 file"},
                               {sample("sleap_video.slp"), "t.h5: holds no pandas table"}});
  const std::string whole = sample("deeplabcut_fixed.h5");
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    try {
      (void)parse(whole.substr(0, size));
      ADD_FAILURE() << size;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_format) << size;
    }
  }
}

TEST(PickledLists, AreTuplesOfTexts) {
  EXPECT_THAT(unpickle_lists("(lp0\n(Vada\np1\nVx\np2\ntp3\na(g1\nVy\np4\ntp5\na.", "t"),
              ElementsAre(ElementsAre("ada", "x"), ElementsAre("ada", "y")));
  for (const char* bad : {"", ".", "(lp0\n", "cos\nsystem\n(S'ls'\ntR.", "g1\n.", "(((", "a.",
                          "(lp0\n(lp1\naa.", "Vx\n.", "(t."}) {
    expect_error([&] { (void)unpickle_lists(bad, "t.h5"); }, ErrorKind::bad_format,
                 {"t.h5: names its columns"});
  }
}

}  // namespace
}  // namespace caos::landmarks
