#include <fmt/format.h>

#include <algorithm>

#include "caos/io/csv.hpp"
#include "caos/io/model_file.hpp"
#include "caos/landmarks/image_pool_text.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/landmark_model_version.hpp"
#include "caos/landmarks/rotated_arrays.hpp"

namespace caos {
namespace {

int version_of(const LandmarkModel& model) {
  if (model.labeled.has_cells()) return newest_version;
  const bool is_new = model.refiner || model.embedding.precision == EmbeddingPrecision::float16 ||
                      model.embedding.rotation != vision::Rotation::none;
  if (is_new) return pixel_version;
  return model.pool || !model.weights().is_plain() ? weighted_version : 1;
}

/// One line of CSV.
std::string list_text(const std::vector<std::string>& items) { return io::csv_row(items); }

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

/// [images, 3]: side, columns and rows.
Matrix<std::int64_t> patch_grids(const LabeledPatches& labeled) {
  Matrix<std::int64_t> grids(labeled.cells.sources.size(), 3);
  for (std::size_t i = 0; i < grids.rows(); ++i) {
    const vision::PatchGrid& grid = labeled.cells.sources[i].patches;
    std::size_t next = 0;
    for (const std::size_t value : {grid.patch_size, grid.columns, grid.rows}) {
      grids(i, next++) = static_cast<std::int64_t>(value);
    }
  }
  return grids;
}

/// The vectors of cells of landmarks that are present, image by image.
Matrix<float> own_vectors(const LandmarkModel& model) {
  Matrix<float> vectors(0, model.references.patches.cols());
  if (!model.labeled.has_cells()) return vectors;
  for (std::size_t i = 0; i < model.labeled.size(); ++i) {
    for (std::size_t t = 0; t < model.labeled.num_tasks(); ++t) {
      if (model.labeled.labels(i, t) == missing_label) continue;
      vectors.push_row(model.labeled.cells.own[i].row(t));
    }
  }
  return vectors;
}

io::Metadata metadata_of(const LandmarkModel& model) {
  const EmbeddingRecord& embedding = model.embedding;
  io::Metadata metadata = io::model_header(io::ModelKind::landmarks, version_of(model));
  metadata.insert({{"backbone", embedding.backbone},
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
                   {"left_out", list_text(model.left_out)}});
  if (embedding.location) {
    metadata["location_sigma"] = fmt::format("{}", embedding.location->sigma);
    metadata["location_weight"] = fmt::format("{}", embedding.location->weight);
  }
  if (embedding.precision == EmbeddingPrecision::float16) {
    metadata["precision"] = precision_name(embedding.precision);
  }
  if (model.refiner) {
    metadata["grid_patch_size"] = fmt::format("{}", model.refiner->labeled().patch_size);
  }
  if (embedding.cell) metadata["cell"] = fmt::format("{}", *embedding.cell);
  if (embedding.rotation != vision::Rotation::none) {
    metadata["rotation"] = vision::rotation_name(embedding.rotation);
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
        patches_(stacked(model.labeled.images, model.references.patches.cols())),
        patch_grids_(patch_grids(model.labeled)),
        own_(own_vectors(model)),
        rotated_(model) {
    for (std::size_t i = 0; i < model.labeled.images.size(); ++i) {
      patch_counts_(0, i) = static_cast<std::int64_t>(model.labeled.images[i].rows());
    }
  }

  [[nodiscard]] std::vector<io::TensorRef> refs() const {
    std::vector<io::TensorRef> refs = {
        io::tensor_of("nearest", nearest_.view()),
        io::tensor_of("offsets", offsets_.view()),
        io::tensor_of("labels", model_.labeled.labels.view()),
        io::tensor_of("calibrating", calibrating_.view()),
        io::tensor_of("subjects", subjects_.view()),
        io::tensor_of("patch_counts", patch_counts_.view()),
        io::tensor_of("references", model_.references.patches.view()),
        io::tensor_of("patches", patches_.view())};
    if (!model_.grid_columns.empty()) {
      refs.push_back(io::tensor_of("grid_columns", grid_columns_.view()));
    }
    if (model_.labeled.has_cells()) {
      refs.push_back(io::tensor_of("patch_grids", patch_grids_.view()));
      refs.push_back(io::tensor_of("own", own_.view()));
    }
    rotated_.add_to(refs);
    if (model_.refiner) {
      refs.push_back(io::tensor_of("templates", model_.refiner->labeled().pixels.view()));
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
  Matrix<std::int64_t> patch_grids_;
  Matrix<float> own_;
  RotatedArrays rotated_;
};

}  // namespace

void write_landmark_model(const std::string& path, const LandmarkModel& model) {
  const ModelTensors tensors(model);
  io::write_safetensors(path, metadata_of(model), tensors.refs());
}

std::vector<std::byte> landmark_model_bytes(const LandmarkModel& model) {
  const ModelTensors tensors(model);
  return io::safetensors_bytes(metadata_of(model), tensors.refs());
}

}  // namespace caos
