#include "apps/cli/serve/stop_signal.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>

#include "caos/error.hpp"

namespace caos::cli {
namespace {

constexpr std::array stopping = {SIGINT, SIGTERM};

/// The descriptor that the handler counts up; -1 where nothing waits.
std::atomic<int> event = -1;
static_assert(std::atomic<int>::is_always_lock_free, "a handler must not take a lock");

/// Only calls that are safe in a handler, in whatever thread it runs.
void on_signal(int) {
  const int error = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto count = ::write(event.load(), &one, sizeof one);
  errno = error;
}

void change_mask(int how) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : stopping) sigaddset(&set, signal);
  pthread_sigmask(how, &set, nullptr);
}

void set_handlers(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : stopping) ::sigaction(signal, &action, nullptr);
}

}  // namespace

StopSignal::StopSignal() : event_(::eventfd(0, EFD_CLOEXEC)) {
  require(bool(event_), ErrorKind::backend,
          [] { return "cannot wait for Ctrl-C: " + io::reason(errno); });
  event = event_.get();
  change_mask(SIG_BLOCK);
  set_handlers(on_signal);
}

StopSignal::~StopSignal() {
  set_handlers(SIG_DFL);
  change_mask(SIG_UNBLOCK);
  event = -1;
}

void StopSignal::wait() {
  change_mask(SIG_UNBLOCK);
  std::uint64_t count = 0;
  while (::read(event_.get(), &count, sizeof count) < 0 && errno == EINTR) {
  }
  change_mask(SIG_BLOCK);
}

}  // namespace caos::cli
