#include "apps/cli/bus_error.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string_view>

// Everything here may run in the middle of anything, with any lock held: no memory is asked for,
// and of the system only what POSIX allows in a signal's handler.
namespace caos::cli {
namespace {

/// One line of the list of maps, "5581a000-5581b000 r--p 00000000 fe:00 1234   /path/of the file".
class MapLine {
 public:
  explicit MapLine(std::string_view line) : rest_(line) {}

  [[nodiscard]] bool holds(std::uintptr_t address) {
    const std::uintptr_t first = number();
    const std::uintptr_t last = number();
    return first <= address && address < last;
  }

  /// The file; empty if the memory does not belong to a file.
  [[nodiscard]] std::string_view file() const {
    const std::size_t slash = rest_.find('/');
    return slash == std::string_view::npos ? std::string_view() : rest_.substr(slash);
  }

 private:
  /// The hexadecimal number at the start, with the character after it.
  std::uintptr_t number() {
    std::uintptr_t value = 0;
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      const bool digit = c >= '0' && c <= '9';
      if (!digit && (c < 'a' || c > 'f')) break;
      value = value * 16 + static_cast<std::uintptr_t>(digit ? c - '0' : c - 'a' + 10);
    }
    return value;
  }

  std::string_view rest_;
};

/// Lines of a file, each cut where it is longer than any path may be.
class Lines {
 public:
  explicit Lines(int descriptor) : descriptor_(descriptor) {}

  bool next(std::string_view& line) {
    std::size_t length = 0;
    for (;;) {
      if (at_ == size_) {
        const ssize_t count = ::read(descriptor_, buffer_.data(), buffer_.size());
        if (count <= 0) return false;
        at_ = 0;
        size_ = static_cast<std::size_t>(count);
      }
      const char c = buffer_[at_++];
      if (c == '\n') break;
      if (length < line_.size()) line_[length++] = c;
    }
    line = {line_.data(), length};
    return true;
  }

 private:
  int descriptor_;
  std::size_t at_ = 0;
  std::size_t size_ = 0;
  std::array<char, 4096> buffer_{};
  std::array<char, 4400> line_{};
};

void say(std::string_view text) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

/// One call for all of it, so that several processes do not speak into each other's words.
void complain(std::string_view file) {
  constexpr std::string_view before = "caos: ";
  constexpr std::string_view after =
      ": became shorter or unreadable while it was being read, so there is no result; run again "
      "when no other program writes to it\n";
  static std::array<char, 4700> text;
  std::size_t size = 0;
  for (const std::string_view part : {before, file, after}) {
    const std::size_t count = std::min(part.size(), text.size() - size);
    std::memcpy(&text[size], part.data(), count);
    size += count;
  }
  // A name must not steer the terminal.
  for (std::size_t i = 0; i + 1 < size; ++i) {
    if (static_cast<unsigned char>(text[i]) < 0x20 || text[i] == 0x7f) text[i] = '?';
  }
  say({text.data(), size});
}

/// The mapped file that holds an address, by the list of maps; empty where there is none.
std::string_view mapped_at(Lines& maps, std::uintptr_t address) {
  std::string_view line;
  while (maps.next(line)) {
    MapLine map(line);
    if (map.holds(address)) return map.file();
  }
  return {};
}

void on_bus_error(int signal, siginfo_t* info, void*) {
  if (info->si_code <= 0) {  // sent by another process; there is no address
    std::signal(signal, SIG_DFL);
    ::raise(signal);
    return;
  }
  static std::atomic_flag begun;
  // Another thread looks at the same file: the first one to notice speaks for all.
  if (begun.test_and_set()) {
    for (;;) ::pause();
  }
  Lines maps(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
  const std::string_view file = mapped_at(maps, reinterpret_cast<std::uintptr_t>(info->si_addr));
  if (file.empty()) {  // not a file but a bug: let it happen again without this handler
    std::signal(signal, SIG_DFL);
    return;
  }
  complain(file);
  ::_exit(1);
}

}  // namespace

void explain_bus_errors() {
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace caos::cli
