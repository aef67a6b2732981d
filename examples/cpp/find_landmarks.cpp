// From a few annotated images to regions that contain the landmarks of new ones.
//   find_landmarks IMAGES LANDMARKS NEW...
// IMAGES is a directory, LANDMARKS a file about images in it: CSV, TPS, COCO, dlib, ...
#include <caos/caos.hpp>
#include <cstdio>
#include <string>
#include <vector>

namespace {

/// The area of a region in pixels.
double area(const caos::LandmarkRegion& region) {
  double sum = 0;
  for (const caos::PixelBox& box : region.patches) {
    sum += (box.right - box.left) * (box.bottom - box.top);
  }
  return sum;
}

void print(const caos::ImageRegions& image) {
  if (image.error) {
    std::printf("%s\n", image.error->c_str());
    return;
  }
  for (const caos::LandmarkRegion& region : image.landmarks) {
    std::printf("%s: %s near (%.0f, %.0f), in a region of %.0f of %zu pixels\n", image.file.c_str(),
                region.landmark.c_str(), region.proposal.x, region.proposal.y, area(region),
                image.width * image.height);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: find_landmarks IMAGES LANDMARKS NEW...\n");
    return 2;
  }
  try {
    const auto finder = caos::LandmarkFinder::calibrate(argv[1], argv[2]);
    const caos::RegionOptions options{.alpha = caos::Miscoverage::parse("0.1")};
    const std::vector<std::string> files(argv + 3, argv + argc);
    for (const caos::ImageRegions& image : finder.find(files, options)) print(image);
    std::printf("guarantee: %s, if %s\n", finder.guarantee(options).text().c_str(),
                finder.assumption(options).c_str());
  } catch (const caos::Error& error) {
    std::fprintf(stderr, "find_landmarks: %s\n", error.what());
    return 1;
  }
}
