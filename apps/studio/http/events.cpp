#include "apps/studio/http/events.hpp"

#include <fmt/format.h>

#include <utility>

namespace caos::studio::http {
namespace {

// Far more than a client that reads has waiting: progress of embedding is the most there is.
constexpr std::size_t max_waiting = 1024;

}  // namespace

std::optional<std::string> Subscription::next(std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  come_.wait_for(lock, wait, [&] { return ended_ || !texts_.empty(); });
  if (ended_) return std::nullopt;
  std::string all;
  for (const std::string& text : texts_) all += text;
  texts_.clear();
  return all;
}

void Subscription::add(const std::string& text) {
  const std::lock_guard lock(mutex_);
  texts_.push_back(text);
  ended_ = ended_ || texts_.size() > max_waiting;
  come_.notify_one();
}

void Subscription::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  come_.notify_one();
}

std::shared_ptr<Subscription> Events::subscribe(std::int64_t topic) {
  const auto present = listeners().size();
  const std::lock_guard lock(mutex_);
  if (stopped_ || present >= max_clients_) return nullptr;
  auto subscription = std::make_shared<Subscription>(topic);
  clients_.push_back(subscription);
  return subscription;
}

void Events::publish(std::int64_t topic, std::string_view kind, std::string_view data) {
  const std::string text = fmt::format("event: {}\ndata: {}\n\n", kind, data);
  for (const auto& client : listeners()) {
    if (client->topic_ == 0 || client->topic_ == topic) client->add(text);
  }
}

void Events::stop() {
  {
    // First, so that no client joins after the notification.
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  for (const auto& client : listeners()) client->end();
}

std::size_t Events::num_clients() const { return listeners().size(); }

std::vector<std::shared_ptr<Subscription>> Events::listeners() const {
  std::vector<std::shared_ptr<Subscription>> present;
  const std::lock_guard lock(mutex_);
  std::erase_if(clients_, [&](const std::weak_ptr<Subscription>& client) {
    auto held = client.lock();
    if (held) present.push_back(std::move(held));
    return client.expired();
  });
  return present;
}

}  // namespace caos::studio::http
