#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/csv.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/safetensors.hpp"
#include "caos/landmarks/image_pool_text.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/patch_tasks.hpp"
#include "caos/numerics/check_scores.hpp"
#include "caos/version.hpp"

namespace caos {
namespace {

constexpr const char* format_name = "caos-landmarks";
constexpr const char* format_version = "1";
/// With several calibrating images of a subject, or a pool: version 1 would not weight them.
constexpr const char* weighted_version = "2";

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw Error(ErrorKind::bad_format, fmt::format("{}: {}; calibrate again", file, why));
}

// Texts: lists are one line of CSV each.

std::string list_text(const std::vector<std::string>& items) { return io::csv_row(items); }

std::vector<std::string> parse_list(const std::string& text, std::size_t count,
                                    const std::string& file) {
  if (count == 0) return {};
  std::vector<std::string> items = io::parse_csv(text, file).header;
  if (items.size() != count) refuse(file, "a list of names has the wrong length");
  return items;
}

// Arrays.

template <typename T>
io::TensorRef tensor_of(std::string name, io::ElementType type, MatrixView<const T> matrix) {
  return {.name = std::move(name),
          .type = type,
          .shape = {matrix.rows(), matrix.cols()},
          .bytes = std::as_bytes(std::span(matrix.data(), matrix.rows() * matrix.cols()))};
}

template <typename T>
Matrix<T> copy(std::span<const T> values, const io::Shape& shape) {
  Matrix<T> matrix(shape[0], shape[1]);
  if (!values.empty()) std::ranges::copy(values, &matrix(0, 0));
  return matrix;
}

/// All rows of many matrices with the same columns, one after another.
template <typename T>
Matrix<T> stacked(const std::vector<Matrix<T>>& matrices, std::size_t cols) {
  Matrix<T> result(0, cols);
  for (const Matrix<T>& matrix : matrices) {
    for (std::size_t r = 0; r < matrix.rows(); ++r) result.push_row(matrix.row(r));
  }
  return result;
}

Matrix<Score> stacked_nearest(const LandmarkModel& model) {
  Matrix<Score> nearest(0, model.k());
  for (const Calibration& calibration : model.calibrations) {
    for (std::size_t i = 0; i < calibration.size(); ++i) nearest.push_row(calibration.nearest(i));
  }
  return nearest;
}

/// One row of whole numbers.
template <typename Numbers>
Matrix<std::int64_t> numbers(const Numbers& values) {
  Matrix<std::int64_t> row(1, values.size());
  std::ranges::transform(values, row.row(0).begin(),
                         [](auto value) { return static_cast<std::int64_t>(value); });
  return row;
}

Matrix<double> flat_offsets(const Matrix<Offset>& offsets) {
  Matrix<double> result(offsets.rows(), 2 * offsets.cols());
  for (std::size_t i = 0; i < offsets.rows(); ++i) {
    for (std::size_t t = 0; t < offsets.cols(); ++t) {
      result(i, 2 * t) = offsets(i, t).x;
      result(i, 2 * t + 1) = offsets(i, t).y;
    }
  }
  return result;
}

io::Metadata metadata_of(const LandmarkModel& model) {
  const EmbeddingRecord& embedding = model.embedding;
  const bool weighted = model.pool || !model.weights().is_plain();
  io::Metadata metadata = {{"format", format_name},
                           {"version", weighted ? weighted_version : format_version},
                           {"written_by", fmt::format("caos {}", version())},
                           {"backbone", embedding.backbone},
                           {"preset", embedding.preset},
                           {"output", embedding.output},
                           {"backbone_identity", embedding.identity},
                           {"working_size", embedding.working_size},
                           {"patch_size", fmt::format("{}", embedding.patch_size)},
                           {"orientation", embedding.apply_orientation ? "applied" : "ignored"},
                           {"score", patch_score_text(model.score)},
                           {"score_parameter", model.own_parameter ? "given" : "default"},
                           {"k", fmt::format("{}", model.k())},
                           {"images", list_text(model.images)},
                           {"landmarks", list_text(model.labeled.tasks)},
                           {"num_left_out", fmt::format("{}", model.left_out.size())},
                           {"left_out", list_text(model.left_out)}};
  if (embedding.location) {
    metadata["location_sigma"] = fmt::format("{}", embedding.location->sigma);
    metadata["location_weight"] = fmt::format("{}", embedding.location->weight);
  }
  if (model.labeled.subjects_known) metadata["subjects"] = "known";
  if (model.pool) put_pool(*model.pool, metadata);
  return metadata;
}

/// The arrays of a model as they are written.
class ModelTensors {
 public:
  explicit ModelTensors(const LandmarkModel& model)
      : model_(model),
        nearest_(stacked_nearest(model)),
        offsets_(flat_offsets(model.offsets)),
        calibrating_(numbers(model.calibrating)),
        subjects_(numbers(model.labeled.subjects)),
        grid_columns_(numbers(model.grid_columns)),
        patch_counts_(1, model.labeled.images.size()),
        patches_(stacked(model.labeled.images, model.references.patches.cols())) {
    for (std::size_t i = 0; i < model.labeled.images.size(); ++i) {
      patch_counts_(0, i) = static_cast<std::int64_t>(model.labeled.images[i].rows());
    }
  }

  [[nodiscard]] std::vector<io::TensorRef> refs() const {
    using io::ElementType;
    std::vector<io::TensorRef> refs = {
        tensor_of("nearest", ElementType::f64, nearest_.view()),
        tensor_of("offsets", ElementType::f64, offsets_.view()),
        tensor_of("labels", ElementType::i64, model_.labeled.labels.view()),
        tensor_of("calibrating", ElementType::i64, calibrating_.view()),
        tensor_of("subjects", ElementType::i64, subjects_.view()),
        tensor_of("patch_counts", ElementType::i64, patch_counts_.view()),
        tensor_of("references", ElementType::f32, model_.references.patches.view()),
        tensor_of("patches", ElementType::f32, patches_.view())};
    if (!model_.grid_columns.empty()) {
      refs.push_back(tensor_of("grid_columns", ElementType::i64, grid_columns_.view()));
    }
    return refs;
  }

 private:
  const LandmarkModel& model_;
  Matrix<Score> nearest_;
  Matrix<double> offsets_;
  Matrix<std::int64_t> calibrating_;
  Matrix<std::int64_t> subjects_;
  Matrix<std::int64_t> grid_columns_;
  Matrix<std::int64_t> patch_counts_;
  Matrix<float> patches_;
};

/// Reads and checks one part after another.
class Reader {
 public:
  explicit Reader(io::SafetensorsFile file) : file_(std::move(file)) {
    require(is_landmark_model(file_.metadata()), ErrorKind::bad_format, [&] {
      return fmt::format("{}: is {}; 'caos landmarks calibrate' makes landmark models",
                         file_.name(), what_it_is());
    });
    if (text("version") != format_version && text("version") != weighted_version) {
      refuse(file_.name(),
             fmt::format("has format version {}; this caos reads versions {} and {}",
                         io::printable(text("version")), format_version, weighted_version));
    }
  }

  LandmarkModel read() {
    LandmarkModel model;
    model.embedding = read_embedding();
    model.score = parse_patch_score(text("score"));
    model.own_parameter = text("score_parameter") == "given";
    model.labeled.labels = copy(file_.i64("labels", 2), shape("labels"));
    const std::size_t num_images = model.labeled.labels.rows();
    model.images = parse_list(text("images"), num_images, file_.name());
    model.labeled.tasks = parse_list(text("landmarks"), model.labeled.labels.cols(), file_.name());
    model.left_out = parse_list(text("left_out"), number("num_left_out"), file_.name());
    model.labeled.subjects = read_subjects(num_images);
    model.labeled.subjects_known = file_.metadata().contains("subjects");
    model.pool = take_pool(file_.metadata(), num_images, file_.name());
    if (model.pool && model.labeled.subjects != repeated_subjects(model.pool->subjects)) {
      refuse(file_.name(), "its subjects do not fit its pool");
    }
    model.offsets = read_offsets(model.labeled.labels);
    model.grid_columns = read_grid_columns(num_images);
    model.calibrating = read_indices("calibrating", num_images);
    read_references(model);
    read_patches(model);
    read_calibrations(model);
    return model;
  }

 private:
  [[nodiscard]] std::string what_it_is() const {
    const auto found = file_.metadata().find("format");
    const std::string format = found == file_.metadata().end() ? "" : found->second;
    if (format == "caos-calibration") return "a calibration of scores, for 'caos predict'";
    if (format == "caos-text") return "a text model, for 'caos text predict'";
    return "no landmark model";
  }

  [[nodiscard]] const std::string& text(const std::string& key) const {
    const auto found = file_.metadata().find(key);
    if (found == file_.metadata().end()) {
      refuse(file_.name(), fmt::format("'{}' is missing from its header", key));
    }
    return found->second;
  }

  template <typename T = std::size_t>
  [[nodiscard]] T number(const std::string& key) const {
    const std::string& digits = text(key);
    T value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) {
      refuse(file_.name(), fmt::format("'{}' in its header is no number", key));
    }
    return value;
  }

  [[nodiscard]] const io::Shape& shape(const std::string& name) const {
    return file_.tensor(name).shape;
  }

  [[nodiscard]] EmbeddingRecord read_embedding() const {
    EmbeddingRecord embedding{.backbone = text("backbone"),
                              .preset = text("preset"),
                              .output = text("output"),
                              .identity = text("backbone_identity"),
                              .working_size = text("working_size"),
                              .patch_size = number("patch_size"),
                              .apply_orientation = text("orientation") == "applied"};
    if (file_.metadata().contains("location_sigma")) {
      embedding.location = vision::LocationPrior{.sigma = number<double>("location_sigma"),
                                                 .weight = number<double>("location_weight")};
    }
    return embedding;
  }

  /// Ascending positions below `count`.
  [[nodiscard]] Indices read_indices(const std::string& name, std::size_t count) const {
    Indices indices;
    for (const std::int64_t value : file_.i64(name, 2)) {
      const bool good = value >= 0 && static_cast<std::size_t>(value) < count &&
                        (indices.empty() || static_cast<std::size_t>(value) > indices.back());
      if (!good) refuse(file_.name(), fmt::format("'{}' is out of order", name));
      indices.push_back(static_cast<std::size_t>(value));
    }
    return indices;
  }

  [[nodiscard]] std::vector<std::size_t> read_subjects(std::size_t num_images) const {
    std::vector<std::size_t> subjects;
    for (const std::int64_t value : file_.i64("subjects", 2)) {
      if (value < 0) refuse(file_.name(), "a subject has no number");
      subjects.push_back(static_cast<std::size_t>(value));
    }
    if (!subjects.empty() && subjects.size() != num_images) {
      refuse(file_.name(), "there is not one subject per image");
    }
    return subjects;
  }

  [[nodiscard]] Matrix<Offset> read_offsets(const Matrix<std::int64_t>& labels) const {
    const Matrix<double> flat = copy(file_.f64("offsets", 2), shape("offsets"));
    if (flat.rows() != labels.rows() || flat.cols() != 2 * labels.cols()) {
      refuse(file_.name(), "'offsets' do not fit the labels");
    }
    Matrix<Offset> offsets(labels.rows(), labels.cols());
    for (std::size_t i = 0; i < labels.rows(); ++i) {
      for (std::size_t t = 0; t < labels.cols(); ++t) {
        offsets(i, t) = {flat(i, 2 * t), flat(i, 2 * t + 1)};
      }
    }
    return offsets;
  }

  /// Models of older versions and of arrays have none.
  [[nodiscard]] std::vector<std::size_t> read_grid_columns(std::size_t num_images) const {
    if (!file_.contains("grid_columns")) return {};
    std::vector<std::size_t> columns;
    for (const std::int64_t value : file_.i64("grid_columns", 2)) {
      if (value <= 0) refuse(file_.name(), "a grid has no columns");
      columns.push_back(static_cast<std::size_t>(value));
    }
    if (columns.size() != num_images) refuse(file_.name(), "there is not one grid per image");
    return columns;
  }

  /// Patches are counted from 0, and there is memory for each up to the largest.
  void check_labels(const Matrix<std::int64_t>& labels) const {
    constexpr std::int64_t most_patches = std::int64_t{1} << 24;
    for (std::size_t i = 0; i < labels.rows(); ++i) {
      for (const std::int64_t label : labels.row(i)) {
        const bool is_patch = label >= 0 && label < most_patches;
        if (!is_patch && label != missing_label) refuse(file_.name(), "a label is no patch");
      }
    }
  }

  /// The distinct patches; which landmark uses which follows from the labels.
  void read_references(LandmarkModel& model) const {
    check_labels(model.labeled.labels);
    model.references.patches = copy(file_.f32("references", 2), shape("references"));
    model.references.tasks = reference_columns(model.labeled);
    std::size_t needed = 0;
    for (const PatchTask& task : model.references.tasks) {
      for (const std::uint32_t column : task.columns) {
        needed = std::max<std::size_t>(needed, column + std::size_t{1});
      }
    }
    if (needed != model.references.patches.rows()) {
      refuse(file_.name(), "the references do not fit the labels");
    }
  }

  /// All patches of the labelled images, which scores that are not symmetric need.
  void read_patches(LandmarkModel& model) const {
    if (model.score.is_symmetric()) return;
    const Matrix<float> all = copy(file_.f32("patches", 2), shape("patches"));
    std::size_t next = 0;
    for (const std::int64_t count : file_.i64("patch_counts", 2)) {
      if (count < 0 || next + static_cast<std::size_t>(count) > all.rows()) break;
      Matrix<float> image(0, all.cols());
      for (std::int64_t p = 0; p < count; ++p) image.push_row(all.row(next++));
      model.labeled.images.push_back(std::move(image));
    }
    if (next != all.rows() || model.labeled.size() != model.images.size()) {
      refuse(file_.name(), "the patches do not fit the images");
    }
    check(model.labeled);
  }

  void read_calibrations(LandmarkModel& model) const {
    const Matrix<Score> nearest = copy(file_.f64("nearest", 2), shape("nearest"));
    if (nearest.cols() != number("k") || nearest.cols() == 0) {
      refuse(file_.name(), "the calibration scores do not fit k");
    }
    std::size_t next = 0;
    const ExampleWeights weights = model.weights();
    for (const PatchTask& task : model.references.tasks) {
      const std::size_t n = positions_in(task, model.calibrating).size();
      if (next + n > nearest.rows()) refuse(file_.name(), "calibration scores are missing");
      Matrix<Score> own(0, nearest.cols());
      for (std::size_t i = 0; i < n; ++i) own.push_row(checked(nearest.row(next++)));
      model.calibrations.emplace_back(std::move(own), Grouping::none(n), task.images.size(),
                                      weights_of_task(weights, model.calibrating, task));
    }
    if (next != nearest.rows() || model.calibrations.empty()) {
      refuse(file_.name(), "the calibration scores do not fit the landmarks");
    }
  }

  [[nodiscard]] std::span<const Score> checked(std::span<const Score> row) const {
    if (!std::ranges::all_of(row, is_score) || !std::ranges::is_sorted(row)) {
      refuse(file_.name(), "the scores of an image are not ascending scores");
    }
    return row;
  }

  io::SafetensorsFile file_;
};

}  // namespace

bool is_landmark_model(const io::Metadata& metadata) {
  const auto found = metadata.find("format");
  return found != metadata.end() && found->second == format_name;
}

void write_landmark_model(const std::string& path, const LandmarkModel& model) {
  const ModelTensors tensors(model);
  io::write_safetensors(path, metadata_of(model), tensors.refs());
}

std::vector<std::byte> landmark_model_bytes(const LandmarkModel& model) {
  const ModelTensors tensors(model);
  return io::safetensors_bytes(metadata_of(model), tensors.refs());
}

LandmarkModel read_landmark_model(io::SafetensorsFile file) {
  return Reader(std::move(file)).read();
}

LandmarkModel read_landmark_model(const std::string& path) {
  return read_landmark_model(io::SafetensorsFile::open(path));
}

}  // namespace caos
