#pragma once

#include <functional>
#include <optional>
#include <string>

#include "caos/dist/bytes.hpp"
#include "caos/error.hpp"

// For the ways in which processes work together; not for users of the library.
namespace caos::dist {

/// An error that can travel.
struct Failure {
  ErrorKind kind = ErrorKind::backend;
  std::string text{};
};

/// Runs `body` and returns what it threw, if it did.
[[nodiscard]] std::optional<Failure> failure_of(const std::function<void()>& body);

void pack(Packer& packer, const std::optional<Failure>& failure);
[[nodiscard]] std::optional<Failure> unpack_failure(Unpacker& unpacker);

}  // namespace caos::dist
