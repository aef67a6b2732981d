#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>

#include "caos/backbone.hpp"

namespace caos::studio {

/// The decoded images that were asked for last. Safe to use from several threads; an image that
/// several ask for at once is decoded once.
class ImageCache {
 public:
  using Shared = std::shared_ptr<const vision::Image>;

  /// Keeps images of at most so many bytes together, and always the last one.
  explicit ImageCache(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// The image called `key`, by `decode` unless it is here; what that throws is thrown to all who
  /// wait.
  [[nodiscard]] Shared get(const std::string& key, const std::function<vision::Image()>& decode);

 private:
  using Future = std::shared_future<Shared>;

  struct Entry {
    std::string key;
    Future image;
    std::size_t bytes = 0;  // 0: not known yet
  };

  /// Nothing if the caller has to fulfill it.
  [[nodiscard]] std::optional<Future> find_or_add(const std::string& key,
                                                  std::promise<Shared>& promise);
  void note_size(const std::string& key, std::size_t bytes);
  void forget(const std::string& key);

  std::size_t max_bytes_;
  std::mutex mutex_{};
  std::list<Entry> entries_{};  // the one asked for last comes first
  std::counting_semaphore<> decoders_{2};
};

}  // namespace caos::studio
