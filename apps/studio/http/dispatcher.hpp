#pragma once

#include <httplib.h>

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "apps/studio/http/connection.hpp"
#include "apps/studio/http/guard.hpp"
#include "apps/studio/http/http_limits.hpp"
#include "apps/studio/http/metrics.hpp"
#include "apps/studio/http/router.hpp"

namespace caos::studio::http {

/// From a request's head to its answer: who asks, what for, with which body, and who answers.
class Dispatcher {
 public:
  /// Large bodies go through files in `folder`. Errors call the folder `hidden` by another name.
  Dispatcher(const Guard& guard, const Router& router, const Limits& limits, Metrics& metrics,
             std::string folder, std::string hidden)
      : guard_(guard),
        router_(router),
        limits_(limits),
        metrics_(metrics),
        folder_(std::move(folder)),
        hidden_(std::move(hidden)) {}

  /// Never throws. Reads the body from the connection.
  [[nodiscard]] Answer answer(const httplib::Request& head, Connection& connection);

 private:
  [[nodiscard]] Answer route(const httplib::Request& head, Connection& connection,
                             std::string& pattern);
  [[nodiscard]] Answer call(const Route& route, Request request, Connection& connection);
  [[nodiscard]] Answer call_with_file(const Route& route, Request request, Connection& connection);
  [[nodiscard]] std::string without_folder(std::string message) const;
  [[nodiscard]] Answer slowed_down(Answer answer);

  const Guard& guard_;
  const Router& router_;
  const Limits& limits_;
  Metrics& metrics_;
  const std::string folder_;
  const std::string hidden_;
  std::atomic<std::size_t> bodies_bytes_ = 0;  // being read
  std::atomic<std::size_t> num_slowed_ = 0;
};

/// What the head says about the size of the body: nothing if it says so in a way that is refused.
[[nodiscard]] std::optional<std::size_t> body_size(const httplib::Request& head);

}  // namespace caos::studio::http
