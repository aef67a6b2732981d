#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <filesystem>

#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/arguments/embed_arguments.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/module/embedding_properties.hpp"
#include "bindings/python/module/register.hpp"
#include "bindings/python/objects/embedded_images.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"
#include "caos/vision/drawing/synthetic_face.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

using Location = std::pair<double, double>;

constexpr const char* home = "caos.patches";

constexpr const char* grid_text =
    R"(How the patches of an image lie in it: row by row, from the upper left corner.

Grid(width, height, patch_size) is that of an image which is embedded at its own size, with the last
patches reaching over its edge. What caos.patches.embed returns has the grid of each image. Points
are (x, y) in pixels of the image as it was given, even if it was made smaller to be embedded.)";

constexpr const char* embedded_text =
    R"(Images as patch embeddings, made by caos.patches.embed.

embedded.embeddings is one float32 array [n, P, D] of unit rows, or a list of arrays [P, D] where
images differ in size. embedded[...] takes some of the images, by a slice, a mask or numbers.
Functions of caos.patches take it in place of plain arrays; calibrations then know the way of
embedding.)";

constexpr const char* embed_text =
    R"(Turn images into patch embeddings.

images: a folder; an image file; a list of files; or arrays of uint8 [height, width, 3], red, green,
    blue.
backbone: 'builtin-2', a descriptor of gradients that needs nothing; 'builtin', that of version
    0.1.0; or 'onnx:FILE', a model such as DINOv3.
preset, output, onnxruntime: for onnx: settings of a known model, the name of its output, and where
    ONNX Runtime's library is.
working_size: a longest side such as 512, or a box such as '192x224', to which images are made
    smaller, never larger; in a box all images share one grid. 'original': images as they are.
precision: 'float16', to which the backbone's numbers are rounded, or 'float32', as they are.
location: for aligned images: (sigma, weight), how wide in pixels, and how much, a patch's place
    counts.
cell: the side of the cells that are labels of landmarks, in pixels of the image that is embedded:
    4 (the default) or 8, for the score geometry; or 16, the patches, for every score. Patches where
    there is a location.
apply_orientation: turn JPEG files as EXIF says.
cache: a folder that keeps the embeddings of files, so that they are computed once.
cache_size: of that folder, such as '500MB'; above it, embeddings used longest ago are deleted.
threads: 0 means one per core. Results do not depend on it.
progress: a function that is called with how many images are done, and how many there are.

Returns EmbeddedImages. An image that cannot be used is a ValueError.)";

constexpr const char* draw_faces_text =
    R"(Draw faces that never were, with landmarks whose places are known, to try things out.

n: how many. The first ones are the same whatever their number.
seed: the same seed draws the same faces, those of the program 'caos landmarks draw'.
threads: 0 means one per core.

Returns images, uint8 [n, 218, 178, 3]; points, [n, 42, 2], the (x, y) of the landmarks in pixels;
and the names of the landmarks.)";

py::tuple draw_faces(std::int64_t count, std::int64_t seed, std::int64_t threads) {
  const std::size_t n = count_of(count, "n", 1);
  const std::size_t series = count_of(seed, "seed");
  const std::size_t workers = count_of(threads, "threads");
  std::vector<vision::DrawnFace> faces(n);
  {
    const py::gil_scoped_release released;
    parallel_for(n, 1, workers,
                 [&](std::size_t i, std::size_t) { faces[i] = vision::draw_face(series, i); });
  }
  const vision::DrawnFace& first = faces.front();
  py::array_t<std::uint8_t> images({n, first.image.height, first.image.width, std::size_t{3}});
  py::array_t<double> points({n, first.landmarks.size(), std::size_t{2}});
  std::uint8_t* pixel = images.mutable_data();
  double* place = points.mutable_data();
  for (const vision::DrawnFace& face : faces) {
    pixel = std::ranges::copy(face.image.rgb, pixel).out;
    for (const vision::NamedPoint& point : face.landmarks) {
      *place++ = point.position.x;
      *place++ = point.position.y;
    }
  }
  std::vector<std::string> names;
  for (const vision::NamedPoint& point : first.landmarks) names.push_back(point.name);
  return py::make_tuple(images, points, names);
}

std::optional<vision::LocationPrior> location_of(const std::optional<Location>& location) {
  if (!location) return std::nullopt;
  return vision::LocationPrior{.sigma = location->first, .weight = location->second};
}

/// What suits the default score where nothing is given.
std::optional<std::size_t> cell_of(const std::optional<std::int64_t>& cell,
                                   const EmbeddingRecord& record) {
  if (!cell && record.location) return std::nullopt;
  return choose_cell(cell ? std::to_string(*cell) : "",
                     choose_score(default_score, record.backbone).score);
}

EmbeddedImages embed_in_a_way(const py::object& images, const std::string& backbone,
                              const std::optional<std::string>& preset,
                              const std::optional<std::string>& output,
                              const py::object& working_size, const std::string& precision,
                              const std::optional<Location>& location,
                              const std::optional<std::int64_t>& cell, bool apply_orientation,
                              const std::optional<std::filesystem::path>& onnxruntime,
                              const std::optional<std::filesystem::path>& cache,
                              const std::string& cache_size, std::int64_t threads,
                              const py::object& progress) {
  EmbeddingRecord record{
      .backbone = backbone,
      .preset = preset.value_or(""),
      .output = output.value_or(""),
      .working_size =
          working_size_of(working_size).value_or(std::string(vision::default_working_size)),
      .precision = parse_precision(precision)};
  record.apply_orientation = apply_orientation;
  record.location = location_of(location);
  record.cell = cell_of(cell, record);
  return embed(images, std::move(record),
               {.cache = cache.value_or("").string(),
                .cache_size = cache_size,
                .onnxruntime = onnxruntime.value_or("").string(),
                .threads = count_of(threads, "threads"),
                .progress = progress});
}

void register_grid(py::module_& module) {
  public_class<Grid>(module, "Grid", home, grid_text)
      .def(py::init([](std::int64_t width, std::int64_t height, std::int64_t patch_size) {
             return Grid::over(count_of(width, "width", 1), count_of(height, "height", 1),
                               count_of(patch_size, "patch_size", 1));
           }),
           py::arg("width"), py::arg("height"),
           py::arg("patch_size") = EmbeddingRecord{}.patch_size)
      .def_property_readonly(
          "rows", [](const Grid& grid) { return grid.frame.grid.rows; }, "How many rows.")
      .def_property_readonly(
          "columns", [](const Grid& grid) { return grid.frame.grid.columns; }, "How many columns.")
      .def_property_readonly(
          "patch_size", [](const Grid& grid) { return grid.frame.grid.patch_size; },
          "The side of a patch in pixels of the image that was embedded.")
      .def_property_readonly(
          "width", [](const Grid& grid) { return grid.frame.width; }, "Of the image, in pixels.")
      .def_property_readonly(
          "height", [](const Grid& grid) { return grid.frame.height; }, "Of the image, in pixels.")
      .def(
          "patch_at", &Grid::patches_at, py::arg("x"), py::arg("y"),
          "The patch that holds the point (x, y) of the image; an array of them where x or y is one. -1 for "
          "NaN.")
      .def(
          "corner",
          [](const Grid& grid, std::int64_t patch) {
            const vision::Point point =
                grid.frame.to_original(grid.frame.grid.corner(grid.checked(patch)));
            return py::make_tuple(point.x, point.y);
          },
          py::arg("patch"), "The (x, y) of a patch's upper left corner.")
      .def(
          "bounds",
          [](const Grid& grid, std::int64_t patch) {
            const vision::Bounds bounds = grid.frame.patch_bounds(grid.checked(patch));
            return py::make_tuple(bounds.left, bounds.top, bounds.right, bounds.bottom);
          },
          py::arg("patch"), "(left, top, right, bottom) of a patch, cut off where the image ends.")
      .def("__len__", &Grid::size)
      .def("__repr__", &Grid::text)
      .def(py::pickle([](const Grid& grid) { return state_of(grid); }, &grid_from));
}

void register_embedded_images(py::module_& module) {
  auto embedded = public_class<EmbeddedImages>(module, "EmbeddedImages", home, embedded_text);
  define_embedding(embedded, [](const EmbeddedImages& images) { return images.record; });
  embedded
      .def_readonly("embeddings", &EmbeddedImages::embeddings,
                    "float32 [n, P, D]; a list of arrays [P, D] where images differ in size.")
      .def_property_readonly(
          "grids",
          [](const EmbeddedImages& images) {
            std::vector<Grid> grids;
            for (const vision::Frame& frame : images.frames) grids.push_back({frame});
            return grids;
          },
          "The Grid of each image.")
      .def_readonly("names", &EmbeddedImages::names,
                    "The names of the files; numbers where images were arrays.")
      .def_property_readonly(
          "backbone", [](const EmbeddedImages& images) { return images.record.backbone; },
          "What embedded them.")
      .def_property_readonly(
          "backbone_identity", [](const EmbeddedImages& images) { return images.record.identity; },
          "What the embeddings depend on besides images, working size and precision.")
      .def(
          "labels_of",
          [](const EmbeddedImages& images, const py::object& points) {
            return images.labels_of(points);
          },
          py::arg("points"),
          "The patches, or cells, [n, L] that hold points of the images: labels of landmarks.\n\n"
          "points: (x, y) in pixels, [n, L, 2]. One with NaN is missing, its label -1; one outside "
          "of its image is a ValueError.")
      .def(
          "offsets_of", &EmbeddedImages::offsets_of, py::arg("points"),
          "Where in their patches, or cells, points lie, [n, L, 2], from (0, 0), the upper left corner, to "
          "(1, 1): offsets for caos.patches.calibrate.\n\n"
          "points: (x, y) in pixels, [n, L, 2]; NaN where one is missing.")
      .def("__len__", &EmbeddedImages::size)
      .def("__getitem__", &EmbeddedImages::select, py::arg("index"))
      .def("__repr__", &EmbeddedImages::text)
      .def(py::pickle([](const EmbeddedImages& images) { return state_of(images); },
                      &embedded_images_from));
}

}  // namespace

void register_embedding(py::module_& module) {
  const EmbeddingRecord defaults;
  register_grid(module);
  register_embedded_images(module);
  public_function(
      module, "patches_embed", "embed", home, &embed_in_a_way, py::arg("images"), py::kw_only(),
      py::arg("backbone") = defaults.backbone, py::arg("preset") = py::none(),
      py::arg("output") = py::none(), py::arg("working_size") = defaults.working_size,
      py::arg("precision") = std::string(precision_name(defaults.precision)),
      py::arg("location") = py::none(), py::arg("cell") = py::none(),
      py::arg("apply_orientation") = defaults.apply_orientation,
      py::arg("onnxruntime") = py::none(), py::arg("cache") = py::none(),
      py::arg("cache_size") = EmbedArguments{}.cache_size,
      py::arg("threads") = EmbedOptions{}.threads, py::arg("progress") = py::none(), embed_text);
  public_function(module, "patches_draw_faces", "draw_faces", home, &draw_faces, py::arg("n"),
                  py::kw_only(), py::arg("seed") = vision::default_series,
                  py::arg("threads") = EmbedOptions{}.threads, draw_faces_text);
}

}  // namespace caos::python
