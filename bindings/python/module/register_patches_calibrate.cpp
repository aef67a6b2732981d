#include <pybind11/stl.h>

#include <optional>

#include "bindings/python/arguments/embed_arguments.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/arguments/pool_argument.hpp"
#include "bindings/python/module/errors.hpp"
#include "bindings/python/module/register.hpp"
#include "bindings/python/objects/patch_calibration.hpp"
#include "bindings/python/objects/patch_images.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

using Names = std::optional<std::vector<std::string>>;

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

}  // namespace

void register_patches_calibrate(py::module_& module) {
  const LandmarkCalibrateOptions defaults;
  public_function(module, "patches_calibrate", "calibrate", "caos.patches", &calibrate_patches,
                  py::arg("embeddings"), py::arg("labels"), py::kw_only(),
                  py::arg("k") = defaults.k, py::arg("score") = py::none(),
                  py::arg("subjects") = py::none(),
                  py::arg("target") = std::string(target_name(ImageTarget::subject)),
                  py::arg("pool") = py::none(), py::arg("landmarks") = py::none(),
                  py::arg("offsets") = py::none(), py::arg("grid") = py::none(),
                  py::arg("patch_size") = py::none(), py::arg("working_size") = py::none(),
                  py::arg("threads") = defaults.threads, calibrate_text);
}

}  // namespace caos::python
