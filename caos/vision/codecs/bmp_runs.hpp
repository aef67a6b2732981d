#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// For the decoder of BMP files; not for users of the library.
namespace caos::vision {

/// The palette's numbers of width x height pixels that are run-length coded in 4 or 8 bits; pixels
/// that are left out get 0. Throws `bad_format` where a run leaves its row or the code ends early.
[[nodiscard]] std::vector<std::uint8_t> bmp_indices_of_runs(std::span<const std::byte> code,
                                                            std::size_t bits, std::size_t width,
                                                            std::size_t height,
                                                            const std::string& name);

}  // namespace caos::vision
