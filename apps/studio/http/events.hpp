#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caos::studio::http {

/// One client that waits for events.
class Subscription {
 public:
  explicit Subscription(std::int64_t topic) : topic_(topic) {}

  /// The text to send next, in the form of server-sent events. Waits at most so long, then gives an
  /// empty text; nothing when the events are at an end, also for a client that is too slow for
  /// them.
  [[nodiscard]] std::optional<std::string> next(std::chrono::milliseconds wait);

 private:
  friend class Events;

  void add(const std::string& text);
  void end();

  const std::int64_t topic_;
  std::mutex mutex_{};
  std::condition_variable come_{};
  std::deque<std::string> texts_{};
  bool ended_ = false;
};

/// Sends events to all listeners. Safe to use from several threads; a slow client delays no other:
/// one that lags behind is dropped, and asks again.
class Events {
 public:
  explicit Events(std::size_t max_clients) : max_clients_(max_clients) {}

  /// Events of one topic, or of all (0). None if there are too many clients already, or no more
  /// events will come.
  [[nodiscard]] std::shared_ptr<Subscription> subscribe(std::int64_t topic);

  /// `kind` is a word, `data` one line.
  void publish(std::int64_t topic, std::string_view kind, std::string_view data);

  /// Ends all subscriptions, for good.
  void stop();

  [[nodiscard]] std::size_t num_clients() const;

 private:
  [[nodiscard]] std::vector<std::shared_ptr<Subscription>> listeners() const;

  const std::size_t max_clients_;
  mutable std::mutex mutex_{};
  mutable std::vector<std::weak_ptr<Subscription>> clients_{};
  bool stopped_ = false;
};

}  // namespace caos::studio::http
