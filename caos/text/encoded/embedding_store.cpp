#include "caos/text/encoded/embedding_store.hpp"

#include <fmt/format.h>

#include <bit>
#include <filesystem>
#include <mutex>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/checksum.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/sqlite.hpp"
#include "caos/text/score_cell.hpp"
#include "caos/text/store_file.hpp"
#include "caos/version.hpp"

namespace caos::text {
namespace {

namespace sqlite = io::sqlite;

constexpr StoreLayout embedding_layout = {
    .name = "embedding store",
    .content = "embeddings",
    .belongs_to = "encoder",
    .create_table =
        "CREATE TABLE embeddings(text TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"};

constexpr const char* prefix = "embeddings";

/// What makes it another store if it differs.
StoreMeta identity_of_encoder(const TextEncoder& encoder) {
  return {{"format", "caos-embeddings"},
          {"version", "1"},
          {"encoder_identity", encoder.identity()},
          {"dimension", fmt::format("{}", encoder.dimension())}};
}

StoreMeta notes_of_encoder(const TextEncoder& encoder) {
  return {{"encoder", encoder.description()}, {"written_by", fmt::format("caos {}", version())}};
}

std::string checksum_of_cell(const std::string& key, std::string_view content) {
  const auto bytes = [](std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
  };
  return io::checksum({bytes(key), bytes(content)});
}

/// Whether the text was truncated, the values, little-endian, and a checksum over them and the key.
std::string pack_embedding(const std::string& key, std::span<const float> vector, bool truncated) {
  std::string bytes(1, truncated ? '\1' : '\0');
  for (const float value : vector) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes += static_cast<char>((bits >> shift) & 0xffU);
    }
  }
  return bytes + checksum_of_cell(key, bytes);
}

std::optional<StoredEmbedding> unpack_embedding(const std::string& key, const std::string& bytes,
                                                std::size_t dimension) {
  constexpr std::size_t checksum_size = 16;
  if (bytes.size() != 1 + dimension * sizeof(float) + checksum_size) return std::nullopt;
  const std::string content = bytes.substr(0, bytes.size() - checksum_size);
  if (bytes.substr(content.size()) != checksum_of_cell(key, content)) return std::nullopt;
  StoredEmbedding stored{.vector = std::vector<float>(dimension), .truncated = content[0] != 0};
  for (std::size_t d = 0; d < dimension; ++d) {
    std::uint32_t bits = 0;
    for (std::size_t b = 0; b < sizeof(float); ++b) {
      bits |= std::uint32_t{static_cast<unsigned char>(content[1 + d * sizeof(float) + b])}
              << (8 * b);
    }
    stored.vector[d] = std::bit_cast<float>(bits);
  }
  return stored;
}

}  // namespace

class EmbeddingStore::Database {
 public:
  Database(std::string path, const TextEncoder& encoder)
      : file_(std::move(path), embedding_layout, identity_of_encoder(encoder),
              notes_of_encoder(encoder)),
        find_(file_.connection(), "SELECT vector FROM embeddings WHERE text = ?"),
        insert_(file_.connection(), "INSERT OR IGNORE INTO embeddings VALUES(?, ?)"),
        dimension_(encoder.dimension()) {}

  [[nodiscard]] const std::string& path() const { return file_.path(); }

  [[nodiscard]] std::vector<std::optional<StoredEmbedding>> find(
      std::span<const std::string> texts) {
    std::vector<std::optional<StoredEmbedding>> found;
    found.reserve(texts.size());
    const std::lock_guard lock(mutex_);
    // One lock of the file for all of them.
    sqlite::Transaction transaction(file_.connection(), sqlite::Transaction::Kind::reading);
    for (const std::string& text : texts) found.push_back(find_one(key_of(text)));
    return found;
  }

  void add(std::span<const std::string> texts, const EncodedTexts& encoded) {
    const std::lock_guard lock(mutex_);
    sqlite::Transaction transaction(file_.connection(), sqlite::Transaction::Kind::writing);
    for (std::size_t t = 0; t < texts.size(); ++t) {
      const std::string key = key_of(texts[t]);
      const std::string cell = pack_embedding(key, encoded.vectors.row(t), encoded.truncated[t]);
      sqlite::Query(insert_).bind_text(1, key).bind_blob(2, cell).next();
    }
    transaction.commit();
  }

 private:
  [[nodiscard]] std::optional<StoredEmbedding> find_one(const std::string& key) {
    sqlite::Query query(find_);
    if (!query.bind_text(1, key).next()) return std::nullopt;
    std::optional<StoredEmbedding> stored = unpack_embedding(key, query.bytes(0), dimension_);
    if (!stored) file_.refuse(fmt::format("the vector of text {} is damaged", key));
    return stored;
  }

  std::mutex mutex_;
  StoreFile file_;
  sqlite::Statement find_;
  sqlite::Statement insert_;
  std::size_t dimension_;
};

EmbeddingStore::EmbeddingStore(std::unique_ptr<Database> database)
    : database_(std::move(database)) {}
EmbeddingStore::EmbeddingStore(EmbeddingStore&&) noexcept = default;
EmbeddingStore& EmbeddingStore::operator=(EmbeddingStore&&) noexcept = default;
EmbeddingStore::~EmbeddingStore() = default;

EmbeddingStore EmbeddingStore::in_memory(const TextEncoder& encoder) {
  return EmbeddingStore(std::make_unique<Database>("", encoder));
}

EmbeddingStore EmbeddingStore::open(const std::string& folder, const TextEncoder& encoder) {
  io::make_folder(folder);
  return EmbeddingStore(std::make_unique<Database>(
      store_path(folder, prefix, identity_of_encoder(encoder)), encoder));
}

bool EmbeddingStore::exists(const std::string& folder, const TextEncoder& encoder) {
  std::error_code ignored;
  return std::filesystem::exists(store_path(folder, prefix, identity_of_encoder(encoder)), ignored);
}

const std::string& EmbeddingStore::path() const { return database_->path(); }

std::vector<std::optional<StoredEmbedding>> EmbeddingStore::find(
    std::span<const std::string> texts) const {
  return database_->find(texts);
}

void EmbeddingStore::add(std::span<const std::string> texts, const EncodedTexts& encoded) {
  require(encoded.vectors.rows() == texts.size() && encoded.truncated.size() == texts.size(),
          ErrorKind::backend, "the encoder did not give one vector per text");
  if (!texts.empty()) database_->add(texts, encoded);
}

}  // namespace caos::text
