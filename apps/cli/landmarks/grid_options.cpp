#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "apps/cli/landmarks/landmark_inputs.hpp"
#include "caos/error.hpp"
#include "caos/io/arrays/npy.hpp"

namespace caos::cli {
namespace {

/// A positive number, or 0.
std::size_t parse_count(std::string_view text) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  return error == std::errc() && end == text.data() + text.size() ? count : 0;
}

/// The place in its patch, whose left upper corner is (column, row); nothing if it is not there.
std::optional<Offset> offset_in(vision::Point at, std::size_t column, std::size_t row) {
  const Offset offset{.x = at.x - static_cast<double>(column),
                      .y = at.y - static_cast<double>(row)};
  const bool inside = 0 <= offset.x && offset.x <= 1 && 0 <= offset.y && offset.y <= 1;
  return inside ? std::optional(offset) : std::nullopt;
}

}  // namespace

std::optional<vision::PatchGrid> parse_grid(const std::string& text, std::size_t num_patches) {
  if (text.empty()) return std::nullopt;
  const std::size_t cross = text.find('x');
  const vision::PatchGrid grid{.columns = parse_count(std::string_view(text).substr(0, cross)),
                               .rows = cross == std::string::npos
                                           ? 0
                                           : parse_count(std::string_view(text).substr(cross + 1))};
  require(grid.columns > 0 && grid.rows > 0, ErrorKind::invalid_input,
          [&] { return fmt::format("--grid: '{}' must be columns x rows, as in 12x14", text); });
  require(grid.columns <= num_patches && grid.size() == num_patches, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "--grid: {} does not fit {} patches per image; columns times rows must be that number",
        text, num_patches);
  });
  return grid;
}

Matrix<Offset> read_positions(const std::string& path, const Matrix<std::int64_t>& labels,
                              const vision::PatchGrid& grid) {
  const io::NpyArray array = io::NpyArray::open(path);
  array.require_dimensions(3, "images x landmarks x 2");
  const io::Shape& shape = array.shape();
  require(shape[0] == labels.rows() && shape[1] == labels.cols() && shape[2] == 2,
          ErrorKind::invalid_input, [&] {
            return fmt::format(
                "{}: has shape [{}, {}, {}]; expected [{}, {}, 2], for the images and landmarks "
                "of the labels",
                path, shape[0], shape[1], shape[2], labels.rows(), labels.cols());
          });
  Matrix<Offset> offsets(labels.rows(), labels.cols(), middle_of_patch);
  array.visit([&](auto values) {
    for (std::size_t i = 0; i < labels.rows(); ++i) {
      for (std::size_t t = 0; t < labels.cols(); ++t) {
        if (labels(i, t) == missing_label) continue;
        const std::size_t flat = 2 * (i * labels.cols() + t);
        const vision::Point at{.x = static_cast<double>(values[flat]),
                               .y = static_cast<double>(values[flat + 1])};
        const auto patch = static_cast<std::size_t>(labels(i, t));
        const auto offset = offset_in(at, patch % grid.columns, patch / grid.columns);
        require(offset.has_value(), ErrorKind::bad_format, [&] {
          return fmt::format(
              "{}: the position at [{}, {}] is ({}, {}), outside of patch {}, which "
              "holds that landmark; positions are in patches",
              path, i, t, at.x, at.y, patch);
        });
        offsets(i, t) = *offset;
      }
    }
  });
  return offsets;
}

void add_grid_options(Command& command, GridOptions& options) {
  command
      .add_option("--grid", options.grid,
                  "How the patches of --embeddings lie, columns x rows, row by row; for --score "
                  "geometry")
      ->type_name("COLUMNSxROWS");
  add_path(
      command, "--positions", options.positions,
      "Where the landmarks of --labels lie, in patches, .npy [images, landmarks, 2]; otherwise "
      "in the middle of their patches");
}

}  // namespace caos::cli
