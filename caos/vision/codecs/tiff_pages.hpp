#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace caos::vision {

/// How many pages a TIFF file has; 0 for other files. Reduced copies of pages and masks do not
/// count, but for the first directory, which `decode_image` reads.
[[nodiscard]] std::size_t num_tiff_pages(std::span<const std::byte> bytes);

/// The file with this page, counted from 0, as its only one: the same bytes, but for where its
/// directories begin and end. Requires a page that there is.
[[nodiscard]] std::vector<std::byte> tiff_page(std::span<const std::byte> bytes, std::size_t page);

}  // namespace caos::vision
