#pragma once

#include <csignal>

// For those who write into pipes and sockets; not for users of the library.
namespace caos::text {

/// While it lives, writing to a closed pipe or socket fails in this thread instead of ending the
/// program.
class NoSigpipe {
 public:
  NoSigpipe();
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;
  ~NoSigpipe();

 private:
  sigset_t before_{};
  bool was_pending_ = false;
};

}  // namespace caos::text
