#include "caos/landmarks/landmark_acceptance.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "caos/error.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/mean.hpp"

namespace {

using caos::AnnotatedImages;
using caos::CheckedProposals;
using caos::Indices;
using caos::LandmarkAcceptance;
using caos::LandmarkProposer;
using caos::LandmarkTolerance;
using caos::Matrix;
using caos::Miscoverage;
using caos::ProposedImage;
using caos::Rng;
using caos::test::Mean;
using caos::vision::Frame;
using caos::vision::Point;

constexpr std::size_t num_patches = 6;
constexpr std::size_t dimension = 8;

/// Six patches of 16 pixels, three by two.
Frame small_frame() {
  return {.width = 48,
          .height = 32,
          .scaled_width = 48,
          .scaled_height = 32,
          .working_width = 48,
          .working_height = 32,
          .grid = caos::vision::grid_over(48, 32, 16)};
}

/// Images of random patches, in some of which the patch with the landmark looks like a template:
/// there proposals are right, and confident.
class Maker {
 public:
  Maker(std::uint64_t seed, std::uint64_t trial, double share_clear)
      : rng_(Rng::stream(seed, trial)), share_clear_(share_clear) {}

  AnnotatedImages images(std::size_t count, std::size_t num_landmarks = 1) {
    AnnotatedImages images;
    images.identity = "synthetic";
    images.patches.labels = Matrix<std::int64_t>(0, num_landmarks);
    images.points = Matrix<Point>(0, num_landmarks);
    images.patches.tasks = caos::numbered_names(num_landmarks);
    for (std::size_t i = 0; i < count; ++i) add(images, num_landmarks);
    return images;
  }

 private:
  double noise() { return rng_.uniform() + rng_.uniform() + rng_.uniform() - 1.5; }

  void add(AnnotatedImages& images, std::size_t num_landmarks) {
    Matrix<float> rows(num_patches, dimension);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      for (float& value : rows.row(r)) value = static_cast<float>(noise());
    }
    std::vector<std::int64_t> labels;
    std::vector<Point> points;
    const Frame frame = small_frame();
    for (std::size_t t = 0; t < num_landmarks; ++t) {
      const auto patch = static_cast<caos::Label>(rng_.below(num_patches));
      if (rng_.uniform() < share_clear_) {
        for (std::size_t d = 0; d < dimension; ++d) {
          rows(patch, d) = static_cast<float>((d == t ? 3 : 0) + 0.3 * noise());
        }
      }
      labels.push_back(static_cast<std::int64_t>(patch));
      const Point corner = frame.grid.corner(patch);
      points.push_back({.x = corner.x + 8, .y = corner.y + 8});
    }
    images.names.push_back("image " + std::to_string(images.names.size()));
    images.files.push_back(images.names.back());
    images.frames.push_back(frame);
    images.points.push_row(points);
    images.patches.labels.push_row(labels);
    images.patches.images.push_back(caos::unit_rows(rows.view(), "synthetic"));
  }

  Rng rng_;
  double share_clear_;
};

Indices range(std::size_t first, std::size_t last) {
  Indices indices(last - first);
  std::iota(indices.begin(), indices.end(), first);
  return indices;
}

/// The share of wrong ones among the accepted, of points of the first landmark or of images.
struct Shares {
  double points = 0;
  double images = 0;
  std::size_t accepted_points = 0;
  std::size_t accepted_images = 0;
};

double share_of(const caos::selection::Selection& selected, const std::vector<bool>& wrong) {
  std::size_t bad = 0;
  for (std::size_t j = 0; j < wrong.size(); ++j) bad += selected.accepted[j] && wrong[j] ? 1U : 0U;
  return selected.num_accepted == 0
             ? 0
             : static_cast<double>(bad) / static_cast<double>(selected.num_accepted);
}

/// What is realized on candidates whose landmarks are known.
Shares shares_of(const LandmarkAcceptance& acceptance, const CheckedProposals& truth) {
  std::vector<bool> wrong_point;
  std::vector<bool> wrong_image;
  for (std::size_t j = 0; j < truth.size(); ++j) {
    wrong_point.push_back(truth.wrong(j, 0) != 0);
    wrong_image.push_back(truth.is_wrong(j));
  }
  return {.points = share_of(acceptance.landmarks[0], wrong_point),
          .images = share_of(acceptance.images, wrong_image),
          .accepted_points = acceptance.landmarks[0].num_accepted,
          .accepted_images = acceptance.images.num_accepted};
}

const LandmarkTolerance half_a_patch = LandmarkTolerance::parse("8px");

/// Divides, proposes and accepts as the program does.
Shares run(const AnnotatedImages& images, std::size_t num_references, std::size_t num_labeled,
           std::uint64_t seed, const Miscoverage& q) {
  const auto division = caos::divide_labeled(num_labeled, num_references, seed);
  const LandmarkProposer proposer(images, division.references, {}, {.k = 2, .threads = 1});
  const CheckedProposals calibration =
      check_proposals(proposer, images, division.calibration, half_a_patch);
  const CheckedProposals candidates =
      check_proposals(proposer, images, range(num_labeled, images.size()), half_a_patch);
  return shares_of(accept_landmarks(calibration, candidates.images, q), candidates);
}

TEST(LandmarkAcceptance, KeepsTheShareOfWrongOnesBelowQ) {
  for (const char* text : {"0.1", "0.2"}) {
    const Miscoverage q = Miscoverage::parse(text);
    Mean points;
    Mean images;
    std::size_t accepted_points = 0;
    std::size_t accepted_images = 0;
    for (std::uint64_t trial = 0; trial < 600; ++trial) {
      const Shares shares = run(Maker(5, trial, 0.75).images(60, 2), 8, 38, trial, q);
      points.add(shares.points);
      images.add(shares.images);
      accepted_points += shares.accepted_points;
      accepted_images += shares.accepted_images;
    }
    EXPECT_LE(points.value(), q.value() + 3 * points.error());
    EXPECT_LE(images.value(), q.value() + 3 * images.error());
    EXPECT_GT(accepted_points, 600U);
    EXPECT_GT(accepted_images, 0U);
  }
}

// Where every proposal is wrong, one candidate is accepted with probability q at most. Proposals
// for the references themselves are another matter, left out or not: they make it much more.

/// Every patch random, and no proposal, which has whole thousandths of a pixel, within the
/// tolerance.
AnnotatedImages hopeless(std::uint64_t trial, std::size_t count) {
  AnnotatedImages images = Maker(9, trial, 0).images(count);
  for (std::size_t i = 0; i < count; ++i) images.points(i, 0).x += 0.0004;
  return images;
}

const LandmarkTolerance nothing_is_right = LandmarkTolerance::parse("0.0001px");

/// Whether the last image is accepted, given the confidences of calibration images that are all
/// wrong.
double accepts_last(const std::vector<ProposedImage>& calibration, const ProposedImage& candidate,
                    const Miscoverage& q) {
  std::vector<caos::selection::Outcome> outcomes;
  for (const ProposedImage& image : calibration) {
    outcomes.push_back({.confidence = image.confidences[0], .wrong = true});
  }
  return caos::selection::select(outcomes, candidate.confidences, q).num_accepted == 1 ? 1 : 0;
}

TEST(LandmarkAcceptance, IsValidForReferencesThatAreNotCalibrationImages) {
  const Miscoverage q = Miscoverage::parse("0.2");
  Mean share;
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    const AnnotatedImages images = hopeless(trial, 15);
    const auto division = caos::divide_labeled(14, 5, trial);
    const LandmarkProposer proposer(images, division.references, {}, {.k = 2, .threads = 1});
    const CheckedProposals calibration =
        check_proposals(proposer, images, division.calibration, nothing_is_right);
    EXPECT_EQ(calibration.num_wrong(0), 9U);
    share.add(accepts_last(calibration.images,
                           proposer.propose(images.patches.images[14].view(), images.frames[14]),
                           q));
  }
  EXPECT_NEAR(share.value(), 0.2, 4 * share.error());
}

TEST(LandmarkAcceptance, WouldNotBeValidWithEachReferenceLeftOut) {
  const Miscoverage q = Miscoverage::parse("0.2");
  Mean share;
  for (std::uint64_t trial = 0; trial < 1500; ++trial) {
    const AnnotatedImages images = hopeless(trial, 10);
    std::vector<ProposedImage> calibration;
    for (std::size_t i = 0; i < 9; ++i) {
      Indices others = range(0, 9);
      std::erase(others, i);
      const LandmarkProposer without(images, others, {}, {.k = 2, .threads = 1});
      calibration.push_back(without.propose(images.patches.images[i].view(), images.frames[i]));
    }
    const LandmarkProposer all(images, range(0, 9), {}, {.k = 2, .threads = 1});
    share.add(accepts_last(calibration,
                           all.propose(images.patches.images[9].view(), images.frames[9]), q));
  }
  EXPECT_GT(share.value(), 0.2 + 3 * share.error());
}

TEST(LandmarkAcceptance, RefusesReferencesThatCalibrate) {
  const AnnotatedImages images = Maker(1, 0, 1).images(8);
  const LandmarkProposer proposer(images, range(0, 5), {}, {.k = 2, .threads = 1});
  caos::test::expect_error(
      [&] { (void)check_proposals(proposer, images, range(4, 8), half_a_patch); },
      caos::ErrorKind::invalid_input,
      {"the image 'image 4' is a reference and calibrates; it must be one of them"});
}

TEST(LandmarkAcceptance, RefusesSubjectsWithSeveralImages) {
  AnnotatedImages images = Maker(1, 0, 1).images(8);
  images.patches.subjects = {0, 1, 2, 3, 4, 5, 6, 6};
  const LandmarkProposer proposer(images, range(0, 5), {}, {.k = 2, .threads = 1});
  EXPECT_THROW((void)check_proposals(proposer, images, range(5, 8), half_a_patch), caos::Error);
}

TEST(LandmarkAcceptance, CountsAbsentLandmarksAsWrong) {
  AnnotatedImages images = Maker(1, 0, 1).images(8, 2);
  const LandmarkProposer proposer(images, range(0, 5), {}, {.k = 2, .threads = 1});
  EXPECT_EQ(check_proposals(proposer, images, range(5, 8), half_a_patch).num_wrong(0), 0U);
  images.patches.labels(6, 0) = caos::missing_label;
  const CheckedProposals checked = check_proposals(proposer, images, range(5, 8), half_a_patch);
  EXPECT_EQ(checked.num_wrong(0), 1U);
  EXPECT_EQ(checked.num_wrong(1), 0U);
  EXPECT_FALSE(checked.is_wrong(0));
  EXPECT_TRUE(checked.is_wrong(1));
}

TEST(LandmarkAcceptance, MeasuresInMillimetersAndPercent) {
  AnnotatedImages images = Maker(1, 0, 1).images(8, 2);
  const LandmarkProposer proposer(images, range(0, 5), {}, {.k = 2, .threads = 1});
  images.points(5, 0).x += 6;  // what is proposed stays where it was
  const auto num_wrong = [&](const char* tolerance,
                             std::vector<std::optional<double>> scales = {}) {
    return check_proposals(proposer, images, {5}, LandmarkTolerance::parse(tolerance), scales)
        .num_wrong(0);
  };
  EXPECT_EQ(num_wrong("6px"), 0U);
  EXPECT_EQ(num_wrong("5.9px"), 1U);
  const std::vector<std::optional<double>> half(8, 0.5);
  EXPECT_EQ(num_wrong("3mm", half), 0U);
  EXPECT_EQ(num_wrong("2.9mm", half), 1U);
  EXPECT_THROW((void)num_wrong("3mm"), caos::Error);
  images.points(5, 1) = {.x = images.points(5, 0).x + 12, .y = images.points(5, 0).y};
  EXPECT_EQ(num_wrong("50%:0-1"), 0U);
  EXPECT_EQ(num_wrong("49%:0-1"), 1U);
  images.patches.labels(5, 1) = caos::missing_label;  // the distance is not known
  EXPECT_EQ(num_wrong("50%:0-1"), 1U);
}

TEST(LandmarkAcceptance, SaysWhatHoldsAndWhatIsMissing) {
  const Miscoverage q = Miscoverage::parse("0.1");
  EXPECT_EQ(points_claim(LandmarkTolerance::parse("5px"), q),
            "Among the accepted points of each landmark, the expected share that is more than 5 px "
            "off, or whose landmark is absent, is at most 10 %.");
  EXPECT_EQ(images_claim(LandmarkTolerance::parse("4%:a-b"), Miscoverage::parse("0.125")),
            "Among the accepted images, the expected share with any landmark more than 4 % of the "
            "distance a-b off or absent is at most 12.5 %.");
  const std::vector<std::string> left_out = {"chin", "nose"};
  EXPECT_EQ(
      images_claim(LandmarkTolerance::parse("5px"), q, left_out),
      "Among the accepted images, the expected share with any proposed landmark (all but chin, "
      "nose) more than 5 px off or absent is at most 10 %.");
  const std::string plain = caos::acceptance_assumption({});
  EXPECT_EQ(plain.find("subject"), std::string::npos);
  EXPECT_TRUE(caos::acceptance_assumption({.subjects_known = true})
                  .starts_with(plain + "; every subject has one image"));
  EXPECT_TRUE(caos::acceptance_assumption({.division_given = true})
                  .starts_with(plain + "; the division into references and calibration images"));
  EXPECT_FALSE(caos::too_few_to_accept(9, q));
  EXPECT_EQ(caos::too_few_to_accept(8, q),
            "q 0.1: nothing can be accepted with 8 calibration images; at least 9 are needed");
}

TEST(LandmarkTolerance, ReadsNumbersWithUnits) {
  for (const char* text : {"5px", "0.25mm", "4%:left eye-right eye"}) {
    EXPECT_EQ(LandmarkTolerance::parse(text).text(), text);
  }
  for (const char* text : {"", "5", "px", "-5px", "0px", "nanpx", "infpx", "5 px", "4%", "4%:"}) {
    EXPECT_THROW((void)LandmarkTolerance::parse(text), caos::Error) << text;
  }
}

TEST(LandmarkTolerance, FindsTheEndsOfItsDistance) {
  using Ends = std::pair<std::size_t, std::size_t>;
  const std::vector<std::string> names = {"a", "b-c", "a-b", "c"};
  EXPECT_EQ(LandmarkTolerance::parse("4%:a-c").ends(names), Ends(0, 3));
  EXPECT_THROW((void)LandmarkTolerance::parse("4%:a-b-c").ends(names), caos::Error);  // two ways
  EXPECT_THROW((void)LandmarkTolerance::parse("4%:a-d").ends(names), caos::Error);
  EXPECT_THROW((void)LandmarkTolerance::parse("4%:a-a").ends(names), caos::Error);
}

TEST(DivideLabeled, PutsEveryImageOnOneSide) {
  const auto division = caos::divide_labeled(10, 4, 3);
  EXPECT_EQ(division.references.size(), 4U);
  caos::split::check_partition(division, 10);
  EXPECT_NE(division.references, caos::divide_labeled(10, 4, 4).references);
  EXPECT_THROW((void)caos::divide_labeled(10, 0, 3), caos::Error);
  EXPECT_THROW((void)caos::divide_labeled(10, 10, 3), caos::Error);
}

}  // namespace
