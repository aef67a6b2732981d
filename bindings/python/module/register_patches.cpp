#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "bindings/python/arguments/alphas.hpp"
#include "bindings/python/arguments/confidence_argument.hpp"
#include "bindings/python/arguments/embed_arguments.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/arguments/partition_argument.hpp"
#include "bindings/python/arguments/pool_argument.hpp"
#include "bindings/python/module/embedding_properties.hpp"
#include "bindings/python/module/errors.hpp"
#include "bindings/python/module/progress.hpp"
#include "bindings/python/module/register.hpp"
#include "bindings/python/objects/patch_calibration.hpp"
#include "bindings/python/objects/patch_images.hpp"
#include "caos/error.hpp"
#include "caos/evaluate.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"
#include "caos/landmarks/embedding/patch_source.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

using Names = std::optional<std::vector<std::string>>;

constexpr const char* home = "caos.patches";

// What is calibrated.

/// The pixels around landmarks, to refine points with.
void add_templates(const EmbeddedImages& embedded, LandmarkExamples& examples) {
  std::vector<const vision::GrayImage*> gray;
  for (const auto& image : embedded.gray) gray.push_back(image.get());
  if (gray.empty()) return;
  examples.patch_size = embedded.frames[0].grid.patch_size;
  examples.templates = templates_of(gray, examples);
}

PatchCalibration calibrate_patches(const py::object& embeddings, const py::object& labels,
                                   std::int64_t k, const std::optional<std::string>& score,
                                   const py::object& subjects, const std::string& target,
                                   const py::object& pool, const Names& landmarks,
                                   const py::object& offsets, const py::object& grid,
                                   const std::optional<std::int64_t>& patch_size,
                                   const py::object& working_size, std::int64_t threads) {
  const PatchImages images(embeddings, "embeddings", PatchImages::Single::refused);
  LandmarkExamples examples{.embedding =
                                record_of(images, {patch_size, working_size_of(working_size)})};
  examples.images = images.embedded() ? images.embedded()->names : numbered_names(images.size());
  for (const vision::PatchGrid& one : images.grids(grid)) {
    examples.grid_columns.push_back(one.columns);
  }
  examples.patches.labels = patch_labels_of(labels, "labels", images);
  examples.patches.tasks = landmark_names_of(landmarks, examples.patches.labels.cols());
  examples.patches.subjects = subjects_of(subjects, images.size());
  examples.patches.subjects_known = names_subjects(subjects);
  examples.pool = pool_argument(target, pool, subjects, images.size());
  examples.offsets = offsets_of(offsets, examples.patches.labels);
  if (images.embedded() && !offsets.is_none()) add_templates(*images.embedded(), examples);
  const ChosenScore chosen = score_of(score, images, !grid.is_none());
  const LandmarkCalibrateOptions options{.k = count_of(k, "k", 1),
                                         .score = chosen.score,
                                         .own_parameter = chosen.own_parameter,
                                         .threads = count_of(threads, "threads")};
  const auto calibrated = [&] {
    const py::gil_scoped_release released;
    examples.patches.images = images.all_units(options.threads);
    if (images.has_cells()) examples.patches.offsets = examples.offsets;
    add_cells(images, examples.patches, options.threads);
    return PatchCalibration(calibrate_landmarks(std::move(examples), options));
  }();
  if (const auto text = left_out_warning(calibrated.model().left_out, options.k)) warn(*text);
  return calibrated;
}

// What it predicts.

py::object predict_set(const PatchCalibration& self, const py::object& embeddings,
                       const py::object& alpha, const std::string& method, bool simultaneous,
                       bool clip_rank, const py::object& confidence,
                       std::optional<std::int64_t> pool_size, const py::object& reference_indices,
                       std::int64_t seed, const py::object& subjects, std::int64_t threads,
                       const py::object& progress) {
  const Alphas alphas(alpha);
  const PatchImages images(embeddings, "embeddings", PatchImages::Single::allowed);
  Progress told(progress);
  const Method chosen = parse_method(method);
  const std::size_t num_labeled = self.model().images.size();
  PatchCalibration::Request request{
      .alphas = alphas.values,
      .method = chosen,
      .simultaneous = simultaneous,
      .rule = clip_rank ? RankRule::clip : RankRule::every_label,
      .conditional = conditional_of(confidence, pool_size, num_labeled),
      .threads = count_of(threads, "threads"),
      .known = known_images(self.model(), subjects, images.size()),
      .tell = told.reporter()};
  if (chosen == Method::split_caos) {
    request.partition = partition_of(reference_indices, num_labeled, count_of(seed, "seed"));
  }
  PatchCalibration::Answer answer = [&] {
    const py::gil_scoped_release released;
    return self.predict(images, request);
  }();
  told.finish(images.size());
  for (const std::string& text : answer.warnings) warn(text);
  if (alphas.single) return py::cast(std::move(answer.regions[0]));
  return py::cast(std::move(answer.regions));
}

py::object predict_p(const PatchCalibration& self, const py::object& embeddings,
                     const py::object& subjects, std::int64_t threads, const py::object& progress) {
  const PatchImages images(embeddings, "embeddings", PatchImages::Single::allowed);
  Progress told(progress);
  PatchCalibration::Request request{.threads = count_of(threads, "threads")};
  request.known = known_images(self.model(), subjects, images.size());
  request.tell = told.reporter();
  const std::vector<Matrix<double>> p_values = [&] {
    const py::gil_scoped_release released;
    return self.predict_p(images, request);
  }();
  told.finish(images.size());
  return array_of_images(p_values, self.model().calibrations.size());
}

py::array_t<double> threshold(const PatchCalibration& self, const py::object& alpha,
                              bool clip_rank) {
  const Alphas alphas(alpha);
  const RankRule rule = clip_rank ? RankRule::clip : RankRule::every_label;
  Matrix<double> thresholds(alphas.values.size(), self.model().calibrations.size());
  for (std::size_t a = 0; a < thresholds.rows(); ++a) {
    for (std::size_t t = 0; t < thresholds.cols(); ++t) {
      thresholds(a, t) = self.model().calibrations[t].threshold(alphas.values[a], 0, rule);
    }
  }
  if (alphas.single) return array_of(std::as_const(thresholds).row(0));
  return array_of(std::as_const(thresholds).view());
}

bool is_feasible(const PatchCalibration& self, const py::object& alpha) {
  const Miscoverage exact = alpha_of(alpha);
  const LandmarkModel& model = self.model();
  const auto is_feasible = [&](const Calibration& one) { return one.is_feasible(exact); };
  if (!model.pool) return std::ranges::all_of(model.calibrations, is_feasible);
  return std::ranges::all_of(model.pool->new_sizes(), [&](std::size_t size) {
    return std::ranges::all_of(model.calibrations_for(size), is_feasible);
  });
}

py::array_t<std::int64_t> num_calibrating(const PatchCalibration& self) {
  Indices counts;
  for (const Calibration& calibration : self.model().calibrations) {
    counts.push_back(calibration.size());
  }
  return array_of(counts);
}

EmbeddedImages embed_like(const PatchCalibration& self, const py::object& images,
                          const std::optional<std::filesystem::path>& onnxruntime,
                          const std::optional<std::filesystem::path>& cache,
                          const std::string& cache_size, std::int64_t threads,
                          const py::object& progress) {
  const EmbeddingRecord& record = self.model().embedding;
  require(!is_embedding_file(record.backbone), ErrorKind::invalid_input,
          "the calibration is of plain embeddings; make those of new images as they were made");
  return embed(images, record,
               {.cache = cache.value_or("").string(),
                .cache_size = cache_size,
                .onnxruntime = onnxruntime.value_or("").string(),
                .threads = count_of(threads, "threads"),
                .progress = progress});
}

std::string text_of(const PatchCalibration& self) {
  const LandmarkModel& model = self.model();
  const std::string& backbone = model.embedding.backbone;
  return fmt::format("PatchCalibration({} landmark{} from {} images, k = {}, score {}{}; {}{})",
                     model.calibrations.size(), model.calibrations.size() == 1 ? "" : "s",
                     model.images.size(), model.k(), patch_score_text(model.score),
                     is_embedding_file(backbone) ? "" : ", backbone " + backbone,
                     guarantee_of(Method::caos).text(),
                     model.target() == ImageTarget::any
                         ? ""
                         : fmt::format(", for {}", target_text(model.target())));
}

// Files and bytes.

PatchCalibration load(const std::filesystem::path& path) {
  const py::gil_scoped_release released;
  return PatchCalibration(read_landmark_model(path.string()));
}

py::tuple pickled(const PatchCalibration& self) {
  const std::vector<std::byte> bytes = [&] {
    const py::gil_scoped_release released;
    return landmark_model_bytes(self.model());
  }();
  return py::make_tuple(py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

PatchCalibration from_state(const py::tuple& state) {
  const std::string_view text = state[0].cast<std::string_view>();
  const auto bytes = std::as_bytes(std::span(text));
  const py::gil_scoped_release released;
  return PatchCalibration(read_landmark_model(io::SafetensorsFile(
      io::MappedFile::of_bytes({bytes.begin(), bytes.end()}, "pickled calibration"))));
}

// What users read.

constexpr const char* class_text =
    R"(Landmarks of labeled images, calibrated once for every alpha.

Made by caos.patches.calibrate or read from a file with caos.patches.load. Never changes; safe to
use from several threads.)";

constexpr const char* calibrate_text =
    R"(Calibrate CAOS for landmarks, each a task of its own: which patch of an image holds it.

embeddings: one vector for each patch of each labeled image, [n, P, D]; a list of arrays [P, D]
    where images differ in size; or what caos.patches.embed returns. float32 is used where it lies.
    Vectors need not have length 1.
labels: whole numbers [n, L]: the patch that holds landmark l in image i, or -1 where it is missing;
    [n] for one landmark.
k: how many of the smallest scores a CAOS score adds. Fix it before seeing results. A landmark needs
    k images beside those of any one subject; others are left out, with a warning.
score: 'geometry', which estimates where a reference's landmark lies; 'cosine' (1 - similarity); or
    'margin' or 'softmax', which take an image's other patches into account; 'margin:5' and
    'softmax:0.1' give their parameter. None is geometry; cosine for plain arrays without grid, and
    for images embedded with a location. Choose it before seeing results.
subjects: whose image each is, n names or numbers, where someone has several. References of the same
    subject are left out, and every subject counts once. Labeled images must be random among those
    of their subject.
target: which new image the guarantee is for, where subjects have several: 'subject', a random image
    of a new subject; or 'image', a random image of a finite pool, of a subject without labeled
    images.
pool: for target 'image': whose image each image of the pool is, labeled and new, as in subjects.
landmarks: their names; numbers from 0 if not given.
offsets: where in its patch each landmark lies, [n, L, 2], from (0, 0), the upper left corner, to
    (1, 1), for proposals and 'geometry'; else the middle. EmbeddedImages.offsets_of makes them.
    With them, points are refined with the pixels of embedded images, which the model then
    contains around each landmark.
grid: how the patches of plain arrays lie, (columns, rows), row by row; for the score 'geometry'.
patch_size, working_size: how patches lie in images, for the program 'caos landmarks predict
    --backbone embeddings:FILE.npy'; 16 and 512 if not given. Only for plain arrays.
threads: 0 means one per core. Results do not depend on it.

Returns a PatchCalibration, for every alpha.)";

constexpr const char* predict_set_text =
    R"(Regions of new images: each holds its landmark with probability at least 1 - alpha.

That is for landmarks that are present.

embeddings: of the new images, [m, P, D], a list of arrays [P, D], or what embed returns; [P, D] is
    one image.
alpha: the accepted miscoverage, such as 0.1. A list of alphas gives a list of Regions, at the cost
    of one.
method: 'caos'; 'full-caos' for smaller sets; or 'split-caos', which calibrates on the images that
    are not references.
simultaneous: one threshold for all landmarks, so that all of an image are in their sets at once
    with probability at least 1 - alpha; with caos only.
clip_rank: where too few images calibrate a landmark, use the largest score as the paper does; voids
    the guarantee.
confidence: for split-caos: regions of a landmark contain it with probability at least 1 - alpha,
    with this confidence for this calibration (PAC), not only on average over calibrations.
pool_size: with confidence: how many images the labeled ones were drawn from at random, including
    them. None means independent draws from a population.
reference_indices: for split-caos: which labeled images are references. None means a random half.
seed: draws that half.
subjects: for a calibration with a pool: whose image each new one is, as there. An image that is not
    in the pool, or whose subject has labeled images, has no guarantee.
threads: 0 means one per core.
progress: a function that is called with how many images are done, and how many there are.

Returns Regions. Where alpha is infeasible for a landmark its regions are the whole image, and a
warning says so.)";

constexpr const char* predict_p_text =
    R"(The p-value of every patch for every landmark, [m, L, P]: in the set at alpha if it is > alpha.

Those of plain CAOS. A list of arrays [L, P] where images differ in size. 0 where a patch holds
nothing of the image. Arguments are as in predict_set.)";

void define_predictions(py::class_<PatchCalibration>& calibration) {
  const PatchCalibration::Request request;
  calibration
      .def("predict_set", &predict_set, py::arg("embeddings"), py::arg("alpha"), py::kw_only(),
           py::arg("method") = std::string(method_name(request.method)),
           py::arg("simultaneous") = request.simultaneous,
           py::arg("clip_rank") = request.rule == RankRule::clip,
           py::arg("confidence") = py::none(), py::arg("pool_size") = py::none(),
           py::arg("reference_indices") = py::none(), py::arg("seed") = default_halving_seed,
           py::arg("subjects") = py::none(), py::arg("threads") = request.threads,
           py::arg("progress") = py::none(), predict_set_text)
      .def("predict_p", &predict_p, py::arg("embeddings"), py::kw_only(),
           py::arg("subjects") = py::none(), py::arg("threads") = request.threads,
           py::arg("progress") = py::none(), predict_p_text)
      .def("embed", &embed_like, py::arg("images"), py::kw_only(),
           py::arg("onnxruntime") = py::none(), py::arg("cache") = py::none(),
           py::arg("cache_size") = EmbedArguments{}.cache_size,
           py::arg("threads") = request.threads, py::arg("progress") = py::none(),
           "Embed new images in the way of the labeled ones; arguments are as in "
           "caos.patches.embed.");
}

/// A property that the model has.
template <typename F>
auto told(F f) {
  return [f](const PatchCalibration& self) { return f(self.model()); };
}

void define_properties(py::class_<PatchCalibration>& calibration) {
  using Model = LandmarkModel;
  define_embedding(calibration, told([](const Model& model) { return model.embedding; }));
  calibration.def("__len__", told([](const Model& model) { return model.images.size(); }))
      .def_property_readonly("k", told([](const Model& model) { return model.k(); }),
                             "How many of the smallest scores a CAOS score adds.")
      .def_property_readonly("score",
                             told([](const Model& model) { return patch_score_text(model.score); }),
                             "The score, with its parameter.")
      .def_property_readonly("landmarks",
                             told([](const Model& model) { return model.labeled.tasks; }),
                             "The names of the landmarks that are calibrated.")
      .def_property_readonly("left_out", told([](const Model& model) { return model.left_out; }),
                             "The names of landmarks that too few images have.")
      .def_property_readonly("images", told([](const Model& model) { return model.images; }),
                             "The names of the labeled images, or their numbers.")
      .def_property_readonly(
          "backbone", told([](const Model& model) { return model.embedding.backbone; }),
          "What embedded the labeled images, and must embed new ones: builtin-2, builtin, onnx:FILE, "
          "or "
          "embeddings: where they were plain arrays.")
      .def_property_readonly("backbone_identity",
                             told([](const Model& model) { return model.embedding.identity; }),
                             "What their embeddings depend on besides images, size and precision.")
      .def_property_readonly(
          "dimension", told([](const Model& model) { return model.references.patches.cols(); }),
          "How many numbers describe a patch.")
      .def_property_readonly("num_calibrating", &num_calibrating,
                             "How many images calibrate each landmark, [L].")
      .def_property_readonly("guarantee",
                             told([](const Model&) { return guarantee_of(Method::caos).text(); }),
                             "What holds for the sets of each landmark.")
      .def_property_readonly("guarantee_is_for", told([](const Model& model) {
                               return guarantee_is_for(model.target());
                             }),
                             "For whom the guarantee is.")
      .def_property_readonly("target", told([](const Model& model) {
                               return std::string(target_text(model.target()));
                             }),
                             "Which new image the guarantee is for, in words.")
      .def_property_readonly("assumption",
                             told([](const Model& model) { return assumption_of(model.target()); }),
                             "What the guarantee rests on.")
      .def("is_feasible", &is_feasible, py::arg("alpha"),
           "Whether enough images calibrate every landmark for alpha. If not, regions are whole "
           "images. With a pool: for new subjects of every size there.\n\n"
           "alpha: the accepted miscoverage, such as 0.1.")
      .def(
          "threshold", &threshold, py::arg("alpha"), py::kw_only(),
          py::arg("clip_rank") = PatchCalibration::Request{}.rule == RankRule::clip,
          "The largest CAOS score of each landmark that conforms at alpha, [L]; infinity where alpha "
          "is infeasible.\n\n"
          "alpha: the accepted miscoverage, such as 0.1. Several give [alphas, L].\n"
          "clip_rank: where alpha is infeasible, the largest score of all, as in predict_set.")
      .def("__repr__", &text_of);
}

}  // namespace

void register_patches(py::module_& module) {
  const LandmarkCalibrateOptions defaults;
  auto calibration = public_class<PatchCalibration>(module, "PatchCalibration", home, class_text);
  define_predictions(calibration);
  define_properties(calibration);
  calibration
      .def(
          "save",
          [](const PatchCalibration& self, const std::filesystem::path& path) {
            write_landmark_model(path.string(), self.model());
          },
          py::call_guard<py::gil_scoped_release>(), py::arg("path"),
          "Write a file that caos.patches.load and the program 'caos landmarks predict' read, whole or "
          "not at all.\n\n"
          "path: where to; a file that is there is replaced.")
      .def_static("load", &load, py::arg("path"),
                  "Read a calibration, as caos.patches.load does.\n\n"
                  "path: of the file.")
      .def(py::pickle(&pickled, &from_state));
  public_function(module, "patches_calibrate", "calibrate", home, &calibrate_patches,
                  py::arg("embeddings"), py::arg("labels"), py::kw_only(),
                  py::arg("k") = defaults.k, py::arg("score") = py::none(),
                  py::arg("subjects") = py::none(),
                  py::arg("target") = std::string(target_name(ImageTarget::subject)),
                  py::arg("pool") = py::none(), py::arg("landmarks") = py::none(),
                  py::arg("offsets") = py::none(), py::arg("grid") = py::none(),
                  py::arg("patch_size") = py::none(), py::arg("working_size") = py::none(),
                  py::arg("threads") = defaults.threads, calibrate_text);
  public_function(
      module, "patches_load", "load", home, &load, py::arg("path"),
      "Read a calibration that PatchCalibration.save or the program 'caos landmarks calibrate' wrote.\n\n"
      "path: of the file.\n\n"
      "Returns a PatchCalibration.");
}

}  // namespace caos::python
