#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "caos/error.hpp"
#include "caos/rng.hpp"
#include "caos/vision/codecs/decode.hpp"
#include "tests/vision/codecs/sample_image_files.hpp"

/// Files that something happened to.
namespace damaged_files {

using image_files::Bytes;

/// Decodes; whether the file was refused. A refusal names the file and a remedy.
inline bool is_refused(const Bytes& bytes, const std::string& name) {
  try {
    (void)caos::vision::decode_image(bytes, name, {.max_pixels = 1'000'000});
    return false;
  } catch (const caos::Error& error) {
    EXPECT_EQ(error.kind(), caos::ErrorKind::bad_format) << error.what();
    EXPECT_TRUE(std::string(error.what()).starts_with(name + ": ")) << error.what();
    return true;
  }
}

/// Expects that a file with a few bytes altered is decoded or refused, without a word on stderr.
inline void expect_no_harm(const Bytes& whole, const std::string& name, std::size_t trials) {
  caos::Rng rng(2026);
  testing::internal::CaptureStderr();
  for (std::size_t trial = 0; trial < trials; ++trial) {
    Bytes bytes = whole;
    const std::size_t changes = 1 + rng.below(4);
    for (std::size_t i = 0; i < changes; ++i) {
      bytes[rng.below(bytes.size())] = static_cast<std::byte>(rng.below(256));
    }
    (void)is_refused(bytes, name);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << name;
}

/// Expects that no beginning of the file is taken for the whole.
inline void expect_no_part(const Bytes& whole, const std::string& name) {
  testing::internal::CaptureStderr();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_TRUE(is_refused(part, name)) << size << " of " << whole.size();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << name;
}

}  // namespace damaged_files
