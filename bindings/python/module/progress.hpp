#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <thread>

namespace caos::python {

/// Throws `invalid_input` unless `progress` can be called or is None. Needs the GIL.
void check_progress(pybind11::handle progress);

/// Tells a Python callable how far work has come, and lets Ctrl-C end the work.
/// Only the thread that made it speaks to Python, now and then: others would have to wait for the
/// GIL, and Python sees signals on its main thread alone.
class Progress {
 public:
  /// `callable` is called with (done, total); or it is None. Throws as `check_progress`. Needs the
  /// GIL.
  explicit Progress(pybind11::object callable = pybind11::none());

  /// For the options of the engine; may be called on any thread, without the GIL. Throws what the
  /// callable raises, and KeyboardInterrupt. Valid as long as this object lives and stays.
  [[nodiscard]] std::function<void(std::size_t done, std::size_t total)> reporter();

  /// The same without reports of progress.
  void allow_interrupt() { report(0, 1); }

  /// Tells the end, if another thread came to it. Needs the GIL.
  void finish(std::size_t total);

 private:
  using Clock = std::chrono::steady_clock;

  void report(std::size_t done, std::size_t total);
  void tell(std::size_t done, std::size_t total);

  pybind11::object callable_;
  std::thread::id owner_ = std::this_thread::get_id();
  Clock::time_point next_;
  bool finished_ = false;
};

}  // namespace caos::python
