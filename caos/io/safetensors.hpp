#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caos/io/arrays/element_type.hpp"
#include "caos/io/arrays/shape.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/io/write_whole.hpp"

namespace caos::io {

/// A view of a named row-major array.
struct TensorRef {
  std::string name;
  ElementType type = ElementType::f64;
  Shape shape;
  std::span<const std::byte> bytes;
};

using Metadata = std::map<std::string, std::string>;

/// Writes arrays and texts in the safetensors layout, whole or not at all, with a checksum over
/// everything. The same content gives the same bytes.
/// Requires arrays of float64, int64, float32, float16 or uint8 whose bytes fill their shapes,
/// distinct names of arrays other than "__metadata__", no metadata called "checksum", no quotes,
/// backslashes or control characters in names, UTF-8 in texts, and names and metadata of less than
/// 16 MiB together.
void write_safetensors(const std::string& path, const Metadata& metadata,
                       std::span<const TensorRef> tensors,
                       Durability durability = Durability::safe);

/// What would be in the file, for those who keep it elsewhere.
[[nodiscard]] std::vector<std::byte> safetensors_bytes(const Metadata& metadata,
                                                       std::span<const TensorRef> tensors);

/// A file that `write_safetensors` wrote, mapped. Spans are valid as long as this object lives.
class SafetensorsFile {
 public:
  /// Opens the file and verifies its checksum, which reads all of it.
  /// Anything but an unaltered file of `write_safetensors` is an Error bad_format.
  [[nodiscard]] static SafetensorsFile open(const std::string& path);
  explicit SafetensorsFile(MappedFile file);

  [[nodiscard]] const std::string& name() const { return file_.name(); }

  /// The texts given to `write_safetensors`; the checksum is not among them.
  [[nodiscard]] const Metadata& metadata() const { return metadata_; }

  /// 16 hexadecimal digits that name this content.
  [[nodiscard]] const std::string& checksum() const { return checksum_; }

  /// An array by its name; Error bad_format where there is none.
  [[nodiscard]] const TensorRef& tensor(std::string_view name) const;
  [[nodiscard]] bool contains(std::string_view name) const;

  /// The values of an array of this type with so many dimensions; Error bad_format where it is
  /// another.
  [[nodiscard]] std::span<const double> f64(std::string_view name,
                                            std::size_t dimensions = 1) const;
  [[nodiscard]] std::span<const float> f32(std::string_view name, std::size_t dimensions = 1) const;
  /// The bits of each number.
  [[nodiscard]] std::span<const std::uint16_t> f16(std::string_view name,
                                                   std::size_t dimensions = 1) const;
  [[nodiscard]] std::span<const std::uint8_t> u8(std::string_view name,
                                                 std::size_t dimensions = 1) const;
  [[nodiscard]] std::span<const std::int64_t> i64(std::string_view name,
                                                  std::size_t dimensions = 1) const;

 private:
  template <typename T>
  [[nodiscard]] std::span<const T> typed(std::string_view name, ElementType type,
                                         std::size_t dimensions) const;

  MappedFile file_;
  Metadata metadata_;
  std::string checksum_;
  std::vector<TensorRef> tensors_;
};

}  // namespace caos::io
