#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <utility>

#include "bindings/python/module/errors.hpp"
#include "bindings/python/module/register.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/formats/check_table.hpp"
#include "caos/landmarks/formats/image_names.hpp"
#include "caos/landmarks/formats/landmark_file.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

using landmarks::LandmarkTable;
using Names = std::vector<std::string>;
using Size = std::pair<std::size_t, std::size_t>;

/// The meaning of a word; others are a ValueError.
template <typename T>
T choose(const char* argument, const std::string& word,
         std::initializer_list<std::pair<const char*, T>> meanings) {
  Names known;
  for (const auto& [name, meaning] : meanings) {
    if (word == name) return meaning;
    known.emplace_back(name);
  }
  throw Error(ErrorKind::invalid_input,
              fmt::format("{}: '{}' is not one of {}", argument, word, fmt::join(known, ", ")));
}

landmarks::TpsY y_of(const char* argument, const std::string& word) {
  using landmarks::TpsY;
  return choose<TpsY>(argument, word, {{"top", TpsY::top}, {"bottom", TpsY::bottom}});
}

/// Arguments of `read_landmarks`, as they come.
struct ReadArguments {
  std::filesystem::path path{};
  std::optional<std::filesystem::path> images{};
  std::optional<std::string> format{};
  std::optional<std::string> tps_y{};
  std::string tps_curves{};
  std::string csv_y{};
  std::string image_extension{};
  std::string instances{};
  bool instance_subjects = false;
  std::string missing_images{};
  std::string outside{};
  std::optional<Size> image_size{};
  bool apply_orientation = true;

  [[nodiscard]] landmarks::MissingImages missing() const {
    using landmarks::MissingImages;
    return choose<MissingImages>("missing_images", missing_images,
                                 {{"error", MissingImages::refuse}, {"skip", MissingImages::skip}});
  }

  /// A missing image is refused by its name, or has any size if it will be left out.
  [[nodiscard]] landmarks::ImageSizes sizes() const {
    if (image_size) {
      const landmarks::ImageSize size{image_size->first, image_size->second};
      return [size](const std::string&) { return size; };
    }
    if (!images) return {};
    const bool skip = missing() == landmarks::MissingImages::skip;
    return [known = image_sizes_in(images->string(), apply_orientation), folder = images->string(),
            file = path.string(), skip](const std::string& image) {
      const auto size = known(image);
      if (!size && !skip) landmarks::refuse_missing_image(file, image, folder);
      return size ? size : landmarks::ImageSize{1, 1};
    };
  }

  [[nodiscard]] landmarks::FileOptions options() const {
    using landmarks::TpsCurves;
    landmarks::FileOptions result;
    if (format) result.format = landmarks::parse_format(*format);
    if (tps_y) result.tps.y = y_of("tps_y", *tps_y);
    result.tps.curves = choose<TpsCurves>("tps_curves", tps_curves,
                                          {{"refuse", TpsCurves::refuse},
                                           {"skip", TpsCurves::skip},
                                           {"landmarks", TpsCurves::landmarks}});
    result.wide_csv_y = y_of("csv_y", csv_y);
    result.image_extension = image_extension;
    result.instances = landmarks::parse_instances(instances);
    result.instances.as_subjects = instance_subjects;
    result.sizes = sizes();
    return result;
  }
};

struct ReadTable {
  LandmarkTable table{};
  Names files{};
  Names notes{};
};

ReadTable read(const ReadArguments& arguments) {
  using landmarks::Outside;
  const Outside outside =
      choose<Outside>("outside", arguments.outside,
                      {{"refuse", Outside::refuse}, {"missing", Outside::to_missing}});
  ReadTable result;
  landmarks::FileOptions options = arguments.options();
  options.note = [&](const std::string& text) { result.notes.push_back(text); };
  const std::string file = arguments.path.string();
  result.table = landmarks::read_landmarks(file, options);
  if (arguments.images) {
    const std::string folder = arguments.images->string();
    landmarks::match_images(result.table, folder, file, arguments.missing());
    landmarks::ImageFolder images(folder);
    for (const auto& annotation : result.table.annotations) {
      result.files.push_back(images.find(annotation.image).value_or(""));
    }
  }
  landmarks::check_inside(result.table, options.sizes, file, outside);
  return result;
}

py::tuple tuple_of(const ReadTable& read) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  const LandmarkTable table = with_all_landmarks(read.table);
  const Names landmarks = read.table.landmark_names();
  const std::size_t n = table.annotations.size();
  py::array_t<double> points({n, landmarks.size(), std::size_t{2}});
  py::array_t<bool> hidden({n, landmarks.size()});
  py::array_t<double> scales(static_cast<py::ssize_t>(n));
  auto at = points.mutable_unchecked<3>();
  auto hidden_at = hidden.mutable_unchecked<2>();
  Names images;
  std::vector<std::optional<std::string>> subjects;
  for (std::size_t i = 0; i < n; ++i) {
    const landmarks::Annotation& annotation = table.annotations[i];
    images.push_back(annotation.image);
    subjects.push_back(annotation.subject);
    scales.mutable_at(i) = annotation.scale.value_or(nothing);
    for (std::size_t t = 0; t < landmarks.size(); ++t) {
      const landmarks::Landmark& landmark = annotation.landmarks[t];
      const bool marked = landmark.visibility != landmarks::Visibility::missing;
      at(i, t, 0) = marked ? landmark.x : nothing;
      at(i, t, 1) = marked ? landmark.y : nothing;
      hidden_at(i, t) = landmark.visibility == landmarks::Visibility::hidden;
    }
  }
  return py::make_tuple(images, landmarks, points, hidden, subjects, scales,
                        read.files.empty() && n > 0 ? py::none() : py::cast(read.files));
}

py::tuple read_landmarks(const std::filesystem::path& path,
                         const std::optional<std::filesystem::path>& images,
                         const std::optional<std::string>& format,
                         const std::optional<std::string>& tps_y, const std::string& tps_curves,
                         const std::string& csv_y, const std::string& image_extension,
                         const std::string& instances, bool instance_subjects,
                         const std::string& missing_images, const std::string& outside,
                         const std::optional<Size>& image_size, bool apply_orientation) {
  const ReadArguments arguments{path,
                                images,
                                format,
                                tps_y,
                                tps_curves,
                                csv_y,
                                image_extension,
                                instances,
                                instance_subjects,
                                missing_images,
                                outside,
                                image_size,
                                apply_orientation};
  const ReadTable table = [&] {
    const py::gil_scoped_release released;
    return read(arguments);
  }();
  for (const std::string& note : table.notes) warn(note);
  return tuple_of(table);
}

}  // namespace

void register_landmark_files(py::module_& module) {
  module.def("read_landmark_file", &read_landmarks, py::arg("path"), py::arg("images"),
             py::arg("format"), py::arg("tps_y"), py::arg("tps_curves"), py::arg("csv_y"),
             py::arg("image_extension"), py::arg("instances"), py::arg("instance_subjects"),
             py::arg("missing_images"), py::arg("outside"), py::arg("image_size"),
             py::arg("apply_orientation"),
             "What caos.patches.read_landmarks returns, as a tuple. Arguments are as there: path, "
             "images, format, tps_y, tps_curves, csv_y, image_extension, instances, "
             "instance_subjects, missing_images, outside, image_size, apply_orientation.");
}

}  // namespace caos::python
