#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caos::test {

/// An .npy file made by hand: version `major`.0, this dictionary without padding, these data.
inline std::string npy_bytes(std::string_view dict, std::string_view data, int major = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(major);
  file += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) {
    file += static_cast<char>(dict.size() >> (8 * i) & 0xff);
  }
  return file.append(dict).append(data);
}

/// The same for an array of this element type and shape ("2, 3").
inline std::string npy_array(std::string_view descr, std::string_view shape,
                             std::string_view data) {
  std::string dict = "{'descr': '";
  dict.append(descr).append("', 'fortran_order': False, 'shape': (").append(shape).append("), }");
  // Padded as numpy does, so that the data are aligned.
  dict.append(63 - (10 + dict.size()) % 64, ' ').append("\n");
  return npy_bytes(dict, data);
}

/// The bytes of numbers as they lie in memory.
template <typename T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace caos::test
