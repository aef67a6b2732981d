#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "apps/studio/store/store.hpp"
#include "caos/vision/codecs/encode.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::studio::test {

/// A PNG of one color, so that different numbers are different images.
inline std::vector<std::byte> png(int number, std::size_t width = 40, std::size_t height = 30) {
  vision::Image image{.width = width, .height = height};
  for (std::size_t i = 0; i < width * height; ++i) {
    image.rgb.insert(image.rgb.end(), {static_cast<std::uint8_t>(number),
                                       static_cast<std::uint8_t>(number / 256), std::uint8_t{7}});
  }
  return vision::encode_png(image);
}

/// A store with a project in a folder of its own.
class StoreFixture {
 public:
  explicit StoreFixture(const std::vector<std::string>& landmarks = {"nose", "chin"})
      : store_(std::make_unique<Store>(path())) {
    project = store_->add_project("faces", "builtin", "", {}).id;
    std::vector<SchemeLandmark> scheme;
    for (const std::string& name : landmarks) scheme.push_back({.name = name});
    store_->replace_scheme(project, 0, scheme, false);
  }

  [[nodiscard]] std::string path() const { return folder / "data"; }
  Store* operator->() { return store_.get(); }
  Store& operator*() { return *store_; }

  /// As after the program was started again.
  void reopen() {
    store_.reset();
    store_ = std::make_unique<Store>(path());
  }
  void close() { store_.reset(); }

  /// Adds images 0.png, 1.png, ...
  std::vector<Id> add_images(int count, const std::vector<std::string>& subjects = {}) {
    std::vector<Id> ids;
    for (int i = 0; i < count; ++i) {
      NewImage image{.name = fmt::format("{}.png", i)};
      if (!subjects.empty()) image.subject = subjects[static_cast<std::size_t>(i)];
      ids.push_back(store_->add_image(project, image, png(i)).id);
    }
    return ids;
  }
  Id add_image() { return add_images(1).front(); }

  [[nodiscard]] Id landmark(std::size_t number) { return store_->scheme(project).at(number).id; }

  /// A change of the present revision that puts one landmark somewhere.
  [[nodiscard]] Change placing(Id image, std::size_t number, double x, double y,
                               const std::string& annotator = "Ada") {
    return {.id = fmt::format("change-{}", ++changes_),
            .image = image,
            .base = store_->reading(project, image).revision,
            .annotator = annotator,
            .edits = {{landmark(number), PointState::visible, x, y}}};
  }

  /// Gives all landmarks of an image a place.
  void complete(Id image) {
    for (std::size_t i = 0; i < store_->scheme(project).size(); ++i) {
      store_->apply(project, placing(image, i, 1, 2));
    }
  }

  caos::test::TempDir folder;
  Id project = 0;

 private:
  std::unique_ptr<Store> store_;
  int changes_ = 0;
};

}  // namespace caos::studio::test
