#include "apps/studio/pictures/picture_intake.hpp"
#include "caos/error.hpp"
#include "caos/vision/codecs/deep_image.hpp"
#include "caos/vision/codecs/tiff_pages.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

void take_pages(Input input) {
  const std::size_t pages = vision::num_tiff_pages(input);
  demand(pages <= input.size(), "every page has a directory of its own");
  for (std::size_t page = 0; page < std::min<std::size_t>(pages, 3); ++page) {
    demand(vision::num_tiff_pages(vision::tiff_page(input, page)) == 1, "one page is taken");
  }
}

// DICOM files are read in a process of its own, which each input would start: the same code, as
// often as that allows.
FUZZ_TARGET(picture_intake, input) {
  take_pages(input);
  if (vision::is_deep_image(input)) {
    try {
      const auto deep = vision::decode_deep(input, "input");
      if (deep)
        demand(deep->values.size() == deep->width * deep->height, "every pixel has a value");
    } catch (const Error&) {
    }
  }
  (void)studio::take_picture(input, "input", 1);
}

}  // namespace
}  // namespace caos::fuzz
