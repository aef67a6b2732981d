#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caos/error.hpp"

namespace caos::studio::http {

class Subscription;

/// A body that may be too large for memory.
struct LongBody {
  std::size_t size = 0;
  /// Fills `out` from the byte at `offset` on; gives how much it filled.
  std::function<std::size_t(std::size_t offset, std::span<std::byte> out)> read{};
};

/// What a request is answered with.
struct Answer {
  int status = 200;
  std::string content_type{};  ///< empty: no body
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};  ///< beyond those that all have
  std::optional<LongBody> long_body{};                         ///< instead of `body`
  std::shared_ptr<Subscription> events{};  ///< sent instead of a body, as they come
};

/// JSON text.
[[nodiscard]] Answer json_answer(std::string text, int status = 200);

/// Why a request is not met: `{"error":{"kind":...,"message":...}}`. What is not UTF-8 in the
/// message becomes U+FFFD.
[[nodiscard]] Answer error_answer(int status, std::string_view kind, std::string_view message);

/// The same of an error that was thrown: the one place where kinds become HTTP.
[[nodiscard]] Answer error_answer(const Error& error);

}  // namespace caos::studio::http
