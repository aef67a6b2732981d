#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

// For those who wait for others; not for users of the library.
namespace caos::text {

/// Ends what takes too long: calls its end when its time is over, and each second from then on, as
/// what has not begun by then cannot be ended. One thread for all.
class Watchdog {
 public:
  using Clock = std::chrono::steady_clock;

  Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

 private:
  struct Entry {
    Clock::time_point deadline{};
    std::function<void()> end{};
  };

 public:
  /// What is watched as long as this lives. After its destructor has returned, `end` is not called.
  class Watch {
   public:
    Watch(Watchdog& dog, Clock::time_point deadline, std::function<void()> end);
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch();

   private:
    Watchdog& dog_;
    std::list<Entry>::iterator entry_;
  };

 private:
  void run();
  [[nodiscard]] Clock::time_point next_deadline() const;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Entry> entries_;
  bool over_ = false;
  std::thread thread_;  // last, so that it begins when all else is there
};

}  // namespace caos::text
