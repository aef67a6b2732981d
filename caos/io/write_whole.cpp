#include "caos/io/write_whole.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/file_descriptor.hpp"

namespace caos::io {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 20;

/// A new file in the folder of the target, gone with this object unless it took the target's place.
/// Where the file system allows it, the file has no name until then: so it is also gone if the
/// program is killed.
class Temporary {
 public:
  Temporary(const std::string& folder, mode_t mode, const std::string& target)
      : target_(target), folder_(folder), descriptor_(create(mode)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (!renamed_ && !path_.empty()) ::unlink(path_.c_str());
  }

  [[nodiscard]] int descriptor() const { return descriptor_.get(); }

  /// Without the sync, a crash may leave the new name on an empty file.
  void sync() {
    if (::fsync(descriptor()) != 0) throw failed(target_, "cannot be written", errno);
  }

  void rename_to(const std::string& target) {
    // Where nothing is replaced, it needs no other name before its own.
    if (path_.empty() && link_to(target)) return;
    if (path_.empty()) give_name();
    if (::rename(path_.c_str(), target.c_str()) != 0) {
      throw failed(target_, "cannot be written", errno);
    }
    renamed_ = true;
  }

 private:
  /// The name does not contain the target's, which may have the greatest length already.
  [[nodiscard]] std::string new_name() const {
    static std::atomic<unsigned> counter{0};
    return fmt::format("{}/.caos-{}-{}.tmp", folder_, ::getpid(), counter.fetch_add(1));
  }

  [[nodiscard]] Descriptor create(mode_t mode) {
    if (Descriptor nameless = create_nameless(mode)) return nameless;
    return create_named(mode);
  }

  /// Nothing where a file without a name cannot be had, or not be named later.
  [[nodiscard]] Descriptor create_nameless(mode_t mode) const {
    if (::access("/proc/self/fd", X_OK) != 0) return Descriptor(-1);
    return Descriptor(::open(folder_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode));
  }

  [[nodiscard]] Descriptor create_named(mode_t mode) {
    for (;;) {
      const std::string path = new_name();
      Descriptor result(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
      if (!result && errno == EEXIST) continue;
      if (!result) throw failed(target_, "cannot be written", errno);
      path_ = path;
      return result;
    }
  }

  /// Whether the nameless file has this name now; it has not where the name is taken.
  [[nodiscard]] bool link_to(const std::string& path) {
    const std::string file = fmt::format("/proc/self/fd/{}", descriptor());
    const int done = ::linkat(AT_FDCWD, file.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW);
    if (done != 0 && errno != EEXIST) throw failed(target_, "cannot be written", errno);
    return done == 0;
  }

  void give_name() {
    std::string path = new_name();
    while (!link_to(path)) path = new_name();
    path_ = path;
  }

  std::string target_;  // as errors call it
  std::string folder_;
  std::string path_{};  // empty where it has no name
  Descriptor descriptor_;
  bool renamed_ = false;
};

std::optional<struct stat> status(const std::string& path) {
  struct stat result = {};
  if (::stat(path.c_str(), &result) == 0) return result;
  return std::nullopt;
}

/// These may lead to a regular file (`> out.csv`) that the shell holds open: renaming over it
/// would tear it from the shell's hands.
bool is_descriptor_path(const std::string& path) {
  return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/");
}

bool is_written_directly(const std::string& path, const std::optional<struct stat>& existing) {
  return existing && (!S_ISREG(existing->st_mode) || is_descriptor_path(path));
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

void require_no_directory(const std::string& path, const std::optional<struct stat>& existing) {
  const bool is_directory = path.ends_with('/') || (existing && S_ISDIR(existing->st_mode));
  require(!is_directory, ErrorKind::not_found,
          [&] { return fmt::format("{}: is a directory; expected a file", path); });
}

/// Where the bytes really go: a symbolic link stays and its target is replaced.
std::string follow_links(const std::string& path) {
  std::error_code none;
  const auto real = std::filesystem::canonical(path, none);
  return none ? path : real.string();
}

void write_and_flush(int descriptor, const std::string& path,
                     const std::function<void(Sink&)>& writer) {
  Sink sink(descriptor, path);
  writer(sink);
  sink.flush();
}

void write_directly(const std::string& path, const std::function<void(Sink&)>& writer) {
  const Descriptor descriptor(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (!descriptor) throw failed(path, "cannot be opened", errno);
  write_and_flush(descriptor.get(), path, writer);
}

/// Makes the new name survive a crash. A failure here is not a failure to write: the file is there
/// and whole, and some file systems cannot do this.
void sync_folder(const std::string& folder) {
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor) ::fsync(descriptor.get());
}

/// A file that others could not read stays so: the new one is at most as open as the old.
mode_t mode_like(const std::optional<struct stat>& existing) {
  return existing ? existing->st_mode & 0777U : 0666U;
}

void replace(const std::string& path, mode_t mode, const std::function<void(Sink&)>& writer,
             Durability durability) {
  const std::string target = follow_links(path);
  Temporary temporary(folder_of(target), mode, path);
  write_and_flush(temporary.descriptor(), path, writer);
  if (durability == Durability::safe) temporary.sync();
  temporary.rename_to(target);
  if (durability == Durability::safe) sync_folder(folder_of(target));
}

}  // namespace

Sink::Sink(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {
  buffer_.reserve(buffer_size);
}

void Sink::write(std::span<const std::byte> bytes) {
  if (buffer_.size() + bytes.size() > buffer_size) flush();
  if (bytes.size() >= buffer_size) return pass_on(bytes);
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void Sink::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

void Sink::flush() {
  pass_on(buffer_);
  buffer_.clear();
}

void Sink::write_at_start(std::string_view text) {
  flush();
  // Linux would put the text at the end of such a file, and call it a success.
  const bool appends = (::fcntl(descriptor_, F_GETFL) & O_APPEND) != 0;
  if (appends) throw failed(name_, "cannot be written from the start", ESPIPE);
  errno = 0;
  const ssize_t count = ::pwrite(descriptor_, text.data(), text.size(), 0);
  if (count != static_cast<ssize_t>(text.size())) throw failed(name_, "cannot be written", errno);
}

void Sink::pass_on(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) throw failed(name_, "cannot be written", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
}

void check_target(const std::string& path) {
  require_no_directory(path, status(path));
  const std::string folder = folder_of(path);
  const auto found = status(folder);
  require(found.has_value(), ErrorKind::not_found, [&] {
    return fmt::format("{}: the folder {} does not exist; create it first", path, folder);
  });
  require(S_ISDIR(found->st_mode), ErrorKind::not_found,
          [&] { return fmt::format("{}: {} is not a folder", path, folder); });
}

void write_whole(const std::string& path, const std::function<void(Sink&)>& writer,
                 Durability durability) {
  check_target(path);
  const auto existing = status(path);
  try {
    if (is_written_directly(path, existing)) return write_directly(path, writer);
    replace(path, mode_like(existing), writer, durability);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;  // what is written was too much, not the file
  } catch (const std::exception& error) {
    throw Error(ErrorKind::backend, fmt::format("{}: cannot be written: {}", path, error.what()));
  }
}

}  // namespace caos::io
