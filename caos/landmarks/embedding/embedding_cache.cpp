#include "caos/landmarks/embedding/embedding_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/checksum.hpp"
#include "caos/scorers/float16_rows.hpp"

namespace caos {
namespace {

constexpr const char* ending = ".safetensors";

/// Entries in float32 are named and described as in version 0.1.0.
std::string way_of_rounding(EmbeddingPrecision precision) {
  return precision == EmbeddingPrecision::float16 ? ", float16" : "";
}

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

template <typename T>
Matrix<T> copied(std::span<const T> values, const io::Shape& shape) {
  Matrix<T> matrix(shape[0], shape[1]);
  if (!values.empty()) std::ranges::copy(values, &matrix(0, 0));
  return matrix;
}

Matrix<float> read_patches(const io::SafetensorsFile& file, EmbeddingPrecision precision) {
  const io::Shape& shape = file.tensor("embeddings").shape;
  if (precision == EmbeddingPrecision::float32) return copied(file.f32("embeddings", 2), shape);
  return from_float16({file.f16("embeddings", 2).data(), shape[0], shape[1]});
}

CachedImage read(const io::SafetensorsFile& file, EmbeddingPrecision precision) {
  return {.patches = read_patches(file, precision),
          .gray = copied(file.u8("gray", 2), file.tensor("gray").shape)};
}

template <typename T>
io::TensorRef tensor_of(const char* name, io::ElementType type, MatrixView<const T> values) {
  return {.name = name,
          .type = type,
          .shape = {values.rows(), values.cols()},
          .bytes = std::as_bytes(std::span(values.data(), values.rows() * values.cols()))};
}

}  // namespace

CacheFolder cache_folder(const std::string& path, std::uint64_t most_bytes) {
  return path.empty() ? nullptr : std::make_shared<io::BoundedFolder>(path, ending, most_bytes);
}

EmbeddingCache::EmbeddingCache(CacheFolder folder, std::string identity,
                               EmbeddingPrecision precision)
    : folder_(std::move(folder)), identity_(std::move(identity)), precision_(precision) {}

std::string EmbeddingCache::path_of(std::span<const std::byte> image,
                                    const std::string& detail) const {
  const std::string content = io::checksum({image});
  const std::string way =
      io::checksum({bytes_of(identity_), bytes_of(detail), bytes_of(way_of_rounding(precision_))});
  // The length makes two images with the same checksum still less likely.
  return fmt::format("{}/{}/{}-{}-{}{}", folder_->path(), content.substr(0, 2), content,
                     image.size(), way, ending);
}

io::Metadata EmbeddingCache::metadata(const std::string& detail) const {
  return {{"identity", identity_}, {"detail", detail + way_of_rounding(precision_)}};
}

std::optional<CachedImage> EmbeddingCache::find(std::span<const std::byte> image,
                                                const std::string& detail) const {
  if (!folder_) return std::nullopt;
  const std::string path = path_of(image, detail);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  try {
    const io::SafetensorsFile file = io::SafetensorsFile::open(path);
    // Other ways may share a name: "a1" with "2x3" gives the same letters as "a" with "12x3".
    if (file.metadata() != metadata(detail)) return std::nullopt;
    CachedImage found = read(file, precision_);
    folder_->touch(path);
    return found;
  } catch (const Error&) {
    return std::nullopt;
  }
}

void EmbeddingCache::store(std::span<const std::byte> image, const std::string& detail,
                           const Matrix<float>& embeddings, const vision::GrayImage& gray) const {
  if (!folder_) return;
  make_private(folder_->path());
  const std::string path = path_of(image, detail);
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  const bool is_compact = precision_ == EmbeddingPrecision::float16;
  const Matrix<std::uint16_t> compact =
      is_compact ? to_float16(embeddings) : Matrix<std::uint16_t>();
  const std::array tensors = {
      is_compact ? tensor_of("embeddings", io::ElementType::f16, compact.view())
                 : tensor_of("embeddings", io::ElementType::f32, embeddings.view()),
      tensor_of("gray", io::ElementType::u8, gray.view())};
  const std::size_t bytes = tensors[0].bytes.size() + tensors[1].bytes.size();
  if (!folder_->has_room_for(bytes)) return;
  try {
    io::write_safetensors(path, metadata(detail), tensors, io::Durability::may_be_lost);
  } catch (const Error&) {
    return;
  }
  folder_->added(bytes);
}

}  // namespace caos
