#include "caos/io/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "caos/error.hpp"
#include "caos/io/file_descriptor.hpp"

namespace caos::io {
namespace {

constexpr std::size_t read_size = std::size_t{1} << 20;

std::size_t read_some(int descriptor, std::span<std::byte> out, const std::string& name) {
  for (;;) {
    const ssize_t count = ::read(descriptor, out.data(), out.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) throw failed(name, "cannot be read", errno);
  }
}

std::vector<std::byte> read_all(int descriptor, const std::string& name) {
  const auto expected = static_cast<std::size_t>(status_of(descriptor, name).st_size);
  std::vector<std::byte> result;
  for (std::size_t size = 0;;) {
    // One byte more than there should be shows the end without growing.
    result.resize(size + (size < expected ? expected - size + 1 : read_size));
    while (size < result.size()) {
      const std::size_t count = read_some(descriptor, std::span(result).subspan(size), name);
      size += count;
      if (count == 0) return result.resize(size), result;
    }
  }
}

}  // namespace

void MappedFile::Unmap::operator()(const std::byte* start) const {
  ::munmap(const_cast<std::byte*>(start), size);
}

MappedFile MappedFile::open(const std::string& path) {
  if (path == "-") return read(path);
  MappedFile file(path);
  const Descriptor descriptor = open_to_read(path);
  if (!file.map(descriptor.get())) file.memory_ = read_all(descriptor.get(), path);
  return file;
}

MappedFile MappedFile::read(const std::string& path) {
  const bool is_stdin = path == "-";
  MappedFile file(is_stdin ? "<stdin>" : path);
  if (is_stdin) {
    require_no_directory(STDIN_FILENO, file.name_);
    file.memory_ = read_all(STDIN_FILENO, file.name_);
  } else {
    file.memory_ = read_all(open_to_read(path).get(), path);
  }
  return file;
}

MappedFile MappedFile::read(const Descriptor& descriptor, std::string name) {
  MappedFile file(std::move(name));
  file.memory_ = read_all(descriptor.get(), file.name_);
  return file;
}

MappedFile::State MappedFile::state_of(const struct ::stat& file) {
  return {.device = file.st_dev,
          .number = file.st_ino,
          .size = static_cast<std::uint64_t>(file.st_size),
          .seconds = file.st_mtim.tv_sec,
          .nanoseconds = file.st_mtim.tv_nsec};
}

bool MappedFile::map(int descriptor) {
  const struct stat file = status_of(descriptor, name_);
  if (!S_ISREG(file.st_mode)) return false;
  const auto size = static_cast<std::size_t>(file.st_size);
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  // Not every file system can map, and nothing at all cannot be mapped; the files of /proc say
  // that they are empty and are not.
  if (start == MAP_FAILED) return false;
  ::madvise(start, size, MADV_SEQUENTIAL);
  map_ = {static_cast<const std::byte*>(start), Unmap{size}};
  state_ = state_of(file);
  return true;
}

void MappedFile::require_unchanged() const {
  struct stat file = {};
  if (!map_ || ::stat(name_.c_str(), &file) != 0) return;  // gone by name, and as it was
  const State now = state_of(file);
  const bool same_file = now.device == state_.device && now.number == state_.number;
  require(!same_file || now == state_, ErrorKind::backend, [&] {
    return fmt::format(
        "{}: changed while it was being read; run again when no other program writes to it", name_);
  });
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
