#include "caos/landmarks/embedding/patch_exchange.hpp"

namespace caos {

void pack(dist::Packer& packer, const LabeledPatches& labeled) {
  packer.put<std::uint64_t>(labeled.images.size());
  for (const Matrix<float>& image : labeled.images) packer.put_matrix(image);
  packer.put_matrix(labeled.labels).put_texts(labeled.tasks);
  packer.put_all(std::span<const std::size_t>(labeled.subjects));
  packer.put<std::uint64_t>(labeled.subjects_known ? 1 : 0);
}

LabeledPatches unpack_labeled(dist::Unpacker& unpacker) {
  LabeledPatches labeled;
  const std::size_t count = unpacker.get_size();
  for (std::size_t i = 0; i < count; ++i) labeled.images.push_back(unpacker.get_matrix<float>());
  labeled.labels = unpacker.get_matrix<std::int64_t>();
  labeled.tasks = unpacker.get_texts();
  labeled.subjects = unpacker.get_all<std::size_t>();
  labeled.subjects_known = unpacker.get_size() != 0;
  return labeled;
}

void pack(dist::Packer& packer, const EmbeddedImage& image) {
  packer.put<std::uint64_t>(image.index).put(image.frame).put_matrix(image.patches);
}

EmbeddedImage unpack_embedded(dist::Unpacker& unpacker) {
  EmbeddedImage image{.index = unpacker.get_size()};
  image.frame = unpacker.get<vision::Frame>();
  image.patches = unpacker.get_matrix<float>();
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
