#include "caos/vision/codecs/decode_webp.hpp"

#include <webp/decode.h>

#include <cstdint>
#include <utility>

#include "caos/vision/codecs/refuse_image.hpp"
#include "caos/vision/codecs/samples.hpp"

namespace caos::vision {

Image decode_webp(std::span<const std::byte> bytes, const ImageInfo& info,
                  const std::string& name) {
  const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  WebPBitstreamFeatures features;
  const bool is_known = WebPGetFeatures(data, bytes.size(), &features) == VP8_STATUS_OK;
  if (is_known && features.has_animation != 0) {
    refuse(name, "is an animation; save one of its pictures as a file of its own");
  }
  const auto fail = [&] { refuse(name, "is damaged; save or copy it again"); };
  if (!is_known || std::cmp_not_equal(features.width, info.width) ||
      std::cmp_not_equal(features.height, info.height)) {
    fail();
  }
  const bool has_alpha = features.has_alpha != 0;
  Samples samples{.width = info.width, .height = info.height, .channels = has_alpha ? 4U : 3U};
  samples.values.resize(samples.width * samples.height * samples.channels);
  const auto decode = has_alpha ? WebPDecodeRGBAInto : WebPDecodeRGBInto;
  if (decode(data, bytes.size(), samples.values.data(), samples.values.size(),
             static_cast<int>(samples.width * samples.channels)) == nullptr) {
    fail();
  }
  return to_rgb(std::move(samples));
}

}  // namespace caos::vision
