#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// HDF5 files in memory, for the readers of formats that are HDF5; not for users of the library.
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

  /// Empty if the attribute does not exist; another type is an error.
  [[nodiscard]] std::optional<std::string> text_attribute(const std::string& path,
                                                          const std::string& key) const;
  [[nodiscard]] std::optional<double> number_attribute(const std::string& path,
                                                       const std::string& key) const;

  [[noreturn]] void refuse(const std::string& path, const std::string& what) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace caos::landmarks
