#include "caos/landmarks/embedding/embedding_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/checksum.hpp"

namespace caos {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// Vectors tell something of the images they were made of: a new folder is the user's alone.
void make_private(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::create_directories(folder, ignored)) {
    fs::permissions(folder, fs::perms::owner_all, ignored);
  }
}

Matrix<float> read(const io::SafetensorsFile& file) {
  const std::span<const float> values = file.f32("embeddings", 2);
  const io::Shape& shape = file.tensor("embeddings").shape;
  Matrix<float> embeddings(shape[0], shape[1]);
  if (!values.empty()) std::ranges::copy(values, &embeddings(0, 0));
  return embeddings;
}

}  // namespace

EmbeddingCache::EmbeddingCache(std::string folder, const std::string& identity)
    : folder_(std::move(folder)), identity_(identity) {}

std::string EmbeddingCache::path_of(std::span<const std::byte> image,
                                    const std::string& detail) const {
  const std::string content = io::checksum({image});
  const std::string way = io::checksum({bytes_of(identity_), bytes_of(detail)});
  // The length makes two images with the same checksum still less likely.
  return fmt::format("{}/{}/{}-{}-{}.safetensors", folder_, content.substr(0, 2), content,
                     image.size(), way);
}

io::Metadata EmbeddingCache::metadata(const std::string& detail) const {
  return {{"identity", identity_}, {"detail", detail}};
}

std::optional<Matrix<float>> EmbeddingCache::find(std::span<const std::byte> image,
                                                  const std::string& detail) const {
  if (folder_.empty()) return std::nullopt;
  const std::string path = path_of(image, detail);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  try {
    const io::SafetensorsFile file = io::SafetensorsFile::open(path);
    // Other ways may share a name: "a1" with "2x3" gives the same letters as "a" with "12x3".
    if (file.metadata() != metadata(detail)) return std::nullopt;
    return read(file);
  } catch (const Error&) {
    return std::nullopt;
  }
}

void EmbeddingCache::store(std::span<const std::byte> image, const std::string& detail,
                           const Matrix<float>& embeddings) const {
  if (folder_.empty()) return;
  make_private(folder_);
  const std::string path = path_of(image, detail);
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  const auto view = embeddings.view();
  const io::TensorRef tensor{
      .name = "embeddings",
      .type = io::ElementType::f32,
      .shape = {view.rows(), view.cols()},
      .bytes = std::as_bytes(std::span(view.data(), view.rows() * view.cols()))};
  try {
    io::write_safetensors(path, metadata(detail), {&tensor, 1}, io::Durability::may_be_lost);
  } catch (const Error&) {
    return;
  }
}

}  // namespace caos
