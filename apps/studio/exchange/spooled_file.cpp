#include "apps/studio/exchange/spooled_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "caos/error.hpp"

namespace caos::studio {
namespace {

[[noreturn]] void fail(const char* what) {
  throw Error(ErrorKind::backend,
              fmt::format("temporary file: {}: {}", what, std::generic_category().message(errno)));
}

}  // namespace

SpooledFile::SpooledFile(const std::string& folder) {
  std::string path = folder + "/spool-XXXXXX";
  descriptor_ = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail("cannot be made");
  ::unlink(path.c_str());
}

SpooledFile SpooledFile::take(const std::string& path) {
  SpooledFile file;
  file.descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file.descriptor_ < 0) fail("cannot be opened");
  ::unlink(path.c_str());
  return file;
}

SpooledFile::~SpooledFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

SpooledFile::SpooledFile(SpooledFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

SpooledFile& SpooledFile::operator=(SpooledFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

std::size_t SpooledFile::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail("cannot be looked at");
  return static_cast<std::size_t>(status.st_size);
}

std::size_t SpooledFile::read(std::size_t offset, std::span<std::byte> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t count = ::pread(descriptor_, out.data() + done, out.size() - done,
                                  static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot be read");
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

}  // namespace caos::studio
