#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>

namespace caos::kernels {

/// Values that end at the end of a mapping: reading past them crashes.
template <typename T>
class Guarded {
 public:
  explicit Guarded(std::size_t count) : count_(count) {
    void* const mapped = mmap(nullptr, readable() + page(), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    begin_ = static_cast<std::byte*>(mapped);
    if (mprotect(begin_ + readable(), page(), PROT_NONE) != 0) throw std::bad_alloc();
  }
  explicit Guarded(std::span<const T> values) : Guarded(values.size()) {
    std::ranges::copy(values, data());
  }
  ~Guarded() { munmap(begin_, readable() + page()); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  [[nodiscard]] T* data() const {
    return reinterpret_cast<T*>(begin_ + readable() - count_ * sizeof(T));
  }
  [[nodiscard]] std::span<T> values() const { return {data(), count_}; }

 private:
  static std::size_t page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
  [[nodiscard]] std::size_t readable() const {
    return (count_ * sizeof(T) + page() - 1) / page() * page();
  }

  std::size_t count_;
  std::byte* begin_ = nullptr;
};

}  // namespace caos::kernels
