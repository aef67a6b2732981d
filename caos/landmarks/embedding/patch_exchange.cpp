#include "caos/landmarks/embedding/patch_exchange.hpp"

namespace caos {
namespace {

void put_matrices(dist::Packer& packer, const std::vector<Matrix<float>>& matrices) {
  packer.put<std::uint64_t>(matrices.size());
  for (const Matrix<float>& one : matrices) packer.put_matrix(one);
}

std::vector<Matrix<float>> get_matrices(dist::Unpacker& unpacker) {
  std::vector<Matrix<float>> matrices(unpacker.get_size());
  for (Matrix<float>& one : matrices) one = unpacker.get_matrix<float>();
  return matrices;
}

void pack(dist::Packer& packer, const LabeledCells& cells) {
  packer.put<std::uint64_t>(cells.sources.size());
  for (const CellSource& source : cells.sources) caos::pack(packer, source);
  put_matrices(packer, cells.own);
  put_matrices(packer, cells.exact);
}

LabeledCells unpack_labeled_cells(dist::Unpacker& unpacker) {
  LabeledCells cells;
  cells.sources.resize(unpacker.get_size());
  for (CellSource& source : cells.sources) source = unpack_cells(unpacker);
  cells.own = get_matrices(unpacker);
  cells.exact = get_matrices(unpacker);
  return cells;
}

}  // namespace

void pack(dist::Packer& packer, const CellSource& source) {
  packer.put(source.patches).put(source.descriptor);
  packer.put_matrix(source.gray ? *source.gray : vision::GrayImage());
}

CellSource unpack_cells(dist::Unpacker& unpacker) {
  CellSource source{.patches = unpacker.get<vision::PatchGrid>()};
  source.descriptor = unpacker.get<vision::PointDescriptor>();
  auto gray = unpacker.get_matrix<std::uint8_t>();
  if (gray.rows() > 0) source.gray = std::make_shared<const vision::GrayImage>(std::move(gray));
  return source;
}

void pack(dist::Packer& packer, const LabeledPatches& labeled) {
  put_matrices(packer, labeled.images);
  packer.put_matrix(labeled.labels).put_texts(labeled.tasks);
  packer.put_all(std::span<const std::size_t>(labeled.subjects));
  packer.put<std::uint64_t>(labeled.subjects_known ? 1 : 0);
  packer.put_all(std::span<const vision::PatchGrid>(labeled.grids)).put_matrix(labeled.offsets);
  pack(packer, labeled.cells);
  packer.put<std::uint64_t>(labeled.rotations.size());
  for (const RotatedPatches& rotated : labeled.rotations) {
    put_matrices(packer, rotated.images);
    packer.put_matrix(rotated.labels);
    packer.put_all(std::span<const vision::PatchGrid>(rotated.grids)).put_matrix(rotated.offsets);
  }
}

LabeledPatches unpack_labeled(dist::Unpacker& unpacker) {
  LabeledPatches labeled;
  labeled.images = get_matrices(unpacker);
  labeled.labels = unpacker.get_matrix<std::int64_t>();
  labeled.tasks = unpacker.get_texts();
  labeled.subjects = unpacker.get_all<std::size_t>();
  labeled.subjects_known = unpacker.get_size() != 0;
  labeled.grids = unpacker.get_all<vision::PatchGrid>();
  labeled.offsets = unpacker.get_matrix<Offset>();
  labeled.cells = unpack_labeled_cells(unpacker);
  labeled.rotations.resize(unpacker.get_size());
  for (RotatedPatches& rotated : labeled.rotations) {
    rotated.images = get_matrices(unpacker);
    rotated.labels = unpacker.get_matrix<std::int64_t>();
    rotated.grids = unpacker.get_all<vision::PatchGrid>();
    rotated.offsets = unpacker.get_matrix<Offset>();
  }
  return labeled;
}

void pack(dist::Packer& packer, const AnnotatedImages& images) {
  packer.put_text(images.identity).put_texts(images.files).put_texts(images.names);
  packer.put_all(std::span(images.frames)).put_matrix(images.points);
  pack(packer, images.patches);
  packer.put<std::uint64_t>(images.gray.size());
  for (const vision::GrayImage& image : images.gray) packer.put_matrix(image);
  packer.put<std::uint64_t>(images.scales.size());
  for (const std::optional<double>& scale : images.scales) packer.put(scale.value_or(0));
}

AnnotatedImages unpack_annotated(dist::Unpacker& unpacker) {
  AnnotatedImages images;
  images.identity = unpacker.get_text();
  images.files = unpacker.get_texts();
  images.names = unpacker.get_texts();
  images.frames = unpacker.get_all<vision::Frame>();
  images.points = unpacker.get_matrix<vision::Point>();
  images.patches = unpack_labeled(unpacker);
  images.gray.resize(unpacker.get_size());
  for (vision::GrayImage& image : images.gray) image = unpacker.get_matrix<std::uint8_t>();
  images.scales.resize(unpacker.get_size());
  for (std::optional<double>& scale : images.scales) {
    const auto value = unpacker.get<double>();
    if (value > 0) scale = value;
  }
  return images;
}

void pack(dist::Packer& packer, const EmbeddedImage& image) {
  packer.put<std::uint64_t>(image.index).put(image.frame).put_matrix(image.patches);
  packer.put_matrix(image.gray).put<std::uint8_t>(image.cells ? 1 : 0);
  if (image.cells) pack(packer, *image.cells);
  packer.put<std::uint64_t>(image.rotated.size());
  for (const RotatedImage& rotated : image.rotated) {
    packer.put(rotated.degrees).put(rotated.grid).put_matrix(rotated.patches);
  }
}

EmbeddedImage unpack_embedded(dist::Unpacker& unpacker) {
  EmbeddedImage image{.index = unpacker.get_size()};
  image.frame = unpacker.get<vision::Frame>();
  image.patches = unpacker.get_matrix<float>();
  image.gray = unpacker.get_matrix<std::uint8_t>();
  if (unpacker.get<std::uint8_t>() != 0) image.cells = unpack_cells(unpacker);
  image.rotated.resize(unpacker.get_size());
  for (RotatedImage& rotated : image.rotated) {
    rotated.degrees = unpacker.get<double>();
    rotated.grid = unpacker.get<vision::PatchGrid>();
    rotated.patches = unpacker.get_matrix<float>();
  }
  return image;
}

void pack(dist::Packer& packer, const FailedImage& image) {
  packer.put<std::uint64_t>(image.index).put_text(image.reason);
}

FailedImage unpack_failed(dist::Unpacker& unpacker) {
  const std::size_t index = unpacker.get_size();
  return {.index = index, .reason = unpacker.get_text()};
}

}  // namespace caos
