#include <fmt/format.h>
#include <pybind11/stl.h>

#include <optional>

#include "bindings/python/arguments/alphas.hpp"
#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/arguments/confidence_argument.hpp"
#include "bindings/python/arguments/method_argument.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/arguments/partition_argument.hpp"
#include "bindings/python/arguments/point_inputs.hpp"
#include "bindings/python/module/errors.hpp"
#include "bindings/python/module/progress.hpp"
#include "bindings/python/module/register.hpp"
#include "bindings/python/objects/patch_evaluation.hpp"
#include "bindings/python/objects/patch_images.hpp"
#include "caos/error.hpp"
#include "caos/evaluate.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"
#include "caos/landmarks/embedding/patch_source.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

using Names = std::optional<std::vector<std::string>>;

constexpr const char* evaluate_text =
    R"(Coverage and set sizes of every method on test images whose landmarks are known.

embeddings, labels: of the labeled images, as in calibrate.
test, test_labels: the same of the test images.
alpha: the accepted miscoverage, one or several.
methods: names among 'caos', 'full-caos', 'scos', 'scos-best', 'scos-oracle', 'split-caos',
    'split-caos-cal' and 'split-caos-ref'. None means caos alone.
k: how many of the smallest scores a CAOS score adds. Fix it before seeing results. A landmark needs
    k + 1 labeled images; others are left out, with a warning.
ablation_ks: also plain CAOS at each of these k.
simultaneous: also one threshold for all landmarks of an image.
score: as in calibrate; full-caos needs another one than geometry.
subjects: whose image each labeled one is, where someone has several; then with caos and full-caos
    only.
test_subjects: whose image each test image is. Figures are then averages that match the target: over
    subjects, or over images.
target: which new image sets are for, where subjects have several: 'subject', a random image of a
    new subject; or 'image', a random image of the pool that labeled and test images are together.
landmarks: their names; numbers from 0 if not given.
offsets: where in its patch each landmark of the labeled images lies, as in calibrate; the score
    'geometry' reads them.
grid: how the patches of plain arrays lie, (columns, rows), row by row; for the score 'geometry'.
reference_indices: which labeled images are references in the split methods. None means a random
    half.
seed: draws that half.
clip_rank: where too few images calibrate a landmark, use the largest score as the paper does; voids
    the guarantee.
confidence: split-caos covers at least 1 - alpha with this confidence for this calibration (PAC),
    not only on average over calibrations; for each landmark.
pool_size: with confidence: how many images the labeled ones were drawn from at random, including
    them. None means independent draws from a population.
keep_sets: 'caos' or 'full-caos': keep the sets of this one of the methods, as sets and packed_sets
    of the result.
points, test_points: (x, y) of the landmarks in pixels, [n, L, 2] and [m, L, 2], NaN where a landmark
    is absent: then the result has point_errors, how far proposed points are off. Both embeddings
    must come from caos.patches.embed.
tolerances: with points: also the share of points at most so far off: numbers of pixels, or texts
    such as '5px', '2mm', '4%:A-B' (percent of the distance of the landmarks A and B) or '4%' with
    normalize_by.
normalize_by: with points: two names of landmarks; errors also in percent of their distance in the
    same image. Images that lack one are left out of these figures.
scales: with points: millimeters per pixel, one number or one per test image; errors also in mm.
threads: 0 means one per core. Results do not depend on it.
progress: called now and then with (done, total), the number of test images, and at the end.

Returns a LandmarkEvaluation. Warns of alphas that are infeasible. Ctrl-C ends the work.)";

/// As a user gives them.
struct Arguments {
  std::vector<Method> methods{};
  std::vector<Miscoverage> alphas{};
  std::size_t k = 0;
  std::vector<std::size_t> ablation_ks{};
  bool simultaneous = false;
  std::optional<std::string> score{};
  py::object subjects{};
  py::object test_subjects{};
  ImageTarget target = ImageTarget::subject;
  Names landmarks{};
  py::object offsets = py::none();
  py::object grid = py::none();
  py::object reference_indices{};
  std::uint64_t seed = 0;
  RankRule rule = RankRule::every_label;
  py::object confidence = py::none();
  std::optional<std::int64_t> pool_size{};
  std::optional<Method> keep_sets{};
  PointArguments points{};
  std::size_t threads = 0;
};

/// All images, ready for the engine. Looks into those that it is made of.
struct Inputs {
  LabeledPatches labeled{};
  TestPatches test{};
  std::vector<std::string> left_out{};
};

void check_same_kind(const PatchImages& images, const PatchImages& test) {
  require(test.size() > 0, ErrorKind::invalid_input, "test: there are no images");
  require(images.size() > 0, ErrorKind::invalid_input, "embeddings: there are no images");
  require(test.dimension() == images.dimension(), ErrorKind::invalid_input, [&] {
    return fmt::format("test: has {} numbers for each patch; embeddings has {}", test.dimension(),
                       images.dimension());
  });
  if (!images.embedded() || !test.embedded()) return;
  require_same_embedding(images.embedded()->record, "embeddings", test.embedded()->record, "test");
}

Inputs inputs_of(const PatchImages& images, py::handle labels, const PatchImages& test,
                 py::handle test_labels, const Arguments& arguments) {
  check_same_kind(images, test);
  Inputs inputs;
  inputs.labeled.labels = patch_labels_of(labels, "labels", images);
  inputs.labeled.tasks = landmark_names_of(arguments.landmarks, inputs.labeled.labels.cols());
  inputs.labeled.subjects = subjects_of(arguments.subjects, images.size());
  inputs.labeled.subjects_known = names_subjects(arguments.subjects);
  inputs.labeled.offsets = offsets_of(arguments.offsets, inputs.labeled.labels);
  inputs.labeled.grids = images.grids(arguments.grid);
  inputs.test.grids = test.grids(test.embedded() ? py::none() : arguments.grid);
  inputs.test.labels = patch_labels_of(test_labels, "test_labels", test);
  inputs.test.subjects = subjects_of(arguments.test_subjects, test.size(), "test_subjects");
  require(inputs.test.labels.cols() == inputs.labeled.num_tasks(), ErrorKind::invalid_input, [&] {
    return fmt::format("test_labels: has {} landmarks; labels has {}", inputs.test.labels.cols(),
                       inputs.labeled.num_tasks());
  });
  inputs.test.num_patches = test.sizes();
  inputs.test.image = [&test](std::size_t i) { return test.unit(i); };
  if (test.has_cells()) inputs.test.cells = [&test](std::size_t i) { return *test.cells(i); };
  inputs.left_out = drop_unusable(inputs.labeled, inputs.test.labels, arguments.k);
  return inputs;
}

LandmarkEvaluateOptions options_of(const Arguments& arguments, const PatchScore& score,
                                   std::size_t num_labeled) {
  LandmarkEvaluateOptions options;
  options.methods = arguments.methods;
  options.alphas = arguments.alphas;
  options.k = arguments.k;
  options.ablation_ks = arguments.ablation_ks;
  options.simultaneous = arguments.simultaneous;
  options.score = score;
  options.partition = partition_of(arguments.reference_indices, num_labeled, arguments.seed);
  options.rule = arguments.rule;
  options.conditional = conditional_of(arguments.confidence, arguments.pool_size, num_labeled);
  options.keep_sets = arguments.keep_sets;
  options.target = arguments.target;
  options.threads = arguments.threads;
  return options;
}

PatchEvaluation evaluate_patches(const PatchImages& images, py::handle labels,
                                 const PatchImages& test, py::handle test_labels,
                                 const Arguments& arguments, const py::object& callable) {
  Inputs inputs = inputs_of(images, labels, test, test_labels, arguments);
  std::optional<PointInputs> points =
      point_inputs(images, labels, test, test_labels, arguments.landmarks, arguments.points);
  const ChosenScore chosen = score_of(arguments.score, images, !arguments.grid.is_none());
  LandmarkEvaluateOptions options = options_of(arguments, chosen.score, images.size());
  Progress progress(callable);
  options.progress = progress.reporter();
  PatchEvaluation result{.report = {.num_labeled = images.size(), .num_test = test.size()},
                         .num_patches = test.sizes()};
  LandmarkReport& report = result.report;
  report.landmarks = inputs.labeled.tasks;
  report.left_out = inputs.left_out;
  report.k = options.k;
  report.score = chosen.score;
  report.own_parameter = chosen.own_parameter;
  {
    const py::gil_scoped_release released;
    inputs.labeled.images = images.all_units(options.threads);
    add_cells(images, inputs.labeled, options.threads);
    report.evaluation = evaluate_landmarks(inputs.labeled, inputs.test, options);
    if (points) {
      result.points = measure(*points, inputs.labeled, inputs.test, options);
      report.points = result.points->summary;
    }
  }
  progress.finish(test.size());
  for (const std::string& text : warnings_of(report, options.rule)) warn(text);
  const auto large = large_regions_text(report.evaluation, OptionNames::arguments);
  if (large && images.embedded()) warn(*large);
  return result;
}

std::vector<std::size_t> counts_of(const py::object& object, const char* name) {
  std::vector<std::size_t> counts;
  if (object.is_none()) return counts;
  for (const std::int64_t value : integers_of(object, name)) {
    counts.push_back(count_of(value, name, 1));
  }
  return counts;
}

}  // namespace

void register_patch_evaluation(py::module_& module) {
  const LandmarkEvaluateOptions defaults;
  public_function(
      module, "patches_evaluate", "evaluate", "caos.patches",
      [](const py::object& embeddings, const py::object& labels, const py::object& test,
         const py::object& test_labels, const py::object& alpha, const py::object& names,
         std::int64_t k, const py::object& ablation_ks, bool simultaneous,
         const std::optional<std::string>& score, const py::object& subjects,
         const py::object& test_subjects, const std::string& target, const Names& landmarks,
         const py::object& offsets, const py::object& grid, const py::object& reference_indices,
         std::int64_t seed, bool clip_rank, const py::object& confidence,
         std::optional<std::int64_t> pool_size, const std::optional<std::string>& keep_sets,
         const py::object& points, const py::object& test_points, const py::object& tolerances,
         const py::object& normalize_by, const py::object& scales, std::int64_t threads,
         const py::object& progress) {
        Arguments arguments{
            .methods = names.is_none() ? LandmarkEvaluateOptions{}.methods : methods_of(names),
            .alphas = Alphas(alpha).distinct()};
        arguments.k = count_of(k, "k", 1);
        arguments.ablation_ks = counts_of(ablation_ks, "ablation_ks");
        arguments.simultaneous = simultaneous;
        arguments.score = score;
        arguments.subjects = subjects;
        arguments.test_subjects = test_subjects;
        arguments.target = parse_target(target);
        arguments.landmarks = landmarks;
        arguments.offsets = offsets;
        arguments.grid = grid;
        arguments.reference_indices = reference_indices;
        arguments.seed = count_of(seed, "seed");
        arguments.rule = clip_rank ? RankRule::clip : RankRule::every_label;
        arguments.confidence = confidence;
        arguments.pool_size = pool_size;
        if (keep_sets) arguments.keep_sets = parse_method(*keep_sets);
        arguments.points = {points, test_points, tolerances, normalize_by, scales};
        arguments.threads = count_of(threads, "threads");
        const PatchImages images(embeddings, "embeddings", PatchImages::Single::refused);
        const PatchImages tested(test, "test", PatchImages::Single::refused);
        return evaluate_patches(images, labels, tested, test_labels, arguments, progress);
      },
      py::arg("embeddings"), py::arg("labels"), py::arg("test"), py::arg("test_labels"),
      py::kw_only(), py::arg("alpha") = usual_alphas(), py::arg("methods") = py::none(),
      py::arg("k") = defaults.k, py::arg("ablation_ks") = py::none(),
      py::arg("simultaneous") = defaults.simultaneous, py::arg("score") = py::none(),
      py::arg("subjects") = py::none(), py::arg("test_subjects") = py::none(),
      py::arg("target") = std::string(target_name(defaults.target)),
      py::arg("landmarks") = py::none(), py::arg("offsets") = py::none(),
      py::arg("grid") = py::none(), py::arg("reference_indices") = py::none(),
      py::arg("seed") = default_halving_seed,
      py::arg("clip_rank") = defaults.rule == RankRule::clip, py::arg("confidence") = py::none(),
      py::arg("pool_size") = py::none(), py::arg("keep_sets") = py::none(),
      py::arg("points") = py::none(), py::arg("test_points") = py::none(),
      py::arg("tolerances") = py::none(), py::arg("normalize_by") = py::none(),
      py::arg("scales") = py::none(), py::arg("threads") = defaults.threads,
      py::arg("progress") = py::none(), evaluate_text);
}

}  // namespace caos::python
