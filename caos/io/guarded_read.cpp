#include "caos/io/guarded_read.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/refuse.hpp"

namespace caos::io {
namespace {

constexpr char answer_begins = '+';
constexpr char error_begins = '-';

void put_text(std::string& message, const std::string& text) {
  const std::uint64_t size = text.size();
  message.append(reinterpret_cast<const char*>(&size), sizeof size);
  message += text;
}

/// The texts of a message; nothing more where it ends too early.
std::vector<std::string> texts_of_answer(std::string_view message) {
  std::vector<std::string> texts;
  std::uint64_t size = 0;
  while (message.size() >= sizeof size) {
    std::memcpy(&size, message.data(), sizeof size);
    message.remove_prefix(sizeof size);
    if (size > message.size()) break;
    texts.emplace_back(message.substr(0, size));
    message.remove_prefix(size);
  }
  return texts;
}

std::string answer_of_work(const std::function<std::vector<std::string>()>& work) {
  std::string message;
  try {
    message += answer_begins;
    for (const std::string& text : work()) put_text(message, text);
  } catch (const Error& error) {
    message = error_begins;
    put_text(message, fmt::format("{}", static_cast<int>(error.kind())));
    put_text(message, error.what());
  }
  return message;
}

/// What the child does: a crash of it is silent.
[[noreturn]] void answer_and_exit(int to, const std::function<std::vector<std::string>()>& work) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) {
    static_cast<void>(std::signal(signal, SIG_DFL));
  }
  const rlimit none{0, 0};
  static_cast<void>(setrlimit(RLIMIT_CORE, &none));
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) static_cast<void>(dup2(nowhere, STDERR_FILENO));
  std::string message;
  try {
    message = answer_of_work(work);
  } catch (...) {
    _exit(1);
  }
  for (std::size_t done = 0; done < message.size();) {
    const ssize_t count = write(to, message.data() + done, message.size() - done);
    if (count < 0 && errno != EINTR) _exit(1);
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  _exit(0);
}

std::string read_answer(int from) {
  std::string message;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count = read(from, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return message;
    message.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

/// Whether the process ended well.
bool has_ended_well(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return true;  // someone else collected it; the message tells
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::vector<std::string> read_guarded(const std::function<std::vector<std::string>()>& work,
                                      const std::string& name, const std::string& library) {
  const auto refuse_crash = [&] {
    refuse(name, fmt::format("makes the {} library fail; the file is damaged", library));
  };
  std::array<int, 2> ends{};
  require(pipe2(ends.data(), O_CLOEXEC) == 0, ErrorKind::backend, "cannot make a pipe");
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    answer_and_exit(ends[1], work);
  }
  close(ends[1]);
  const std::string message = child < 0 ? "" : read_answer(ends[0]);
  close(ends[0]);
  require(child > 0, ErrorKind::backend, "cannot start a process");
  const bool good = has_ended_well(child);
  if (!good || message.empty()) refuse_crash();
  std::vector<std::string> texts = texts_of_answer(std::string_view(message).substr(1));
  if (message[0] == error_begins) {
    if (texts.size() != 2) refuse_crash();
    throw Error(static_cast<ErrorKind>(std::stoi(texts[0])), texts[1]);
  }
  return texts;
}

}  // namespace caos::io
