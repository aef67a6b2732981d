#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace caos::studio {

/// Whether the bytes are a DICOM file.
[[nodiscard]] bool is_dicom(std::span<const std::byte> bytes);

/// The pixels of a DICOM file and their size: nothing else of it is kept.
struct DicomPicture {
  std::vector<std::byte> png{};          ///< gray with 16 bits, or color with 8
  std::optional<double> mm_per_pixel{};  ///< where the file says it, and pixels are square
};

/// How many frames a DICOM file has.
[[nodiscard]] std::size_t num_dicom_frames(std::span<const std::byte> bytes,
                                           const std::string& name);

/// A frame, counted from 0. Gray values are stretched over 16 bits, as the file says which of them
/// is bright. Reads uncompressed, run-length and JPEG pixels, in a process of its own. Throws
/// `bad_format`, which names the file, for what cannot be read.
[[nodiscard]] DicomPicture dicom_picture(std::span<const std::byte> bytes, const std::string& name,
                                         std::size_t frame);

}  // namespace caos::studio
