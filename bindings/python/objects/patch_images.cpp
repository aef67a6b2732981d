#include "bindings/python/objects/patch_images.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <utility>

#include "bindings/python/arguments/numbers.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"
#include "caos/landmarks/embedding/patch_source.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/scorers/unit_rows.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

bool is_list(py::handle object) {
  return py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object);
}

/// Whether the items are images, and not rows of numbers.
bool holds_images(py::handle list, const std::string& name) {
  if (py::len(list) == 0) return true;
  const py::object first = py::reinterpret_borrow<py::object>(*py::iter(list));
  return as_array(first, name).ndim() != 1;
}

/// Items of arrays and tensors as Python's own numbers and texts. Equal items of a tensor would
/// otherwise be different keys of a dict.
py::object plain_item(py::handle item) {
  return py::hasattr(item, "item") ? item.attr("item")() : py::reinterpret_borrow<py::object>(item);
}

/// As tables write what is missing.
bool is_nan(py::handle item) {
  return PyFloat_Check(item.ptr()) != 0 && std::isnan(item.cast<double>());
}

py::object plain_items(py::handle object) {
  const bool only_dlpack = !py::hasattr(object, "__array__") && py::hasattr(object, "__dlpack__");
  if (!only_dlpack && !py::hasattr(object, "__array__")) {
    return py::reinterpret_borrow<py::object>(object);
  }
  const py::module_ numpy = py::module_::import("numpy");
  const py::array array = numpy.attr(only_dlpack ? "from_dlpack" : "asarray")(object);
  require_dimensions(array, 1, "subjects", "one subject per image");
  return array.attr("tolist")();
}

}  // namespace

PatchImages::PatchImages(py::handle object, std::string name, Single single)
    : name_(std::move(name)) {
  if (py::isinstance<EmbeddedImages>(object)) {
    embedded_ = object.cast<const EmbeddedImages&>();
    object = embedded_->embeddings;
  }
  add(object, single);
  if (embedded_) check_frames();
}

void PatchImages::check_frames() const {
  const auto& frames = embedded_->frames;
  bool fit = frames.size() == size();
  for (std::size_t i = 0; fit && i < size(); ++i) {
    fit = embedded_->patch_grid(i).size() == num_patches(i);
  }
  require(fit, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{}: its embeddings are not those that embed made, image by image; take images from it by "
        "its index, or hand in plain arrays",
        name_);
  });
}

void PatchImages::add(py::handle object, Single single) {
  if (is_list(object) && holds_images(object, name_)) {
    add_list(object);
    return;
  }
  const FloatArray& array = arrays_.emplace_back(object, name_);
  if (array.ndim() == 2 && single == Single::allowed) {
    add_image(array);
    return;
  }
  require_dimensions(array.array(), 3, name_, "images x patches x numbers of each patch");
  add_array(array);
}

void PatchImages::add_list(py::handle list) {
  arrays_.reserve(py::len(list));
  for (const py::handle image : list) {
    const std::string image_name = fmt::format("{}[{}]", name_, arrays_.size());
    const FloatArray& array = arrays_.emplace_back(image, image_name);
    require_dimensions(array.array(), 2, image_name, "patches x numbers of each patch");
    add_image(array);
  }
}

void PatchImages::add_image(const FloatArray& array) {
  refuse_empty(array);
  require(images_.empty() || array.shape(1) == dimension_, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} numbers for each patch; images before it have {}", array.name(),
                       array.shape(1), dimension_);
  });
  dimension_ = array.shape(1);
  images_.emplace_back(array.data(), array.shape(0), dimension_);
}

void PatchImages::add_array(const FloatArray& array) {
  refuse_empty(array);
  dimension_ = array.shape(2);
  const std::size_t size = array.shape(1) * dimension_;
  for (std::size_t i = 0; i < array.shape(0); ++i) {
    images_.emplace_back(array.data() + i * size, array.shape(1), dimension_);
  }
}

void PatchImages::refuse_empty(const FloatArray& array) const {
  const std::size_t last = array.ndim() - 1;
  require(array.shape(last - 1) > 0 && array.shape(last) > 0, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has shape {}; there must be patches, and numbers for each of them",
                       array.name(), shape_text(array.array()));
  });
}

std::vector<std::size_t> PatchImages::sizes() const {
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < size(); ++i) sizes.push_back(num_labels(i));
  return sizes;
}

Matrix<float> PatchImages::unit(std::size_t i) const {
  return unit_rows(images_[i], fmt::format("{}: image {}", name_, i));
}

std::vector<Matrix<float>> PatchImages::all_units(std::size_t threads) const {
  std::vector<Matrix<float>> units(size());
  parallel_for(size(), 1, threads, [&](std::size_t i, std::size_t) { units[i] = unit(i); });
  return units;
}

Matrix<std::int64_t> label_table_of(py::handle object, const std::string& name) {
  const py::array array = as_array(object, name);
  if (array.ndim() != 1) return integer_table_of(array, name, "images x landmarks");
  Matrix<std::int64_t> column(0, 1);
  for (const std::int64_t value : integers_of(array, name)) column.push_row({&value, 1});
  return column;
}

Matrix<std::int64_t> patch_labels_of(py::handle object, const std::string& name,
                                     const PatchImages& images) {
  Matrix<std::int64_t> labels = label_table_of(object, name);
  check_patch_labels(labels, images.sizes(), name, images.name());
  require(labels.cols() > 0, ErrorKind::invalid_input,
          [&] { return fmt::format("{}: has no landmarks", name); });
  return labels;
}

std::vector<std::optional<std::string>> subject_names_of(py::handle object,
                                                         const std::string& name) {
  py::dict known;  // by what they are called
  std::vector<std::optional<std::string>> names;
  for (const py::handle one : plain_items(object)) {
    const py::object subject = plain_item(one);
    if (subject.is_none() || is_nan(subject)) {
      names.emplace_back();
      continue;
    }
    const py::object text = py::str(subject);
    const py::object first = known.attr("setdefault")(text, subject);
    require(first.equal(subject), ErrorKind::invalid_input, [&] {
      return fmt::format("{}: two different subjects are both called '{}'", name,
                         text.cast<std::string>());
    });
    names.push_back(text.cast<std::string>());
  }
  return names;
}

std::vector<std::optional<std::string>> subject_names_of(py::handle object, const std::string& name,
                                                         std::size_t num_images) {
  auto names = subject_names_of(object, name);
  require(names.size() == num_images, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: there are {}; expected {}, one per image", name, names.size(),
                       num_images);
  });
  return names;
}

std::vector<std::size_t> subjects_of(py::handle object, std::size_t num_images,
                                     const std::string& name) {
  if (object.is_none()) return {};
  py::dict numbers;
  std::vector<std::optional<std::string>> names;
  for (const py::handle one : plain_items(object)) {
    const py::object subject = plain_item(one);
    if (subject.is_none() || is_nan(subject)) {
      names.emplace_back();
      continue;
    }
    const py::object number = numbers.attr("setdefault")(subject, numbers.size());
    names.push_back(py::str(number).cast<std::string>());
  }
  require(names.size() == num_images, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: there are {}; expected {}, one per image", name, names.size(),
                       num_images);
  });
  return number_subjects(names);
}

bool names_subjects(py::handle object) {
  if (object.is_none()) return false;
  const py::object items = plain_items(object);
  return std::any_of(items.begin(), items.end(), [](py::handle one) {
    const py::object subject = plain_item(one);
    return !subject.is_none() && !is_nan(subject);
  });
}

EmbeddingRecord record_of(const PatchImages& images, const ArrayLayout& layout) {
  if (images.embedded()) {
    require(!layout.patch_size && !layout.working_size, ErrorKind::invalid_input,
            "patch_size and working_size are for plain arrays; these images know theirs");
    return images.embedded()->record;
  }
  EmbeddingRecord record{.backbone = backbone_of_arrays,
                         .identity = identity_of_arrays(images.dimension()),
                         .precision = EmbeddingPrecision::float32};
  if (layout.patch_size) record.patch_size = count_of(*layout.patch_size, "patch_size", 1);
  if (layout.working_size) record.working_size = *layout.working_size;
  static_cast<void>(vision::WorkingSize::parse(record.working_size));
  return record;
}

std::vector<vision::PatchGrid> PatchImages::grids(const py::object& grid) const {
  std::vector<vision::PatchGrid> result;
  if (embedded_) {
    require(grid.is_none(), ErrorKind::invalid_input,
            "grid: is for plain arrays; embedded images have their own");
    for (const vision::Frame& frame : embedded_->frames) result.push_back(frame.grid);
    return result;
  }
  if (grid.is_none()) return result;
  const std::vector<std::int64_t> sides = integers_of(grid, "grid");
  require(sides.size() == 2 && sides[0] > 0 && sides[1] > 0, ErrorKind::invalid_input,
          "grid: must be (columns, rows), as in (12, 14)");
  const vision::PatchGrid all{.columns = static_cast<std::size_t>(sides[0]),
                              .rows = static_cast<std::size_t>(sides[1])};
  for (std::size_t i = 0; i < size(); ++i) {
    require(all.size() == num_patches(i), ErrorKind::invalid_input, [&] {
      return fmt::format("grid: {} x {} is not the layout of {} patches, which image {} of {} has",
                         all.columns, all.rows, num_patches(i), i, name_);
    });
    result.push_back(all);
  }
  return result;
}

vision::PatchGrid PatchImages::grid_of(std::size_t i, const vision::PatchGrid& of_arrays) const {
  if (embedded_) return embedded_->frames[i].grid;
  return of_arrays.size() == num_patches(i) ? of_arrays : vision::PatchGrid{};
}

void add_cells(const PatchImages& images, LabeledPatches& labeled, std::size_t threads) {
  if (!images.has_cells()) return;
  labeled.grids = images.grids(py::none());
  for (std::size_t i = 0; i < images.size(); ++i) {
    labeled.cells.sources.push_back(*images.cells(i));
  }
  read_cells(labeled, threads);
}

ChosenScore score_of(const std::optional<std::string>& name, const PatchImages& images,
                     bool has_grid) {
  const bool is_aligned = images.embedded() && images.embedded()->record.location;
  const bool usual = (images.embedded() || has_grid) && !is_aligned;
  const ChosenScore chosen =
      choose_score(name.value_or(usual ? default_score : paper_score),
                   images.embedded() ? images.embedded()->record.backbone : backbone_of_arrays);
  require(!images.has_cells() || chosen.score.reads_positions(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "score: {} compares patches, and {} was embedded with cells of {} pixels; embed with "
        "cell=16, or choose geometry",
        patch_score_text(chosen.score), images.name(), *images.embedded()->record.cell);
  });
  return chosen;
}

Matrix<Offset> offsets_of(const py::object& object, const Matrix<std::int64_t>& labels) {
  Matrix<Offset> offsets(labels.rows(), labels.cols());
  if (object.is_none()) {
    for (std::size_t i = 0; i < labels.rows(); ++i) {
      for (std::size_t t = 0; t < labels.cols(); ++t) {
        if (labels(i, t) != missing_label) offsets(i, t) = middle_of_patch;
      }
    }
    return offsets;
  }
  const RealArray array(object, "offsets");
  require_dimensions(array.array(), 3, "offsets", "images x landmarks x (x, y)");
  require(array.shape(0) == labels.rows() && array.shape(1) == labels.cols() && array.shape(2) == 2,
          ErrorKind::invalid_input, [&] {
            return fmt::format("offsets: has shape {}; expected ({}, {}, 2), as labels",
                               shape_text(array.array()), labels.rows(), labels.cols());
          });
  const std::vector<double> values = array.widened();
  const double* place = values.data();
  for (std::size_t i = 0; i < labels.rows(); ++i) {
    for (std::size_t t = 0; t < labels.cols(); ++t, place += 2) {
      if (labels(i, t) == missing_label) continue;
      const bool inside = place[0] >= 0 && place[0] <= 1 && place[1] >= 0 && place[1] <= 1;
      require(inside, ErrorKind::invalid_input, [&] {
        return fmt::format(
            "offsets: element [{}, {}] is ({}, {}); places in a patch are from 0 to 1", i, t,
            place[0], place[1]);
      });
      offsets(i, t) = {place[0], place[1]};
    }
  }
  return offsets;
}

std::vector<std::string> landmark_names_of(const std::optional<std::vector<std::string>>& names,
                                           std::size_t count) {
  if (!names) return numbered_names(count);
  require(names->size() == count, ErrorKind::invalid_input, [&] {
    return fmt::format("landmarks: there are {} names; labels has {} landmarks", names->size(),
                       count);
  });
  std::set<std::string> known;
  for (const std::string& name : *names) {
    require(known.insert(name).second, ErrorKind::invalid_input,
            [&] { return fmt::format("landmarks: there are two called '{}'", name); });
  }
  return *names;
}

}  // namespace caos::python
