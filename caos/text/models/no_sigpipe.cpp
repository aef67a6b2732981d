#include "caos/text/models/no_sigpipe.hpp"

#include <pthread.h>

#include <ctime>

namespace caos::text {
namespace {

sigset_t only_sigpipe() {
  sigset_t set{};
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  return set;
}

}  // namespace

NoSigpipe::NoSigpipe() {
  sigset_t pending{};
  sigpending(&pending);
  was_pending_ = sigismember(&pending, SIGPIPE) == 1;
  const sigset_t set = only_sigpipe();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
}

NoSigpipe::~NoSigpipe() {
  // A signal that came meanwhile would be delivered as soon as it is let through: take it away.
  const sigset_t set = only_sigpipe();
  const timespec at_once{};
  if (!was_pending_) sigtimedwait(&set, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace caos::text
