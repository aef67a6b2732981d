#pragma once

#include "caos/io/file_descriptor.hpp"

namespace caos::cli {

/// Turns SIGINT (Ctrl-C) and SIGTERM into a request to stop that one thread waits for.
///
/// It does not matter which thread the system hands the signal to: a library may have started
/// threads before `main`, and those block no signal. Threads that start after this object do block
/// both, so that no call of theirs is interrupted. At most one object at a time; use it from one
/// thread.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// Returns once a signal has come since the object was made. Later ones do nothing.
  void wait();

 private:
  io::Descriptor event_;
};

}  // namespace caos::cli
