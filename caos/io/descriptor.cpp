#include "caos/io/descriptor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

namespace caos::io {

Descriptor::~Descriptor() {
  if (value_ >= 0) ::close(value_);
}

std::string reason(int code) { return std::generic_category().message(code); }

Error failed(const std::string& name, const char* what, int code) {
  return {ErrorKind::backend, fmt::format("{}: {}: {}", name, what, reason(code))};
}

}  // namespace caos::io
