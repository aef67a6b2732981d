#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace caos::studio {

/// A file without a name in a folder for temporary files: it is gone when this object is, and after
/// a crash too.
class SpooledFile {
 public:
  explicit SpooledFile(const std::string& folder);

  /// Takes a file that is there, and its name from it.
  [[nodiscard]] static SpooledFile take(const std::string& path);

  ~SpooledFile();
  SpooledFile(SpooledFile&& other) noexcept;
  SpooledFile& operator=(SpooledFile&& other) noexcept;

  /// For writing; remains this object's.
  [[nodiscard]] int descriptor() const { return descriptor_; }

  [[nodiscard]] std::size_t size() const;

  /// Fills `out` from the byte at `offset` on; less only at the end of the file. Safe to call from
  /// several threads.
  [[nodiscard]] std::size_t read(std::size_t offset, std::span<std::byte> out) const;

 private:
  SpooledFile() = default;

  int descriptor_ = -1;
};

/// A file to be handed over that may be too large for memory.
struct LargeDownload {
  std::string name{};  ///< what to call it
  std::string type{};  ///< for Content-Type
  SpooledFile file;
};

}  // namespace caos::studio
