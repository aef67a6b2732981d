#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bindings/python/arguments/annotated_argument.hpp"
#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/arguments/partition_argument.hpp"
#include "bindings/python/arguments/point_error_arguments.hpp"
#include "bindings/python/arguments/selection_arguments.hpp"
#include "bindings/python/module/errors.hpp"
#include "bindings/python/module/register.hpp"
#include "bindings/python/objects/patch_images.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/io/checksum.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"
#include "caos/landmarks/landmark_acceptance.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/miscoverage.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

constexpr const char* home = "caos.patches";

/// What `caos.patches.Acceptance` is.
struct Acceptance {
  LandmarkTolerance tolerance;
  Miscoverage q;
  Guarantee guarantee{};
  AcceptanceBasis basis{};
  std::vector<std::string> landmarks{};
  std::vector<std::string> left_out{};
  Indices references{};
  std::vector<ProposedImage> proposals{};
  LandmarkAcceptance acceptance{};

  [[nodiscard]] std::size_t num_calibration() const { return acceptance.images.num_calibration; }
};

constexpr const char* class_text =
    R"(Which proposed points may be accepted unseen, made by caos.patches.accept.

Of m candidates and L landmarks. print(acceptance) says what holds.)";

constexpr const char* accept_text =
    R"(Accept proposed points unseen, with a controlled share of wrong ones.

The labeled images are divided at random. Some, the references, propose points; the errors of their
proposals for the others, the calibration images, say which proposals for candidates may be
accepted: among the accepted points of each landmark the expected share that is more than the
tolerance off, or whose landmark is absent, is at most q (conformal selection, Jin and Candes 2023).
Points that are accepted come from the references alone.

labeled: labeled images, what caos.patches.embed returns; a random sample of all images.
points: (x, y) of their landmarks in pixels, [n, L, 2]; NaN where a landmark is absent, which counts
    as wrong.
candidates: all other images, embedded in the same way.
tolerance: how far off a point may be: a number of pixels, or a text such as '5px', '2mm' or
    '4%:A-B', percent of the distance of the landmarks A and B. Fix it before seeing results.
q: the largest expected share of wrong ones among the accepted. Fix it before seeing results.
references: how many labeled images propose: a number of them, or a share below 1.
seed: draws which ones.
reference_indices: the references themselves, in place of a random draw. The guarantee assumes that
    they were drawn at random, or fixed before errors were seen.
k, score: as in caos.patches.calibrate.
landmarks: their names; numbers from 0 if not given.
scales: millimeters per pixel of each labeled image, for a tolerance in mm.
subjects: whose image each labeled one is, then the candidates, n + m names or numbers; of all
    images or None. Two images of one subject are refused: keep one of them at random.
changed, reviewed: as in caos.conformal_selection.
threads: 0 means one per core. Results do not depend on it.

Returns an Acceptance.)";

// Arguments.

std::size_t num_references(double references, std::size_t n) {
  const bool is_share = references > 0 && references < 1;
  require(is_share || (references >= 1 && references == std::floor(references)),
          ErrorKind::invalid_input, [&] {
            return fmt::format("references: is {}; expected a number of images, or a share below 1",
                               references);
          });
  if (!is_share) return static_cast<std::size_t>(references);
  return static_cast<std::size_t>(std::floor(references * static_cast<double>(n)));
}

/// Whether subjects are known; then they must be of all images, and differ.
bool check_subjects(const py::object& subjects, std::size_t count) {
  require(
      subjects_of(subjects, count).empty(), ErrorKind::invalid_input,
      "subjects: a subject has several images; keep one of them at random, labeled or candidate");
  if (!names_subjects(subjects)) return false;
  const auto names = subject_names_of(subjects, "subjects", count);
  const auto unknown = std::ranges::find(names, std::optional<std::string>());
  require(unknown == names.end(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "subjects: that of image {} is not known, and those of other images are; accepting without "
        "review needs one image of each subject: name all, or leave images out",
        unknown - names.begin());
  });
  return true;
}

/// A copy of a labeled image would be accepted by what its own label says.
void check_not_labeled(const PatchImages& labeled, const PatchImages& candidates) {
  std::map<std::string, std::size_t> known;
  const auto content_of = [](const PatchImages& images, std::size_t i) {
    const Matrix<float> rows = images.unit(i);
    return io::checksum128(
        {std::as_bytes(std::span(rows.view().data(), rows.rows() * rows.cols()))});
  };
  for (std::size_t i = 0; i < labeled.size(); ++i) known.emplace(content_of(labeled, i), i);
  for (std::size_t j = 0; j < candidates.size(); ++j) {
    const auto found = known.find(content_of(candidates, j));
    require(found == known.end(), ErrorKind::invalid_input, [&] {
      return fmt::format(
          "candidates: image {} ('{}') is also labeled, as image {} ('{}'); candidates are images "
          "without labels: leave it out",
          j, embedded_of(candidates).names[j], found->second,
          embedded_of(labeled).names[found->second]);
    });
  }
}

split::Partition division_of(const py::object& reference_indices, double references, std::size_t n,
                             std::uint64_t seed) {
  if (!reference_indices.is_none()) return partition_of(reference_indices, n, seed);
  return divide_labeled(n, num_references(references, n), seed);
}

// The work.

struct Arguments {
  split::Partition division{};
  std::vector<std::optional<double>> scales{};
  LandmarkCalibrateOptions how{};
};

/// Fills in everything but the guarantee. Needs no GIL.
void accept_into(Acceptance& result, AnnotatedImages& labeled, const PatchImages& images,
                 const PatchImages& candidates, const Arguments& arguments) {
  labeled.patches.images = images.all_units(arguments.how.threads);
  add_cells(images, labeled.patches, arguments.how.threads);
  // Points of labeled images and candidates are proposed alike.
  if (candidates.embedded()->gray.empty()) labeled.gray.clear();
  const LandmarkProposer proposer(labeled, arguments.division.references, images.embedded()->record,
                                  arguments.how);
  result.landmarks = proposer.landmarks();
  result.left_out = proposer.left_out();
  result.references = arguments.division.references;
  const CheckedProposals calibration =
      check_proposals(proposer, labeled, arguments.division.calibration, result.tolerance,
                      arguments.scales, arguments.how.threads);
  result.proposals.resize(candidates.size());
  parallel_for(candidates.size(), 1, arguments.how.threads, [&](std::size_t j, std::size_t) {
    const auto& gray = candidates.embedded()->gray;
    result.proposals[j] = proposer.propose(
        candidates.unit(j).view(), candidates.embedded()->frames[j],
        labeled.gray.empty() ? vision::GrayImage() : *gray[j], candidates.cells(j));
  });
  result.acceptance = accept_landmarks(calibration, result.proposals, result.q);
}

Acceptance accept(const py::object& labeled, const py::object& points, const py::object& candidates,
                  const py::object& tolerance, const py::object& q, double references,
                  std::int64_t seed, const py::object& reference_indices, std::int64_t k,
                  const std::optional<std::string>& score,
                  const std::optional<std::vector<std::string>>& landmarks,
                  const py::object& scales, const py::object& subjects,
                  const std::vector<std::string>& changed, bool reviewed, std::int64_t threads) {
  const PatchImages images(labeled, "labeled", PatchImages::Single::refused);
  const PatchImages others(candidates, "candidates", PatchImages::Single::refused);
  require_same_embedding(embedded_of(images).record, "labeled", embedded_of(others).record,
                         "candidates");
  const bool subjects_known = check_subjects(subjects, images.size() + others.size());
  check_not_labeled(images, others);
  AnnotatedImages annotated = annotated_of(images, points, landmarks, "points");
  const ChosenScore chosen = score_of(score, images, true);
  const Arguments arguments{
      .division = division_of(reference_indices, references, images.size(), count_of(seed, "seed")),
      .scales = scales_of(scales, images.size(), "labeled image"),
      .how = {.k = count_of(k, "k", 1),
              .score = chosen.score,
              .own_parameter = chosen.own_parameter,
              .threads = count_of(threads, "threads")}};
  Acceptance result{
      .tolerance = LandmarkTolerance::parse(tolerance_text(tolerance)),
      .q = level_of(q),
      .guarantee = selection::guarantee_of(history_of(changed, reviewed)),
      .basis = {.subjects_known = subjects_known, .division_given = !reference_indices.is_none()}};
  {
    const py::gil_scoped_release released;
    accept_into(result, annotated, images, others, arguments);
  }
  if (const auto text = left_out_warning(result.left_out, arguments.how.k)) warn(*text);
  if (const auto text = too_few_to_accept(result.num_calibration(), result.q)) warn(*text);
  return result;
}

// Results.

py::array_t<double> point_table(const Acceptance& self) {
  py::array_t<double> array({self.proposals.size(), self.landmarks.size(), std::size_t{2}});
  double* place = array.mutable_data();
  for (const ProposedImage& image : self.proposals) {
    for (const vision::Point& point : image.points) {
      *place++ = point.x;
      *place++ = point.y;
    }
  }
  return array;
}

py::array_t<bool> accepted_table(const Acceptance& self) {
  py::array_t<bool> array({self.proposals.size(), self.landmarks.size()});
  bool* place = array.mutable_data();
  for (std::size_t j = 0; j < self.proposals.size(); ++j) {
    for (const auto& landmark : self.acceptance.landmarks) *place++ = landmark.accepted[j];
  }
  return array;
}

py::array_t<double> p_value_table(const Acceptance& self) {
  py::array_t<double> array({self.proposals.size(), self.landmarks.size()});
  double* place = array.mutable_data();
  for (std::size_t j = 0; j < self.proposals.size(); ++j) {
    for (const auto& landmark : self.acceptance.landmarks) *place++ = landmark.p_value(j);
  }
  return array;
}

std::string text_of(const Acceptance& self) {
  std::string text = fmt::format("Accepted: {} of {} points, and {} of {} images as a whole\n",
                                 self.acceptance.num_accepted_points(),
                                 self.proposals.size() * self.landmarks.size(),
                                 self.acceptance.images.num_accepted, self.proposals.size());
  if (self.guarantee.kind == Guarantee::Kind::none) {
    return text + fmt::format("Guarantee: {}.", self.guarantee.text());
  }
  return text + fmt::format("{}\n{}\nGuarantee: {}, if {}.", points_claim(self.tolerance, self.q),
                            images_claim(self.tolerance, self.q, self.left_out),
                            self.guarantee.text(), acceptance_assumption(self.basis));
}

void define_results(py::class_<Acceptance>& acceptance) {
  acceptance
      .def_property_readonly("points", &point_table,
                             "The proposed points, (x, y) in pixels, [m, L, 2].")
      .def_property_readonly("accepted", &accepted_table, "Which points are accepted, [m, L].")
      .def_property_readonly("p_values", &p_value_table, "Their p-values, [m, L].")
      .def_property_readonly(
          "image_accepted",
          [](const Acceptance& a) { return array_of(a.acceptance.images.accepted); },
          "Which images are accepted as a whole, [m].")
      .def_property_readonly(
          "image_p_values", [](const Acceptance& a) { return p_values_of(a.acceptance.images); },
          "Their p-values, [m].")
      .def_readonly("landmarks", &Acceptance::landmarks, "The names of the L landmarks.")
      .def_readonly("left_out", &Acceptance::left_out,
                    "The names of landmarks that too few references have.")
      .def_property_readonly(
          "references",
          [](const Acceptance& a) { return array_of(std::span<const std::size_t>(a.references)); },
          "Which labeled images proposed the points.")
      .def_property_readonly("num_calibration", &Acceptance::num_calibration,
                             "How many labeled images calibrated.")
      .def_property_readonly(
          "feasible", [](const Acceptance& a) { return is_feasible(a.num_calibration(), a.q); },
          "Whether the calibration images are enough for q. If not, nothing is accepted.")
      .def_property_readonly(
          "tolerance", [](const Acceptance& a) { return a.tolerance.text(); },
          "How far off a point may be.")
      .def_property_readonly(
          "q", [](const Acceptance& a) { return a.q.value(); },
          "The largest expected share of wrong ones among the accepted.")
      .def_property_readonly(
          "guarantee", [](const Acceptance& a) { return a.guarantee.text(); },
          "'FDR', or 'none' and why.")
      .def_property_readonly(
          "assumption", [](const Acceptance& a) { return acceptance_assumption(a.basis); },
          "The assumptions of the guarantee.")
      .def("__len__", [](const Acceptance& a) { return a.proposals.size(); })
      .def("__str__", &text_of)
      .def("__repr__", [](const Acceptance& a) {
        return fmt::format("Acceptance({} of {} points, tolerance {}, q {}, guarantee {})",
                           a.acceptance.num_accepted_points(),
                           a.proposals.size() * a.landmarks.size(), a.tolerance.text(), a.q.text(),
                           a.guarantee.text());
      });
}

}  // namespace

void register_acceptance(py::module_& module) {
  const LandmarkCalibrateOptions defaults;
  auto acceptance = public_class<Acceptance>(module, "Acceptance", home, class_text);
  define_results(acceptance);
  public_function(module, "patches_accept", "accept", home, &accept, py::arg("labeled"),
                  py::arg("points"), py::arg("candidates"), py::arg("tolerance"), py::arg("q"),
                  py::kw_only(), py::arg("references") = 0.5, py::arg("seed") = 0,
                  py::arg("reference_indices") = py::none(), py::arg("k") = defaults.k,
                  py::arg("score") = py::none(), py::arg("landmarks") = py::none(),
                  py::arg("scales") = py::none(), py::arg("subjects") = py::none(),
                  py::arg("changed") = std::vector<std::string>(), py::arg("reviewed") = false,
                  py::arg("threads") = defaults.threads, accept_text);
}

}  // namespace caos::python
