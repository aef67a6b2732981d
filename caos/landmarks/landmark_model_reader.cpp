#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/io/csv.hpp"
#include "caos/io/model_file.hpp"
#include "caos/landmarks/image_pool_text.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/landmark_model_version.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/landmarks/refinement/correlation_map.hpp"
#include "caos/landmarks/rotated_arrays.hpp"

namespace caos {
namespace {

/// No patch is larger.
constexpr std::size_t largest_patch = std::size_t{1} << 16;

/// Lists are one line of CSV each.
std::vector<std::string> parse_list(const std::string& text, std::size_t count,
                                    const io::ModelFile& file) {
  if (count == 0) return {};
  std::vector<std::string> items = io::parse_csv(text, file.name()).header;
  if (items.size() != count) file.refuse("a list of names has the wrong length");
  return items;
}

/// Reads and checks one part after another.
class Reader {
 public:
  explicit Reader(io::SafetensorsFile file)
      : file_(std::move(file), io::ModelKind::landmarks, newest_version) {}

  LandmarkModel read() {
    LandmarkModel model;
    model.embedding = read_embedding();
    model.score = parse_patch_score(file_.text("score"));
    model.own_parameter = file_.text("score_parameter") == "given";
    model.labeled.labels = file_.matrix<std::int64_t>("labels");
    const std::size_t num_images = model.labeled.labels.rows();
    model.images = parse_list(file_.text("images"), num_images, file_);
    model.labeled.tasks = parse_list(file_.text("landmarks"), model.labeled.labels.cols(), file_);
    model.left_out = parse_list(file_.text("left_out"), file_.count("num_left_out"), file_);
    model.labeled.subjects = read_subjects(num_images);
    model.labeled.subjects_known = file_.has("subjects");
    model.pool = take_pool(file_.metadata(), num_images, file_.name());
    if (model.pool && model.labeled.subjects != repeated_subjects(model.pool->subjects)) {
      file_.refuse("its subjects do not fit its pool");
    }
    model.offsets = read_offsets(model.labeled.labels);
    model.grid_columns = read_grid_columns(num_images);
    read_rotated_landmarks(file_, model);
    model.calibrating = read_indices("calibrating", num_images);
    if (model.embedding.cell) read_cells(model);
    read_references(model);
    read_patches(model);
    read_calibrations(model);
    read_templates(model);
    return model;
  }

 private:
  [[nodiscard]] EmbeddingRecord read_embedding() const {
    EmbeddingRecord embedding{.backbone = file_.text("backbone"),
                              .preset = file_.text("preset"),
                              .output = file_.text("output"),
                              .identity = file_.text("backbone_identity"),
                              .working_size = file_.text("working_size"),
                              .precision = read_precision(),
                              .patch_size = file_.count("patch_size"),
                              .apply_orientation = file_.text("orientation") == "applied"};
    if (file_.has("location_sigma")) {
      embedding.location = vision::LocationPrior{.sigma = file_.number("location_sigma"),
                                                 .weight = file_.number("location_weight")};
    }
    if (file_.has("cell")) embedding.cell = file_.count("cell");
    embedding.rotation = rotation_of(file_);
    return embedding;
  }

  /// How the patches of images lie whose labels are cells, and the vectors of landmarks' cells.
  void read_cells(LandmarkModel& model) const {
    LabeledPatches& labeled = model.labeled;
    const Matrix<std::int64_t> grids = file_.matrix<std::int64_t>("patch_grids");
    if (grids.cols() != 3 || grids.rows() != labeled.labels.rows() ||
        model.grid_columns.size() != grids.rows()) {
      file_.refuse("the grids of patches do not fit the images");
    }
    for (std::size_t i = 0; i < grids.rows(); ++i) {
      const vision::PatchGrid grid = read_patch_grid(grids.row(i));
      if (*model.embedding.cell == 0 || *model.embedding.cell >= grid.patch_size) {
        file_.refuse("its cells are not smaller than patches");
      }
      labeled.cells.sources.push_back({.patches = grid});
      labeled.grids.push_back(cells_over(grid, *model.embedding.cell));
      if (labeled.grids[i].columns != model.grid_columns[i]) {
        file_.refuse("the grids of cells do not fit those of patches");
      }
    }
    read_own_vectors(labeled);
  }

  [[nodiscard]] vision::PatchGrid read_patch_grid(std::span<const std::int64_t> values) const {
    const auto is_side = [](std::int64_t value) {
      return value > 0 && value <= static_cast<std::int64_t>(largest_patch);
    };
    if (!std::ranges::all_of(values, is_side)) file_.refuse("a grid of patches is not valid");
    const auto number = [&](std::size_t n) { return static_cast<std::size_t>(values[n]); };
    return {.patch_size = number(0), .columns = number(1), .rows = number(2)};
  }

  void read_own_vectors(LabeledPatches& labeled) const {
    const Matrix<float> vectors = file_.matrix<float>("own");
    std::size_t next = 0;
    for (std::size_t i = 0; i < labeled.labels.rows(); ++i) {
      Matrix<float> own(labeled.num_tasks(), vectors.cols());
      for (std::size_t t = 0; t < labeled.num_tasks(); ++t) {
        if (labeled.labels(i, t) == missing_label) continue;
        if (next == vectors.rows()) file_.refuse("the vectors of cells do not fit the labels");
        std::ranges::copy(vectors.row(next++), own.row(t).begin());
      }
      labeled.cells.own.push_back(std::move(own));
    }
    if (next != vectors.rows()) file_.refuse("the vectors of cells do not fit the labels");
  }

  /// Files of earlier versions do not name it.
  [[nodiscard]] EmbeddingPrecision read_precision() const {
    if (!file_.has("precision")) return EmbeddingPrecision::float32;
    if (file_.text("precision") != precision_name(EmbeddingPrecision::float16)) {
      file_.refuse("its precision is not known");
    }
    return EmbeddingPrecision::float16;
  }

  /// Ascending positions below `count`.
  [[nodiscard]] Indices read_indices(const std::string& name, std::size_t count) const {
    Indices indices;
    for (const std::int64_t value : file_.arrays().i64(name, 2)) {
      const bool good = value >= 0 && static_cast<std::size_t>(value) < count &&
                        (indices.empty() || static_cast<std::size_t>(value) > indices.back());
      if (!good) file_.refuse(fmt::format("'{}' is out of order", name));
      indices.push_back(static_cast<std::size_t>(value));
    }
    return indices;
  }

  [[nodiscard]] std::vector<std::size_t> read_subjects(std::size_t num_images) const {
    std::vector<std::size_t> subjects;
    for (const std::int64_t value : file_.arrays().i64("subjects", 2)) {
      if (value < 0) file_.refuse("a subject has no number");
      subjects.push_back(static_cast<std::size_t>(value));
    }
    if (!subjects.empty() && subjects.size() != num_images) {
      file_.refuse("there is not one subject per image");
    }
    return subjects;
  }

  [[nodiscard]] Matrix<Offset> read_offsets(const Matrix<std::int64_t>& labels) const {
    const Matrix<double> flat = file_.matrix<double>("offsets");
    if (flat.rows() != labels.rows() || flat.cols() != 2 * labels.cols()) {
      file_.refuse("'offsets' do not fit the labels");
    }
    return offsets_of(flat.view());
  }

  /// Models of older versions and of arrays have none.
  [[nodiscard]] std::vector<std::size_t> read_grid_columns(std::size_t num_images) const {
    if (!file_.arrays().contains("grid_columns")) return {};
    std::vector<std::size_t> columns;
    for (const std::int64_t value : file_.arrays().i64("grid_columns", 2)) {
      if (value <= 0) file_.refuse("a grid has no columns");
      columns.push_back(static_cast<std::size_t>(value));
    }
    if (columns.size() != num_images) file_.refuse("there is not one grid per image");
    return columns;
  }

  /// Patches are counted from 0, and there is memory for each up to the largest.
  void check_labels(const Matrix<std::int64_t>& labels) const {
    constexpr std::int64_t most_patches = std::int64_t{1} << 24;
    for (std::size_t i = 0; i < labels.rows(); ++i) {
      for (const std::int64_t label : labels.row(i)) {
        const bool is_patch = label >= 0 && label < most_patches;
        if (!is_patch && label != missing_label) file_.refuse("a label is not a patch");
      }
    }
  }

  /// The distinct patches; which landmark uses which follows from the labels.
  void read_references(LandmarkModel& model) const {
    check_labels(model.labeled.labels);
    model.references.patches = file_.matrix<float>("references");
    model.references.tasks = reference_columns(model.labeled);
    std::size_t needed = 0;
    for (const PatchTask& task : model.references.tasks) {
      for (const std::uint32_t column : task.columns) {
        needed = std::max<std::size_t>(needed, column + std::size_t{1});
      }
    }
    if (needed != model.references.patches.rows()) {
      file_.refuse("the references do not fit the labels");
    }
    read_rotated_references(file_, model);
  }

  /// All patches of the labeled images, which scores that are not symmetric need.
  void read_patches(LandmarkModel& model) const {
    if (model.score.is_symmetric()) return;
    const Matrix<float> all = file_.matrix<float>("patches");
    std::size_t next = 0;
    for (const std::int64_t count : file_.arrays().i64("patch_counts", 2)) {
      if (count < 0 || next + static_cast<std::size_t>(count) > all.rows()) break;
      Matrix<float> image(0, all.cols());
      for (std::int64_t p = 0; p < count; ++p) image.push_row(all.row(next++));
      model.labeled.images.push_back(std::move(image));
    }
    if (next != all.rows() || model.labeled.size() != model.images.size()) {
      file_.refuse("the patches do not fit the images");
    }
    const auto has_patches = [&](std::size_t i) {
      return model.labeled.images[i].rows() == model.labeled.patch_grid(i).size();
    };
    const Indices images = all_images(model.labeled);
    if (model.labeled.has_cells()) {
      if (!model.score.reads_positions() || !std::ranges::all_of(images, has_patches)) {
        file_.refuse("the patches do not fit their grids");
      }
      const std::size_t dimension = model.references.patches.cols();
      if (all.cols() != dimension || model.labeled.cells.own[0].cols() != dimension) {
        file_.refuse("the vectors of cells do not fit the references");
      }
    }
    if (model.score.reads_positions()) read_rotated_patches(file_, model);
    check(model.labeled);
    if (!model.score.reads_positions()) return;
    const auto fits = [&](std::size_t i) {
      return model.labeled.has_cells() ||
             model.labeled.images[i].rows() % model.grid_columns[i] == 0;
    };
    if (model.grid_columns.empty() || !std::ranges::all_of(images, fits)) {
      file_.refuse("the grids do not fit the images");
    }
    check_offsets(model);
    if (model.labeled.has_cells()) model.labeled.offsets = model.offsets;
    know_positions(model);
  }

  void read_calibrations(LandmarkModel& model) const {
    const Matrix<Score> nearest = file_.nearest();
    std::size_t next = 0;
    const ExampleWeights weights = model.weights();
    for (const PatchTask& task : model.references.tasks) {
      const std::size_t n = positions_in(task, model.calibrating).size();
      if (next + n > nearest.rows()) file_.refuse("calibration scores are missing");
      Matrix<Score> own(0, nearest.cols());
      for (std::size_t i = 0; i < n; ++i) own.push_row(nearest.row(next++));
      model.calibrations.emplace_back(std::move(own), Grouping::none(n), task.images.size(),
                                      weights_of_task(weights, model.calibrating, task));
    }
    if (next != nearest.rows() || model.calibrations.empty()) {
      file_.refuse("the calibration scores do not fit the landmarks");
    }
  }

  /// Places in a patch, from (0, 0) to (1, 1).
  void check_offsets(const LandmarkModel& model) const {
    const auto is_share = [](double value) { return value >= 0 && value <= 1; };
    for (std::size_t i = 0; i < model.offsets.rows(); ++i) {
      for (std::size_t t = 0; t < model.offsets.cols(); ++t) {
        if (model.labeled.labels(i, t) == missing_label) continue;
        const Offset offset = model.offsets(i, t);
        if (!is_share(offset.x) || !is_share(offset.y)) file_.refuse("an offset is not in a patch");
      }
    }
  }

  /// Models of older versions, of arrays, and of users who do without them, have none.
  void read_templates(LandmarkModel& model) const {
    if (!file_.arrays().contains("templates")) return;
    if (model.grid_columns.empty()) file_.refuse("it has templates, but no grids");
    const std::span<const std::uint8_t> values = file_.arrays().u8("templates", 2);
    const io::Shape& shape = file_.arrays().tensor("templates").shape;
    const std::size_t count = model.images.size() * model.labeled.num_tasks();
    if (shape[0] != count || shape[1] != template_size) {
      file_.refuse("the templates do not fit the labels");
    }
    const std::size_t patch_size = file_.count("grid_patch_size");
    if (patch_size == 0 || patch_size > largest_patch) file_.refuse("the patch size is not valid");
    check_offsets(model);
    Matrix<std::uint8_t> templates(count, template_size);
    std::ranges::copy(values, &templates(0, 0));
    model.refiner = make_refiner(model, std::move(templates), patch_size);
  }

  io::ModelFile file_;
};

}  // namespace

LandmarkModel read_landmark_model(io::SafetensorsFile file) {
  return Reader(std::move(file)).read();
}

LandmarkModel read_landmark_model(const std::string& path) {
  return read_landmark_model(io::SafetensorsFile::open(path));
}

}  // namespace caos
