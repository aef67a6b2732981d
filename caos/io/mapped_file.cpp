#include "caos/io/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "caos/core/error.hpp"
#include "caos/io/descriptor.hpp"

namespace caos::io {
namespace {

constexpr std::size_t read_size = std::size_t{1} << 20;

Error cannot_open(const std::string& name, int code) {
  if (code == ENOENT) return {ErrorKind::not_found, fmt::format("{}: no such file", name)};
  return {ErrorKind::not_found, fmt::format("{}: cannot be opened: {}", name, reason(code))};
}

struct stat status(int descriptor, const std::string& name) {
  struct stat result = {};
  if (::fstat(descriptor, &result) != 0) throw cannot_open(name, errno);
  return result;
}

void require_no_directory(int descriptor, const std::string& name) {
  require(!S_ISDIR(status(descriptor, name).st_mode), ErrorKind::not_found,
          [&] { return fmt::format("{}: is a directory; expected a file", name); });
}

std::size_t read_some(int descriptor, std::span<std::byte> out, const std::string& name) {
  for (;;) {
    const ssize_t count = ::read(descriptor, out.data(), out.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) throw failed(name, "cannot be read", errno);
  }
}

std::vector<std::byte> read_all(int descriptor, const std::string& name) {
  std::vector<std::byte> result;
  for (std::size_t size = 0;;) {
    result.resize(size + read_size);
    const std::size_t count = read_some(descriptor, std::span(result).subspan(size), name);
    size += count;
    if (count == 0) return result.resize(size), result;
  }
}

}  // namespace

void MappedFile::Unmap::operator()(const std::byte* start) const {
  ::munmap(const_cast<std::byte*>(start), size);
}

MappedFile MappedFile::open(const std::string& path) {
  const bool is_stdin = path == "-";
  MappedFile file(is_stdin ? "<stdin>" : path);
  if (is_stdin) {
    require_no_directory(STDIN_FILENO, file.name_);
    file.memory_ = read_all(STDIN_FILENO, file.name_);
    return file;
  }
  const Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor) throw cannot_open(path, errno);
  require_no_directory(descriptor.get(), path);
  file.map_or_read(descriptor.get());
  return file;
}

void MappedFile::map_or_read(int descriptor) {
  if (!map(descriptor)) memory_ = read_all(descriptor, name_);
}

bool MappedFile::map(int descriptor) {
  const struct stat file = status(descriptor, name_);
  if (!S_ISREG(file.st_mode)) return false;
  const auto size = static_cast<std::size_t>(file.st_size);
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  // Not every file system can map, and nothing at all cannot be mapped; the files of /proc say
  // that they are empty and are not.
  if (start == MAP_FAILED) return false;
  ::madvise(start, size, MADV_SEQUENTIAL);
  map_ = {static_cast<const std::byte*>(start), Unmap{size}};
  return true;
}

void MappedFile::will_need() const {
  if (map_) ::madvise(const_cast<std::byte*>(map_.get()), map_.get_deleter().size, MADV_WILLNEED);
}

void MappedFile::wait() const {
  constexpr std::size_t page = 4096;  // or larger: then some are touched twice
  const std::span<const std::byte> all = bytes();
  for (std::size_t i = 0; i < all.size(); i += page) {
    (void)*static_cast<const volatile std::byte*>(&all[i]);
  }
}

MappedFile MappedFile::of_bytes(std::vector<std::byte> bytes, std::string name) {
  MappedFile file(std::move(name));
  file.memory_ = std::move(bytes);
  return file;
}

std::span<const std::byte> MappedFile::bytes() const {
  if (map_) return {map_.get(), map_.get_deleter().size};
  return memory_;
}

std::string_view MappedFile::text() const {
  return {reinterpret_cast<const char*>(bytes().data()), bytes().size()};
}

}  // namespace caos::io
