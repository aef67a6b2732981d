#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "caos/io/mapped_file.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/test_folders.hpp"

namespace caos::landmarks::test {

/// The path of a file as the tool of its format writes it.
inline std::string sample_path(const std::string& name) {
  return caos::test::landmark_files_folder() + name;
}

inline std::string sample(const std::string& name) {
  return std::string(io::MappedFile::open(sample_path(name)).text());
}

/// A text that is wrong, and what its refusal says.
struct Malformed {
  std::string text;
  std::string message;
};

template <typename Parse>
void expect_refused(Parse&& parse, const std::vector<Malformed>& cases) {
  for (const Malformed& bad : cases) {
    SCOPED_TRACE(bad.text);
    caos::test::expect_error([&] { (void)parse(bad.text); }, ErrorKind::bad_format, {bad.message});
  }
}

}  // namespace caos::landmarks::test
