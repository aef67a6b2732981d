#pragma once

#include <cstddef>
#include <deque>
#include <exception>
#include <span>
#include <string>
#include <variant>

#include "caos/io/file_descriptor.hpp"
#include "caos/io/mapped_file.hpp"

namespace caos::io {

/// Opens files one after another, and some before their turn, so that the system reads those while
/// others are worked on. For one thread.
class ReadAhead {
 public:
  /// Looks at no more than `ahead` files beyond the one whose turn it is.
  ReadAhead(std::span<const std::string> paths, std::size_t ahead) : paths_(paths), ahead_(ahead) {}

  /// The next file, all of it in memory. Throws as `MappedFile::read` does, once for each file
  /// that cannot be opened, and goes on with the one after it. Requires that one is left.
  [[nodiscard]] MappedFile next();

 private:
  using Opened = std::variant<Descriptor, std::exception_ptr>;

  std::span<const std::string> paths_;
  std::size_t ahead_;
  std::size_t num_opened_ = 0;
  std::deque<Opened> opened_;
};

}  // namespace caos::io
