#include "apps/studio/pictures/picture_intake.hpp"

#include <fmt/format.h>

#include <semaphore>

#include "apps/studio/pictures/dicom_picture.hpp"
#include "caos/error.hpp"
#include "caos/vision/codecs/tiff_pages.hpp"

namespace caos::studio {
namespace {

using Bytes = std::span<const std::byte>;
using Taken = std::variant<TakenPicture, SeveralPages>;

/// The page that is asked for, counted from 0; nothing where the user must choose.
std::optional<std::size_t> chosen(std::optional<std::size_t> page, std::size_t count,
                                  const std::string& name) {
  if (!page) return count == 1 ? std::optional<std::size_t>(0) : std::nullopt;
  require(*page >= 1 && *page <= count, ErrorKind::invalid_input,
          [&] { return fmt::format("{} has no page {}; it has {}", name, *page, count); });
  return *page - 1;
}

Taken take_dicom(Bytes bytes, const std::string& name, std::optional<std::size_t> page) {
  static std::counting_semaphore<> few(2);  // pixels are large
  few.acquire();
  struct Release {
    ~Release() { few.release(); }
  } const release;
  const std::size_t frames = num_dicom_frames(bytes, name);
  const auto frame = chosen(page, frames, name);
  if (!frame) return SeveralPages{frames};
  DicomPicture picture = dicom_picture(bytes, name, *frame);
  return TakenPicture{.bytes = std::move(picture.png), .mm_per_pixel = picture.mm_per_pixel};
}

}  // namespace

Taken take_picture(Bytes bytes, const std::string& name, std::optional<std::size_t> page) {
  if (is_dicom(bytes)) return take_dicom(bytes, name, page);
  const std::size_t pages = vision::num_tiff_pages(bytes);
  const auto place = chosen(page, pages == 0 ? 1 : pages, name);
  if (!place) return SeveralPages{pages};
  if (pages <= 1) return TakenPicture{};
  return TakenPicture{.bytes = vision::tiff_page(bytes, *place)};
}

}  // namespace caos::studio
