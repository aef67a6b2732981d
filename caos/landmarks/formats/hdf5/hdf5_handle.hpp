#pragma once

#include <hdf5.h>

#include <mutex>
#include <utility>

// What the reader and the writer of HDF5 files share; the only file that includes the HDF5 library.
namespace caos::landmarks::hdf5 {

/// The library is not safe for threads.
inline std::recursive_mutex& library() {
  static std::recursive_mutex mutex;
  return mutex;
}

using Lock = std::lock_guard<std::recursive_mutex>;

inline void prepare() {
  static const bool done = [] {
    H5open();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLset_loading_state(0);  // a file does not choose which libraries are loaded
    return true;
  }();
  static_cast<void>(done);
}

/// An identifier of the library that is closed in time.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }

  [[nodiscard]] hid_t id() const { return id_; }
  [[nodiscard]] bool good() const { return id_ >= 0; }

 private:
  hid_t id_;
  Close close_;
};

}  // namespace caos::landmarks::hdf5
