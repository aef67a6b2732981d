#include "bindings/python/arguments/embed_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/module/progress.hpp"
#include "caos/error.hpp"
#include "caos/io/byte_size.hpp"
#include "caos/landmarks/embedding/embed_images.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

using Matrices = std::vector<Matrix<float>>;

bool is_path(py::handle object) {
  return py::isinstance<py::str>(object) || py::hasattr(object, "__fspath__");
}

std::string path_of(py::handle object) {
  return py::module_::import("os").attr("fspath")(object).cast<std::string>();
}

/// An image in memory, borrowed where its rows follow each other.
class PixelArray {
 public:
  PixelArray(py::handle object, const std::string& name) : array_(as_array(object, name)) {
    require(array_.dtype().kind() == 'u' && array_.itemsize() == 1 && array_.ndim() == 3 &&
                array_.shape(2) == 3,
            ErrorKind::invalid_input, [&] {
              return fmt::format(
                  "{}: is {} of shape {}; expected uint8 of shape (height, width, 3): red, green, "
                  "blue from 0 to 255",
                  name, py::str(array_.dtype()).cast<std::string>(), shape_text(array_));
            });
    array_ = py::array_t<std::uint8_t, py::array::c_style>::ensure(array_);
    height_ = static_cast<std::size_t>(array_.shape(0));
    width_ = static_cast<std::size_t>(array_.shape(1));
    data_ = static_cast<const std::uint8_t*>(array_.data());
  }

  [[nodiscard]] vision::Image image() const {
    return {.width = width_, .height = height_, .rgb = {data_, data_ + width_ * height_ * 3}};
  }

 private:
  py::array array_;
  std::size_t width_ = 0;
  std::size_t height_ = 0;
  const std::uint8_t* data_ = nullptr;
};

/// The images as they were given: all files, or all arrays.
struct Images {
  std::vector<std::string> files{};
  std::vector<PixelArray> arrays{};

  explicit Images(const py::object& images) {
    if (is_path(images)) {
      files = image_files(path_of(images));
      return;
    }
    for (const py::handle image : images) add(image);
    require(size() > 0, ErrorKind::invalid_input, "images: the list is empty");
  }

  void add(py::handle image) {
    const std::string name = fmt::format("images[{}]", size());
    require(is_path(image) ? arrays.empty() : files.empty(), ErrorKind::invalid_input,
            [&] { return fmt::format("{}: give either files or arrays, not both at once", name); });
    if (!is_path(image)) {
      arrays.emplace_back(image, name);
      return;
    }
    files.push_back(path_of(image));
    std::error_code ignored;
    require(std::filesystem::is_regular_file(files.back(), ignored), ErrorKind::not_found,
            [&] { return fmt::format("{}: no such file", files.back()); });
  }

  [[nodiscard]] std::size_t size() const { return files.size() + arrays.size(); }

  [[nodiscard]] std::vector<std::string> names() const {
    if (files.empty()) return numbered_names(arrays.size());
    std::vector<std::string> names;
    for (const std::string& file : files) {
      names.push_back(std::filesystem::path(file).filename().string());
    }
    return names;
  }
};

EmbedOptions options_of(const EmbeddingRecord& record, const EmbedArguments& arguments) {
  EmbedOptions options;
  options.decode.apply_orientation = record.apply_orientation;
  options.working_size = vision::WorkingSize::recorded(record.working_size);
  options.precision = record.precision;
  options.location = record.location;
  options.cell = record.cell;
  options.cache =
      cache_folder(arguments.cache, io::parse_byte_size(arguments.cache_size, "cache_size"));
  options.threads = arguments.threads;
  return options;
}

/// The same with pixels that are kept anyway.
CellSource sharing(CellSource cells, const std::shared_ptr<const vision::GrayImage>& gray) {
  if (cells.gray) cells.gray = gray;
  return cells;
}

/// Rows of images would no longer fit their labels if some were left out.
void require_all(const std::vector<FailedImage>& failed) {
  require(failed.empty(), ErrorKind::bad_format, [&] {
    return failed.size() == 1 ? failed[0].reason
                              : fmt::format("{} (and {} more images cannot be used)",
                                            failed[0].reason, failed.size() - 1);
  });
}

py::array_t<float> array_of(const Matrix<float>& matrix) {
  py::array_t<float> array({matrix.rows(), matrix.cols()});
  std::copy_n(matrix.view().data(), matrix.rows() * matrix.cols(), array.mutable_data());
  return array;
}

/// One array where all images have as many patches, else one each. Frees them on the way.
py::object arrays_of(Matrices matrices) {
  const Matrix<float>& first = matrices.front();
  const bool same = std::ranges::all_of(
      matrices, [&](const Matrix<float>& m) { return m.rows() == first.rows(); });
  if (!same) {
    py::list list;
    for (Matrix<float>& matrix : matrices) list.append(array_of(std::exchange(matrix, {})));
    return list;
  }
  const std::size_t size = first.rows() * first.cols();
  py::array_t<float> array({matrices.size(), first.rows(), first.cols()});
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const Matrix<float> matrix = std::exchange(matrices[i], {});
    std::copy_n(matrix.view().data(), size, array.mutable_data() + i * size);
  }
  return array;
}

}  // namespace

EmbeddedImages embed(const py::object& objects, EmbeddingRecord record,
                     const EmbedArguments& arguments) {
  const Images images(objects);
  Progress progress(arguments.progress);
  EmbedOptions options = options_of(record, arguments);
  options.progress = progress.reporter();
  EmbeddedImages result{.names = images.names()};
  Matrices matrices;
  const ImageVisitor visitor = in_order([&](EmbeddedImage&& image) {
    result.frames.push_back(image.frame);
    result.gray.push_back(std::make_shared<const vision::GrayImage>(std::move(image.gray)));
    matrices.push_back(std::move(image.patches));
    if (image.cells) result.cells.push_back(sharing(std::move(*image.cells), result.gray.back()));
  });
  {
    const py::gil_scoped_release released;
    const auto backbone = open_backbone(record.backbone, {.preset = record.preset,
                                                          .output = record.output,
                                                          .library = arguments.onnxruntime,
                                                          .threads = arguments.threads});
    record.identity = backbone->identity();
    const ImagesInMemory in_memory{.count = images.arrays.size(), .image = [&](std::size_t i) {
                                     return images.arrays[i].image();
                                   }};
    require_all(images.arrays.empty() ? stream_images(*backbone, images.files, options, visitor)
                                      : stream_images(*backbone, in_memory, options, visitor));
  }
  progress.finish(images.size());
  // A side that is not smaller than the patches leaves the patches as labels.
  if (result.cells.empty()) record.cell.reset();
  result.record = std::move(record);
  result.embeddings = arrays_of(std::move(matrices));
  return result;
}

}  // namespace caos::python
