#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

// HDF5 files in memory, for the writers of formats that are HDF5; not for users of the library.
namespace caos::landmarks {

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
