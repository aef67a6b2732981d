#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace caos {

/// Values without a constructor, at an address that suits every vector instruction. What they are
/// at first is unspecified.
template <typename T>
class AlignedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t size) { reserve(size); }

  /// Makes room for `size` values; what was there before is lost if the room was too small.
  void reserve(std::size_t size) {
    if (size <= size_) return;
    const std::size_t bytes = (size * sizeof(T) + alignment - 1) / alignment * alignment;
    values_.reset(static_cast<T*>(std::aligned_alloc(alignment, bytes)));
    if (!values_) throw std::bad_alloc();
    size_ = size;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T* data() { return values_.get(); }
  [[nodiscard]] const T* data() const { return values_.get(); }

 private:
  static constexpr std::size_t alignment = 64;

  struct Free {
    void operator()(T* values) const { std::free(values); }
  };

  std::unique_ptr<T[], Free> values_;
  std::size_t size_ = 0;
};

}  // namespace caos
