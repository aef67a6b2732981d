#include "caos/text/models/command_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <thread>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/text/models/no_sigpipe.hpp"

namespace caos::text {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::size_t longest_line = std::size_t{1} << 24;

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorKind::backend, fmt::format("command: {}: {}", what, std::strerror(errno)));
}

/// A pipe whose ends close when a program is started; the child's is opened for it by name.
std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("a pipe to a program cannot be created");
  return ends;
}

void close_end(int& end) {
  if (end >= 0) ::close(end);
  end = -1;
}

void set_nonblocking(int end) { ::fcntl(end, F_SETFL, ::fcntl(end, F_GETFL) | O_NONBLOCK); }

/// Starts the shell in a process group of its own, so that all it starts can be ended together, and
/// with the signals as they are by default.
int spawn_shell(const std::string& command, int input, int output, pid_t& process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigaddset(&signals, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::string shell = "sh";
  std::string option = "-c";
  std::string text = command;
  std::array<char*, 4> arguments = {shell.data(), option.data(), text.data(), nullptr};
  const int error =
      ::posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// At least 1, to avoid a busy loop, and at most what poll() accepts.
int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 1, 1 << 30));
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was ended by signal {}", WTERMSIG(status));
  if (WEXITSTATUS(status) == 0) return "ended by itself";
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

/// Whether the process has ended within two seconds; gone for good then.
bool ends_soon(pid_t process, int& status) {
  for (int i = 0; i < 200; ++i) {
    if (::waitpid(process, &status, WNOHANG) != 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

CommandProcess::CommandProcess(const std::string& command, double patience_seconds)
    : command_(command), patience_seconds_(patience_seconds) {
  auto [from_us, input] = make_pipe();
  auto [output, to_us] = make_pipe();
  input_ = input;
  output_ = output;
  const int error = spawn_shell(command, from_us, to_us, process_);
  close_end(from_us);
  close_end(to_us);
  if (error != 0) {
    close_end(input_);
    close_end(output_);
    errno = error;
    fail("the shell cannot be started");
  }
  set_nonblocking(input_);
  set_nonblocking(output_);
}

CommandProcess::~CommandProcess() {
  close_end(input_);
  close_end(output_);
  if (process_ <= 0) return;
  int status = 0;
  if (ends_soon(process_, status)) return;
  ::kill(-process_, SIGKILL);
  ::waitpid(process_, &status, 0);
}

void CommandProcess::write_line(std::string_view line) {
  to_write_ += line;
  to_write_ += '\n';
}

std::string CommandProcess::read_line() {
  const auto deadline =
      Clock::now() + std::chrono::ceil<Clock::duration>(Seconds(patience_seconds_));
  for (;;) {
    const std::size_t end = read_.find('\n');
    if (end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      if (line.ends_with('\r')) line.pop_back();
      return line;
    }
    require(read_.size() <= longest_line, ErrorKind::backend, [&] {
      return fmt::format("the program '{}' wrote a line of more than {} bytes",
                         io::printable(command_), longest_line);
    });
    exchange(deadline);
  }
}

/// Writes and reads whatever is possible now: one alone could wait for the other forever.
void CommandProcess::exchange(Clock::time_point deadline) {
  require(Clock::now() < deadline, ErrorKind::backend, [&] {
    return fmt::format(
        "the program '{}' gave no answer within {:g} s; if it is only slow, give a longer timeout",
        io::printable(command_), patience_seconds_);
  });
  const bool writes = !to_write_.empty() && !input_broken_;
  std::array<pollfd, 2> ends = {pollfd{output_, POLLIN, 0},
                                pollfd{writes ? input_ : -1, POLLOUT, 0}};
  if (::poll(ends.data(), ends.size(), milliseconds_until(deadline)) < 0 && errno != EINTR)
    fail("waiting for the program");
  if (ends[1].revents != 0) write_some();
  if (ends[0].revents != 0) read_some();
}

void CommandProcess::write_some() {
  const NoSigpipe no_sigpipe;
  const ssize_t written = ::write(input_, to_write_.data(), to_write_.size());
  if (written >= 0) {
    to_write_.erase(0, static_cast<std::size_t>(written));
  } else if (errno != EAGAIN && errno != EINTR) {
    // It closed its input; what it wrote before is still worth reading.
    input_broken_ = true;
  }
}

void CommandProcess::read_some() {
  std::array<char, 65536> buffer;
  const ssize_t size = ::read(output_, buffer.data(), buffer.size());
  if (size > 0) {
    read_.append(buffer.data(), static_cast<std::size_t>(size));
  } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
    ended();
  }
}

void CommandProcess::ended() {
  int status = 0;
  std::string how = "closed its output";
  if (process_ > 0 && ends_soon(process_, status)) {
    process_ = -1;
    how = how_it_ended(status);
  }
  const std::string rest = read_.empty() ? "" : "; it last wrote: " + io::printable(read_);
  throw Error(ErrorKind::backend, fmt::format("the program '{}' {} before it had answered{}",
                                              io::printable(command_), how, rest));
}

}  // namespace caos::text
