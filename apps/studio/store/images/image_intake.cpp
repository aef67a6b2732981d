#include "apps/studio/store/images/image_intake.hpp"

#include "apps/studio/store/store_limits.hpp"
#include "caos/vision/codecs/decode.hpp"
#include "caos/vision/codecs/exif_check.hpp"

namespace caos::studio {

vision::ImageInfo inspect_image(std::span<const std::byte> bytes, const std::string& name) {
  const vision::DecodeOptions options{.max_pixels = limits::pixels};
  const vision::ImageInfo info = vision::probe_image(bytes, name);
  vision::require_fits(info, options, name);
  vision::check_exif(bytes, info, name);
  // Only decoding all pixels shows that nothing is missing.
  static_cast<void>(vision::decode_image(bytes, name, options));
  return info;
}

}  // namespace caos::studio
