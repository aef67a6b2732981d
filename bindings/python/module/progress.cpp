#include "bindings/python/module/progress.hpp"

#include <utility>

#include "caos/error.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

/// Often enough for an impatient user, seldom enough to cost nothing where threads fight for the
/// GIL.
constexpr auto pause = std::chrono::milliseconds(50);

}  // namespace

void check_progress(py::handle progress) {
  require(progress.is_none() || PyCallable_Check(progress.ptr()) != 0, ErrorKind::invalid_input,
          "progress: cannot be called; expected a function of (done, total)");
}

Progress::Progress(py::object callable)
    : callable_(std::move(callable)), next_(Clock::now() + pause) {
  check_progress(callable_);
}

std::function<void(std::size_t, std::size_t)> Progress::reporter() {
  return [this](std::size_t done, std::size_t total) { report(done, total); };
}

void Progress::report(std::size_t done, std::size_t total) {
  if (std::this_thread::get_id() != owner_ || Clock::now() < next_) return;
  const py::gil_scoped_acquire acquired;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  tell(done, total);
  next_ = Clock::now() + pause;
}

void Progress::finish(std::size_t total) {
  if (!finished_) tell(total, total);
}

void Progress::tell(std::size_t done, std::size_t total) {
  finished_ = done == total;
  if (!callable_.is_none()) callable_(done, total);
}

}  // namespace caos::python
