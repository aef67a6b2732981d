#include "bindings/python/objects/embedded_images.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "bindings/python/arguments/arrays.hpp"
#include "caos/error.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

/// Points [n, L, 2] of n images.
class Points {
 public:
  Points(py::handle object, std::size_t num_images, const std::string& name)
      : array_(object, name), name_(name) {
    require_dimensions(array_.array(), 3, name, "images x landmarks x (x, y)");
    require(array_.shape(0) == num_images && array_.shape(2) == 2, ErrorKind::invalid_input, [&] {
      return fmt::format("{}: has shape {}; expected ({}, landmarks, 2), an x and a y each", name,
                         shape_text(array_.array()), num_images);
    });
    values_ = array_.widened();
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t num_landmarks() const { return array_.shape(1); }
  [[nodiscard]] vision::Point operator()(std::size_t i, std::size_t t) const {
    const double* const place = values_.data() + (i * num_landmarks() + t) * 2;
    return {.x = place[0], .y = place[1]};
  }

 private:
  RealArray array_;
  std::string name_;
  std::vector<double> values_;
};

bool is_missing(vision::Point point) { return std::isnan(point.x) || std::isnan(point.y); }

/// Those of version 0.1.0 do not name it.
EmbeddingPrecision precision_in(const py::tuple& state) {
  return state.size() > 11 ? parse_precision(state[11].cast<std::string>())
                           : EmbeddingPrecision::float32;
}

std::string prior_text(const EmbeddingRecord& record) {
  return record.location ? " and a location prior" : "";
}

std::string cell_text(const EmbeddingRecord& record) {
  return record.cell ? fmt::format(", cell={}", *record.cell) : "";
}

/// Calls `use(i, t, frame, point)` for every point that is there; errors say which one is wrong.
template <typename Use>
void for_each_point(const std::vector<vision::Frame>& frames, const Points& points, Use use) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    for (std::size_t t = 0; t < points.num_landmarks(); ++t) {
      if (is_missing(points(i, t))) continue;
      try {
        use(i, t, frames[i], points(i, t));
      } catch (const Error& error) {
        throw Error(error.kind(),
                    fmt::format("{}: element [{}, {}]: {}", points.name(), i, t, error.what()));
      }
    }
  }
}

py::list gray_state(const EmbeddedImages& images) {
  py::list states;
  for (const auto& image : images.gray) {
    py::array_t<std::uint8_t> array({image->rows(), image->cols()});
    std::copy_n(image->view().data(), image->rows() * image->cols(), array.mutable_data());
    states.append(array);
  }
  return states;
}

std::shared_ptr<const vision::GrayImage> gray_from(py::handle state) {
  const auto array = py::array_t<std::uint8_t, py::array::c_style>::ensure(state);
  vision::GrayImage image(static_cast<std::size_t>(array.shape(0)),
                          static_cast<std::size_t>(array.shape(1)));
  std::copy_n(array.data(), array.size(), image.view().data());
  return std::make_shared<const vision::GrayImage>(std::move(image));
}

}  // namespace

Grid Grid::over(std::size_t width, std::size_t height, std::size_t patch_size) {
  return {{.width = width,
           .height = height,
           .scaled_width = width,
           .scaled_height = height,
           .working_width = width,
           .working_height = height,
           .grid = vision::grid_over(width, height, patch_size)}};
}

std::int64_t Grid::patch_at(double x, double y) const {
  if (is_missing({x, y})) return missing_label;
  return static_cast<std::int64_t>(frame.patch_at({x, y}));
}

py::object Grid::patches_at(const py::object& x, const py::object& y) const {
  const py::object numpy = py::module_::import("numpy");
  const py::list both = numpy.attr("broadcast_arrays")(x, y);
  const RealArray xs(both[0], "x");
  const RealArray ys(both[1], "y");
  const std::vector<double> x_values = xs.widened();
  const std::vector<double> y_values = ys.widened();
  if (xs.ndim() == 0) return py::int_(patch_at(x_values[0], y_values[0]));
  py::array_t<std::int64_t> patches(
      std::vector<py::ssize_t>(xs.array().shape(), xs.array().shape() + xs.ndim()));
  for (std::size_t i = 0; i < x_values.size(); ++i) {
    patches.mutable_data()[i] = patch_at(x_values[i], y_values[i]);
  }
  return patches;
}

Label Grid::checked(std::int64_t patch) const {
  const bool inside = patch >= 0 && static_cast<std::size_t>(patch) < size();
  require(inside, ErrorKind::invalid_input, [&] {
    return fmt::format("patch: is {}; the grid has patches 0 to {}", patch, size() - 1);
  });
  return static_cast<Label>(patch);
}

std::string Grid::text() const {
  return fmt::format("Grid({} rows x {} columns of patches of {}, image {} x {})", frame.grid.rows,
                     frame.grid.columns, frame.grid.patch_size, frame.width, frame.height);
}

py::array_t<std::int64_t> EmbeddedImages::labels_of(const py::object& object,
                                                    const std::string& name) const {
  const Points points(object, size(), name);
  py::array_t<std::int64_t> labels({size(), points.num_landmarks()});
  std::fill_n(labels.mutable_data(), labels.size(), missing_label);
  for_each_point(
      frames, points,
      [&](std::size_t i, std::size_t t, const vision::Frame& frame, vision::Point point) {
        labels.mutable_data()[i * points.num_landmarks() + t] =
            static_cast<std::int64_t>(frame.patch_at(point));
      });
  return labels;
}

py::array_t<double> EmbeddedImages::offsets_of(const py::object& object) const {
  const Points points(object, size(), "points");
  py::array_t<double> offsets({size(), points.num_landmarks(), std::size_t{2}});
  std::fill_n(offsets.mutable_data(), offsets.size(), std::nan(""));
  for_each_point(
      frames, points,
      [&](std::size_t i, std::size_t t, const vision::Frame& frame, vision::Point point) {
        const vision::Point offset = frame.offset_at(point);
        double* const place = offsets.mutable_data() + (i * points.num_landmarks() + t) * 2;
        place[0] = offset.x;
        place[1] = offset.y;
      });
  return offsets;
}

EmbeddedImages EmbeddedImages::select(const py::object& index) const {
  const py::object numpy = py::module_::import("numpy");
  // NumPy knows what slices, masks and lists of numbers mean.
  const py::object chosen = numpy.attr("atleast_1d")(numpy.attr("arange")(size())[index]);
  EmbeddedImages result{.record = record};
  py::list images;
  for (const std::int64_t i : integers_of(chosen, "index")) {
    result.names.push_back(names[static_cast<std::size_t>(i)]);
    result.frames.push_back(frames[static_cast<std::size_t>(i)]);
    if (!gray.empty()) result.gray.push_back(gray[static_cast<std::size_t>(i)]);
    if (!cells.empty()) result.cells.push_back(cells[static_cast<std::size_t>(i)]);
    if (py::isinstance<py::list>(embeddings)) images.append(embeddings[py::int_(i)]);
  }
  if (py::isinstance<py::list>(embeddings)) {
    result.embeddings = images;
  } else if (py::isinstance<py::slice>(index)) {
    result.embeddings = embeddings[index];  // a view
  } else {
    result.embeddings = embeddings[chosen];
  }
  return result;
}

std::string EmbeddedImages::text() const {
  const std::string shape = py::isinstance<py::list>(embeddings)
                                ? fmt::format("{} images of different sizes", size())
                                : fmt::format("embeddings {}", shape_text(embeddings));
  return fmt::format("EmbeddedImages({}, backbone {}{})", shape, record.backbone,
                     record.cell ? fmt::format(", cells of {}", *record.cell) : "");
}

py::tuple state_of(const Grid& grid) {
  const vision::Frame& frame = grid.frame;
  return py::make_tuple(frame.width, frame.height, frame.scaled_width, frame.scaled_height,
                        frame.working_width, frame.working_height, frame.grid.patch_size,
                        frame.grid.columns, frame.grid.rows);
}

Grid grid_from(const py::tuple& state) {
  const auto number = [&](std::size_t i) { return state[i].cast<std::size_t>(); };
  return {{.width = number(0),
           .height = number(1),
           .scaled_width = number(2),
           .scaled_height = number(3),
           .working_width = number(4),
           .working_height = number(5),
           .grid = {.patch_size = number(6), .columns = number(7), .rows = number(8)}}};
}

/// None where labels are patches.
py::object cell_state(const EmbeddedImages& images) {
  if (images.cells.empty()) return py::none();
  py::list sources;
  for (const CellSource& source : images.cells) {
    const vision::PatchGrid& grid = source.patches;
    sources.append(py::make_tuple(grid.patch_size, grid.columns, grid.rows,
                                  static_cast<int>(source.descriptor), source.gray != nullptr));
  }
  return py::make_tuple(images.record.cell.value(), sources);
}

/// `images` has pixels by now.
void read_cells(const py::object& state, EmbeddedImages& images) {
  if (state.is_none()) return;
  const auto cells = py::reinterpret_borrow<py::tuple>(state);
  images.record.cell = cells[0].cast<std::size_t>();
  for (const py::handle one : cells[1]) {
    const auto source = py::reinterpret_borrow<py::tuple>(one);
    const auto number = [&](std::size_t i) { return source[i].cast<std::size_t>(); };
    const std::size_t i = images.cells.size();
    images.cells.push_back(
        {.patches = {.patch_size = number(0), .columns = number(1), .rows = number(2)},
         .descriptor = static_cast<vision::PointDescriptor>(source[3].cast<int>()),
         .gray = source[4].cast<bool>() ? images.gray.at(i) : nullptr});
  }
}

py::tuple state_of(const EmbeddedImages& images) {
  const EmbeddingRecord& record = images.record;
  py::object location = py::none();
  if (record.location) location = py::make_tuple(record.location->sigma, record.location->weight);
  py::list grids;
  for (const vision::Frame& frame : images.frames) grids.append(state_of(Grid{frame}));
  return py::make_tuple(
      record.backbone, record.preset, record.output, record.identity, record.working_size,
      record.patch_size, record.apply_orientation, location, images.names, grids, images.embeddings,
      std::string(precision_name(record.precision)), gray_state(images), cell_state(images));
}

EmbeddedImages embedded_images_from(const py::tuple& state) {
  const auto text = [&](std::size_t i) { return state[i].cast<std::string>(); };
  EmbeddedImages images{.record = {.backbone = text(0),
                                   .preset = text(1),
                                   .output = text(2),
                                   .identity = text(3),
                                   .working_size = text(4),
                                   .precision = precision_in(state),
                                   .patch_size = state[5].cast<std::size_t>(),
                                   .apply_orientation = state[6].cast<bool>()},
                        .names = state[8].cast<std::vector<std::string>>(),
                        .embeddings = state[10]};
  if (!state[7].is_none()) {
    const auto [sigma, weight] = state[7].cast<std::pair<double, double>>();
    images.record.location = vision::LocationPrior{.sigma = sigma, .weight = weight};
  }
  // Version 0.1.0 did not keep pixels.
  if (state.size() > 12) {
    for (const py::handle image : state[12]) images.gray.push_back(gray_from(image));
  }
  if (state.size() > 13) read_cells(state[13], images);
  for (const py::handle grid : state[9]) {
    images.frames.push_back(grid_from(py::reinterpret_borrow<py::tuple>(grid)).frame);
  }
  return images;
}

std::optional<std::string> working_size_of(const py::object& size) {
  if (size.is_none()) return std::nullopt;
  return py::str(size).cast<std::string>();
}

void require_same_embedding(const EmbeddingRecord& expected, const std::string& expected_name,
                            const EmbeddingRecord& found, const std::string& found_name) {
  require(expected.identity == found.identity, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: was embedded by '{}', {} by '{}', which gives other embeddings",
                       found_name, found.identity, expected_name, expected.identity);
  });
  const bool same = expected.working_size == found.working_size &&
                    expected.precision == found.precision && expected.location == found.location &&
                    expected.cell == found.cell;
  require(same, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{}: was embedded with working_size '{}', {}{}{}, {} with '{}', {}{}{}; embed both in one "
        "way",
        found_name, found.working_size, precision_name(found.precision), prior_text(found),
        cell_text(found), expected_name, expected.working_size, precision_name(expected.precision),
        prior_text(expected), cell_text(expected));
  });
}

}  // namespace caos::python
