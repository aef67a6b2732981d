#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace caos::studio {

/// An image file as it is to be stored.
struct TakenPicture {
  std::optional<std::vector<std::byte>> bytes{};  ///< nothing: as they came
  std::optional<double> mm_per_pixel{};           ///< where the file says it
};

/// A file with several images, of which one must be chosen.
struct SeveralPages {
  std::size_t count = 0;
};

/// Makes an image that `vision::decode_image` reads of an uploaded file. Of a TIFF file with
/// several pages the one is taken that `page` says, from 1; of a DICOM file the pixels, without
/// anything that it says of a patient. Other files are not looked at. Throws `bad_format` for a
/// DICOM file that cannot be read, `invalid_input` for a page that the file does not have.
[[nodiscard]] std::variant<TakenPicture, SeveralPages> take_picture(
    std::span<const std::byte> bytes, const std::string& name, std::optional<std::size_t> page);

}  // namespace caos::studio
