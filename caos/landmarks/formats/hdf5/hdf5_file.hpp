#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// HDF5 files in memory, for the readers and writers of formats that are HDF5; not for users of the
// library. The only source that sees the HDF5 library is hdf5_file.cpp.
namespace caos::landmarks {

/// An HDF5 file to read. Whatever the file asks for is bounded by its size: links out of the file,
/// data stored elsewhere, filters that are not compiled in, and arrays far larger than the file are
/// an Error bad_format, as is a file that is not HDF5. Paths are `group/dataset`.
class Hdf5File {
 public:
  /// `name` is what errors call the file; both must outlive this.
  Hdf5File(std::string_view bytes, const std::string& name);
  ~Hdf5File();

  [[nodiscard]] bool has(const std::string& path) const;
  /// The names of groups and datasets in the outermost group, sorted.
  [[nodiscard]] std::vector<std::string> roots() const;

  /// The extents of a dataset.
  [[nodiscard]] std::vector<std::size_t> shape(const std::string& path) const;

  /// All numbers of a dataset, row by row; of one field where it is a table.
  [[nodiscard]] std::vector<double> numbers(const std::string& path,
                                            const std::string& field = "") const;
  [[nodiscard]] bool has_field(const std::string& path, const std::string& field) const;

  /// All texts of a dataset, or of one field. Empty where the dataset is empty, whatever its type.
  [[nodiscard]] std::vector<std::string> texts(const std::string& path,
                                               const std::string& field = "") const;

  /// The bytes of each item of a dataset: of variable lengths, or rows of a table of bytes.
  [[nodiscard]] std::vector<std::string> byte_strings(const std::string& path) const;

  /// Nothing where there is no such attribute; that of another type is refused.
  [[nodiscard]] std::optional<std::string> text_attribute(const std::string& path,
                                                          const std::string& key) const;
  [[nodiscard]] std::optional<double> number_attribute(const std::string& path,
                                                       const std::string& key) const;

  [[noreturn]] void refuse(const std::string& path, const std::string& what) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// A column of a table to write.
struct Hdf5Column {
  enum class Type { float64, float32, int64, uint64, int32, uint32, uint8, boolean };

  std::string name;
  Type type;
  std::vector<double> values;
};

/// An HDF5 file to write, in memory. The same calls give the same bytes.
class Hdf5Writer {
 public:
  Hdf5Writer();
  ~Hdf5Writer();

  void group(const std::string& path);
  void numbers(const std::string& path, const std::vector<double>& values,
               const std::vector<std::size_t>& shape);
  /// As 32-bit integers.
  void integers(const std::string& path, const std::vector<std::size_t>& values);
  /// Of one length, filled with zeros.
  void texts(const std::string& path, const std::vector<std::string>& values);
  void table(const std::string& path, const std::vector<Hdf5Column>& columns);
  void attribute(const std::string& path, const std::string& key, const std::string& text);
  void attribute(const std::string& path, const std::string& key, double number);
  void attribute(const std::string& path, const std::string& key, int number);

  /// The bytes of the file; the last call.
  [[nodiscard]] std::string take();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace caos::landmarks
