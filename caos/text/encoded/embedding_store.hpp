#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/text/encoders/text_encoder.hpp"

namespace caos::text {

/// The vector of one text.
struct StoredEmbedding {
  std::vector<float> vector{};
  bool truncated = false;
};

/// Vectors that were computed before, on disk or in memory. A store belongs to one encoder; another
/// one is another file in the same folder. It holds hashes of texts, not the texts. What `add` has
/// returned from is safe on the disk. Safe to use from several threads and processes.
class EmbeddingStore {
 public:
  /// A store that ends with the object.
  [[nodiscard]] static EmbeddingStore in_memory(const TextEncoder& encoder);

  /// Opens the store of this encoder in `folder`, and makes both where they are missing. A file
  /// that is damaged or that says it belongs to another encoder is an Error bad_format.
  [[nodiscard]] static EmbeddingStore open(const std::string& folder, const TextEncoder& encoder);

  /// Whether `open` would find a file there: to look at a store without making one.
  [[nodiscard]] static bool exists(const std::string& folder, const TextEncoder& encoder);

  EmbeddingStore(EmbeddingStore&&) noexcept;
  EmbeddingStore& operator=(EmbeddingStore&&) noexcept;
  ~EmbeddingStore();

  /// Where it is; empty for a store in memory.
  [[nodiscard]] const std::string& path() const;

  /// What is known of each text.
  [[nodiscard]] std::vector<std::optional<StoredEmbedding>> find(
      std::span<const std::string> texts) const;

  /// Keeps all of them or, if the program ends before it returns, possibly none. What is there
  /// already stays as it is.
  void add(std::span<const std::string> texts, const EncodedTexts& encoded);

 private:
  class Database;
  explicit EmbeddingStore(std::unique_ptr<Database> database);

  std::unique_ptr<Database> database_;
};

}  // namespace caos::text
