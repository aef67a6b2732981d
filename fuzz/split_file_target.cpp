#include "apps/cli/landmarks/split_file.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

AnnotatedImages five_images() {
  AnnotatedImages images;
  images.names = {"a.png", "b.png", "c.png", "d.png", "e.png"};
  images.failed_names = {"broken.png"};
  images.patches.subjects = {0, 0, 1, 2, 3};
  return images;
}

FUZZ_TARGET(split_file, input) {
  static const AnnotatedImages images = five_images();
  const LandmarkSplit split = cli::read_split(file_of(input, "split.csv"), images);
  demand(!split.references.empty() && !split.calibration.empty() && !split.test.empty(),
         "every side has images");
  demand(split.labeled().size() + split.test.size() <= images.names.size(),
         "no image has two roles");
}

}  // namespace
}  // namespace caos::fuzz
