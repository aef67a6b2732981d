#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace caos::studio {

/// Whether it is 64 hexadecimal digits in lower case.
[[nodiscard]] bool is_sha256(const std::string& text);

/// The SHA-256 of the bytes, in 64 hexadecimal digits.
[[nodiscard]] std::string sha256_of(std::span<const std::byte> bytes);

/// A folder of files that are named after their content: `ab/ab34...`. No name comes from a user
/// else, and a file that is there is never written again.
class ImageFiles {
 public:
  explicit ImageFiles(std::string folder);

  [[nodiscard]] std::string path_of(const std::string& sha256) const;

  /// Whole and on the disk when it returns.
  void put(const std::string& sha256, std::span<const std::byte> bytes) const;

  void remove(const std::string& sha256) const;

  /// Removes files that are not needed: those that came before their row and outlived a crash, and
  /// those that outlived it.
  void remove_unless(const std::function<bool(const std::string& sha256)>& is_needed) const;

 private:
  std::string folder_;
};

}  // namespace caos::studio
