#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

struct tiff;  // libtiff's, whose header stays out of this one

// For the decoder of TIFF files; not for users of the library.
namespace caos::vision {

/// A TIFF file in memory, opened by libtiff, which prints nothing. Throws `bad_format` where its
/// first directory cannot be read.
class TiffFile {
 public:
  TiffFile(std::span<const std::byte> bytes, const std::string& name);
  TiffFile(const TiffFile&) = delete;
  TiffFile& operator=(const TiffFile&) = delete;
  ~TiffFile() = default;

  [[nodiscard]] tiff* get() const { return tiff_.get(); }

  /// The value of a tag, or what is usual where it is missing.
  [[nodiscard]] std::uint16_t short_number(std::uint32_t tag, std::uint16_t otherwise) const;
  [[nodiscard]] std::uint32_t number(std::uint32_t tag) const;  ///< 0 where it is missing

  /// Throws `bad_format` with what libtiff said first.
  [[noreturn]] void refuse_damaged() const;

  /// What libtiff reads from, and what it complains of. Plain, as C stands between.
  struct Memory {
    std::span<const std::byte> bytes{};
    std::uint64_t at = 0;
    std::array<char, 160> error{};
  };

 private:
  struct Close {
    void operator()(tiff* file) const;
  };

  Memory memory_{};
  const std::string& name_;
  std::unique_ptr<tiff, Close> tiff_{};
};

}  // namespace caos::vision
