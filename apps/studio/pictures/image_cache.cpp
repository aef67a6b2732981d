#include "apps/studio/pictures/image_cache.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace caos::studio {
namespace {

/// Holds one of few places: decoding takes memory that grows with the image.
class Place {
 public:
  explicit Place(std::counting_semaphore<>& places) : places_(places) { places_.acquire(); }
  ~Place() { places_.release(); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  std::counting_semaphore<>& places_;
};

}  // namespace

ImageCache::Shared ImageCache::get(const std::string& key,
                                   const std::function<vision::Image()>& decode) {
  std::promise<Shared> promise;
  if (const auto present = find_or_add(key, promise)) return present->get();
  try {
    const Place place(decoders_);
    auto image = std::make_shared<const vision::Image>(decode());
    note_size(key, image->rgb.size());
    promise.set_value(image);
    return image;
  } catch (...) {
    forget(key);
    promise.set_exception(std::current_exception());
    throw;
  }
}

std::optional<ImageCache::Future> ImageCache::find_or_add(const std::string& key,
                                                          std::promise<Shared>& promise) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(entries_, key, &Entry::key);
  if (found == entries_.end()) {
    entries_.push_front({key, promise.get_future().share()});
    return std::nullopt;
  }
  entries_.splice(entries_.begin(), entries_, found);
  return found->image;
}

void ImageCache::note_size(const std::string& key, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(entries_, key, &Entry::key);
  if (found != entries_.end()) found->bytes = bytes;
  std::size_t sum = 0;
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    sum += entry->bytes;
    const bool goes = sum > max_bytes_ && entry != entries_.begin() && entry->bytes > 0;
    entry = goes ? entries_.erase(entry) : std::next(entry);
  }
}

void ImageCache::forget(const std::string& key) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const Entry& entry) { return entry.key == key; });
}

}  // namespace caos::studio
