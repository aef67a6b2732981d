#include "caos/io/file_descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace caos::io {
namespace {

Error cannot_open(const std::string& name, int code) {
  if (code == ENOENT) return {ErrorKind::not_found, fmt::format("{}: no such file", name)};
  return {ErrorKind::not_found, fmt::format("{}: cannot be opened: {}", name, reason(code))};
}

}  // namespace

Descriptor::~Descriptor() {
  if (value_ >= 0) ::close(value_);
}

std::string reason(int code) { return std::generic_category().message(code); }

Error failed(const std::string& name, const char* what, int code) {
  return {ErrorKind::backend, fmt::format("{}: {}: {}", name, what, reason(code))};
}

struct stat status_of(int descriptor, const std::string& name) {
  struct stat result = {};
  if (::fstat(descriptor, &result) != 0) throw cannot_open(name, errno);
  return result;
}

void require_no_directory(int descriptor, const std::string& name) {
  require(!S_ISDIR(status_of(descriptor, name).st_mode), ErrorKind::not_found,
          [&] { return fmt::format("{}: is a directory; expected a file", name); });
}

Descriptor open_to_read(const std::string& path) {
  Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor) throw cannot_open(path, errno);
  require_no_directory(descriptor.get(), path);
  return descriptor;
}

}  // namespace caos::io
