#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caos/landmarks/formats/hdf5/hdf5_handle.hpp"

namespace caos::landmarks::hdf5 {

/// Texts of fixed length are filled with zeros.
[[nodiscard]] std::string until_zero(std::string text);

/// Groups, datasets and attributes of an HDF5 file in memory, and the bounds that keep a damaged
/// file from asking for more than it can hold. The caller holds the library's lock.
class Tree {
 public:
  /// `name` is what errors call the file.
  Tree(std::string_view bytes, const std::string& name);

  [[nodiscard]] bool has(const std::string& path) const;
  [[nodiscard]] std::vector<std::string> roots() const;
  [[nodiscard]] Handle dataset(const std::string& path) const;
  [[nodiscard]] std::vector<std::size_t> shape(const Handle& set, const std::string& path) const;

  /// The product of the shape; `size` bytes of each item must be within bounds.
  [[nodiscard]] std::size_t count(const Handle& set, const std::string& path,
                                  std::size_t size) const;

  [[nodiscard]] std::optional<std::string> text_attribute(const std::string& path,
                                                          const std::string& key) const;
  [[nodiscard]] std::optional<double> number_attribute(const std::string& path,
                                                       const std::string& key) const;

  /// How many bytes may be read at once.
  [[nodiscard]] std::size_t limit() const { return limit_; }

  [[noreturn]] void refuse(const std::string& path, const std::string& what) const;
  [[noreturn]] void refuse_size(const std::string& path) const;

 private:
  void check_storage(const Handle& set, const std::string& path) const;
  [[nodiscard]] std::optional<Handle> open_attribute(const std::string& path,
                                                     const std::string& key) const;
  [[nodiscard]] std::string variable_attribute(const Handle& attribute, const Handle& type,
                                               const Handle& space, const std::string& path) const;

  const std::string& name_;
  std::size_t limit_;
  Handle file_;
};

}  // namespace caos::landmarks::hdf5
