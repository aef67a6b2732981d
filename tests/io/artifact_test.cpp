#include "caos/io/artifact.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "caos/error.hpp"
#include "caos/growing.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/problem.hpp"
#include "tests/support/temp_dir.hpp"

namespace {

using caos::Calibration;
using caos::ErrorKind;
using caos::GroupId;
using caos::Grouping;
using caos::io::Artifact;
using caos::test::expect_error;
using caos::test::TempDir;
using problem::Task;

Grouping arbitrary_grouping(std::size_t n) {
  const auto ids = *rc::gen::container<std::vector<GroupId>>(n, rc::gen::inRange<GroupId>(0, 3));
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      return Grouping::none(n);
    case 1:
      return Grouping::by_label(std::vector<caos::Label>(ids.begin(), ids.end()), 3);
    default:
      return Grouping::by_input(ids);
  }
}

RC_GTEST_PROP(Artifact, ComesBackAsItWasWritten, ()) {
  const Task task = problem::arbitrary_task();
  const caos::OwnScores own = problem::own_scores(task.own);
  const Calibration written = caos::calibrate(own, arbitrary_grouping(task.n()), {.k = task.k});
  const TempDir folder;
  const std::string path = folder / "model.caos";
  caos::io::write_artifact(path, written, own, 3);
  const Artifact read = Artifact::open(path);
  RC_ASSERT(read.num_labels() == 3U);
  RC_ASSERT(std::ranges::equal(read.calibration().scores(), written.scores()));
  RC_ASSERT(read.calibration().grouping().kind() == written.grouping().kind());
  for (GroupId id = 0; id < 4; ++id) {
    RC_ASSERT(
        std::ranges::equal(read.calibration().peers(static_cast<caos::Label>(id), id).values(),
                           written.peers(static_cast<caos::Label>(id), id).values()));
  }
  RC_ASSERT(std::ranges::equal(read.own_scores().row(0), own.row(0)));
}

TEST(Artifact, CanGoOnGrowing) {
  const oracle::Table own = {{0, 1, 2}, {3, 0, 4}, {5, 6, 0}};
  const caos::OwnScores scores = problem::own_scores(own);
  const TempDir folder;
  const std::string path = folder / "model.caos";
  caos::io::write_artifact(path, caos::calibrate(scores, {.k = 1}), scores, 0);
  const Artifact artifact = Artifact::open(path);
  caos::GrowingCalibration growing(artifact.own_scores(), artifact.calibration());
  const std::vector<double> under_others = {9, 0.5, 9};
  const std::vector<double> of_others = {9, 9, 0.25};
  growing.add_example(under_others, of_others);
  EXPECT_EQ(
      std::vector(growing.calibration().scores().begin(), growing.calibration().scores().end()),
      (std::vector<double>{1, 3, 0.25, 0.5}));
}

TEST(Artifact, RefusesAnotherKindOfSafetensorsFile) {
  const TempDir folder;
  const std::string path = folder / "other.safetensors";
  const std::vector<double> values = {1, 2};
  const std::vector<caos::io::TensorRef> tensors = {
      {"weights", caos::io::ElementType::f64, {2}, std::as_bytes(std::span(values))}};
  caos::io::write_safetensors(path, {{"format", "pt"}}, tensors);
  expect_error([&] { (void)Artifact::open(path); }, ErrorKind::bad_format,
               {"not a calibration", "'caos calibrate' makes calibrations"});
}

/// A calibration file with one thing wrong, though its checksum holds.
void expect_refused(caos::io::Metadata metadata, std::vector<double> nearest,
                    const std::string& reason) {
  const TempDir folder;
  const std::string path = folder / "model.caos";
  const std::vector<double> own(9, 1.0);
  const std::vector<caos::io::TensorRef> tensors = {
      {"nearest", caos::io::ElementType::f64, {3, 2}, std::as_bytes(std::span(nearest))},
      {"own_scores", caos::io::ElementType::f64, {3, 3}, std::as_bytes(std::span(own))}};
  caos::io::write_safetensors(path, metadata, tensors);
  expect_error([&] { (void)Artifact::open(path); }, ErrorKind::bad_format, {reason});
}

TEST(Artifact, RefusesContentThatMakesNoSense) {
  const caos::io::Metadata good = {{"format", "caos-calibration"},
                                   {"version", "1"},
                                   {"method", "caos"},
                                   {"written_by", "caos 0.1.0"},
                                   {"n", "3"},
                                   {"k", "2"},
                                   {"num_labels", "0"},
                                   {"groups", "none"}};
  const std::vector<double> nearest = {1, 2, 1, 2, 1, 2};
  const auto with = [&](const char* key, const char* value) {
    caos::io::Metadata metadata = good;
    metadata[key] = value;
    return metadata;
  };
  expect_refused(with("version", "2"), nearest, "format version 2");
  expect_refused(with("k", "3"), nearest, "k = 3 does not fit n = 3");
  expect_refused(with("k", "1"), nearest, "'nearest' is not 3 x 1");
  expect_refused(with("n", "-3"), nearest, "which is not a count");
  expect_refused(with("groups", "planets"), nearest, "planets");
  expect_refused(good, {2, 1, 1, 2, 1, 2}, "example 0 are not ascending");
  expect_refused(good, {1, 2, NAN, 2, 1, 2}, "example 1 are not ascending");
  expect_refused(good, {-1.7e308, -1.7e308, 1, 2, 1, 2}, "example 0 are not ascending");
  expect_refused(with("n", "10000000000"), nearest, "'nearest' is not 10000000000 x 2");
}

TEST(Artifact, RefusesEveryTruncation) {
  const oracle::Table own = {{0, 1, 2}, {3, 0, 4}, {5, 6, 0}};
  const caos::OwnScores scores = problem::own_scores(own);
  const TempDir folder;
  const std::string path = folder / "model.caos";
  caos::io::write_artifact(path, caos::calibrate(scores, {.k = 1}), scores, 0);
  for (auto size = std::filesystem::file_size(path); size > 0;) {
    std::filesystem::resize_file(path, --size);
    EXPECT_THROW((void)Artifact::open(path), caos::Error) << size << " bytes";
  }
}

}  // namespace
