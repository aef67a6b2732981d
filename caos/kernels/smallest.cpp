#include "caos/kernels/smallest.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/smallest.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Rows are taken in groups of as many as a vector has lanes, and every way to treat a group ends in
// `lists` [k, lanes]: in lane r, ascending, the k smallest scores of row r.
//
// k <= 8: each row is scanned by itself, every lane keeping the k smallest of the scores it sees.
// Then rows are folded in pairs: a row's lists spread over half as many lanes each time. That is
// about one merge per row, where folding each row by itself would be one per halving.
//
// k > 8: lists that long do not fit the registers. The scores are transposed, and stream past the
// list eight places at a time.
//
// With one lane, which is the scalar target, both are what they mean: an ascending list into which
// the scores of one row are merged.

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Tag = hn::ScalableTag<T>;
template <typename T>
using Vector = hn::Vec<Tag<T>>;
template <typename T>
inline constexpr std::size_t lanes = HWY_LANES(T);
template <typename T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();

/// Longest list that is kept in registers.
inline constexpr std::size_t max_in_registers = 8;
/// Columns that are transposed at a time, so that they stay in the first-level cache.
inline constexpr std::size_t max_columns = 64;

// ---- Lists: K vectors, ascending in each lane.

template <std::size_t K, typename T>
HWY_INLINE void load(const T* from, Vector<T> (&list)[K]) {
  HWY_UNROLL(8)
  for (std::size_t j = 0; j < K; ++j) list[j] = hn::LoadU(Tag<T>(), from + j * lanes<T>);
}

template <std::size_t K, typename T>
HWY_INLINE void store(const Vector<T> (&list)[K], T* to) {
  HWY_UNROLL(8)
  for (std::size_t j = 0; j < K; ++j) hn::Store(list[j], Tag<T>(), to + j * lanes<T>);
}

template <typename V>
HWY_INLINE void order(V& smaller, V& larger) {
  const V x = smaller;
  smaller = hn::Min(x, larger);
  larger = hn::Max(x, larger);
}

template <std::size_t M, typename V>
HWY_INLINE void sort(V (&list)[M]) {
  static_assert(1 <= M && M <= 4);
  if constexpr (M >= 3) order(list[0], list[2]);
  if constexpr (M >= 4) order(list[1], list[3]);
  if constexpr (M >= 2) order(list[0], list[1]);
  if constexpr (M >= 4) order(list[2], list[3]);
  if constexpr (M >= 3) order(list[1], list[2]);
}

/// Sorts what rises and then falls (Batcher's bitonic network). A length that is not a power of two
/// is sorted as if -inf stood before it: those places never move.
template <std::size_t Half, std::size_t K, typename V>
HWY_INLINE void sort_bitonic(V (&list)[K]) {
  constexpr std::size_t missing = std::bit_ceil(K) - K;
  HWY_UNROLL(8)
  for (std::size_t i = missing; i < K + missing; ++i) {
    if ((i & Half) == 0) order(list[i - missing], list[i - missing + Half]);
  }
  if constexpr (Half > 1) sort_bitonic<Half / 2>(list);
}

/// Leaves in `list` the K smallest of both lists, ascending, and in `other` the rest, in any order.
/// The larger of list[K - 1 - j] and other[j] has K scores that are no larger before it.
template <std::size_t K, std::size_t M, typename V>
HWY_INLINE void merge(V (&list)[K], V (&other)[M]) {
  constexpr std::size_t pairs = std::min(K, M);
  HWY_UNROLL(8)
  for (std::size_t j = 0; j < pairs; ++j) order(list[K - 1 - j], other[j]);
  if constexpr (K > 1) sort_bitonic<std::bit_ceil(K) / 2>(list);
}

// ---- k <= 8: scan rows, then fold them.

/// `count` scores, then as many +inf as it takes to fill a vector. Does not read at or after `end`.
template <typename T>
HWY_INLINE Vector<T> load_some(const T* from, std::size_t count, const T* end) {
  const Tag<T> d;
  const auto infinities = hn::Set(d, infinity<T>);
  if (static_cast<std::size_t>(end - from) >= lanes<T>) {
    return hn::IfThenElse(hn::FirstN(d, count), hn::LoadU(d, from), infinities);
  }
  HWY_ALIGN_MAX T padded[lanes<T>];
  hn::Store(infinities, d, padded);
  std::copy_n(from, count, padded);
  return hn::Load(d, padded);
}

/// A list of `first` and the M vectors at `from`.
template <std::size_t M, std::size_t K, typename T>
HWY_INLINE void start(Vector<T> first, const T* from, Vector<T> (&list)[K]) {
  Vector<T> next[M + 1] = {first};
  HWY_UNROLL(4)
  for (std::size_t j = 0; j < M; ++j) next[j + 1] = hn::LoadU(Tag<T>(), from + j * lanes<T>);
  sort(next);
  HWY_UNROLL(8)
  for (std::size_t j = 0; j < K; ++j) list[j] = j <= M ? next[j] : hn::Set(Tag<T>(), infinity<T>);
}

/// Four at once take fewer comparisons than one by one.
template <std::size_t K, typename T>
HWY_INLINE void merge_four(const T* from, Vector<T> (&list)[K]) {
  Vector<T> next[4];
  load<4, T>(from, next);
  sort(next);
  merge(list, next);
}

/// Per lane the K smallest of one row, read from left to right as prefetchers like it.
template <std::size_t K, typename T>
HWY_INLINE void scan_row(const T* row, std::size_t cols, const T* end, T* to) {
  const std::size_t partial = (cols - 1) % lanes<T> + 1;
  const std::size_t whole = (cols - partial) / lanes<T>;
  const Vector<T> first = load_some(row, partial, end);
  row += partial;
  Vector<T> list[K];
  switch (whole % 4) {
    case 0:
      start<0, K, T>(first, row, list);
      break;
    case 1:
      start<1, K, T>(first, row, list);
      break;
    case 2:
      start<2, K, T>(first, row, list);
      break;
    default:
      start<3, K, T>(first, row, list);
  }
  row += whole % 4 * lanes<T>;
  for (std::size_t i = 0; i < whole / 4; ++i) merge_four<K, T>(row + i * 4 * lanes<T>, list);
  store<K, T>(list, to);
}

/// Two sets of lists into one: even lanes meet odd lanes, those of `lower` end up below.
/// ConcatEven and ConcatOdd are looked up late, because targets of one lane have none.
template <std::size_t K, typename T>
HWY_INLINE void fold(const T* lower, const T* upper, T* to) {
  const Tag<T> d;
  Vector<T> lo[K], hi[K], even[K], odd[K];
  load<K, T>(lower, lo);
  load<K, T>(upper, hi);
  HWY_UNROLL(8)
  for (std::size_t j = 0; j < K; ++j) {
    even[j] = ConcatEven(d, hi[j], lo[j]);
    odd[j] = ConcatOdd(d, hi[j], lo[j]);
  }
  merge(even, odd);
  store<K, T>(even, to);
}

template <std::size_t K, typename T>
HWY_INLINE void fold_all(T* lists) {
  constexpr std::size_t size = K * lanes<T>;
  for (std::size_t half = lanes<T> / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) {
      fold<K>(lists + 2 * i * size, lists + (2 * i + 1) * size, lists + i * size);
    }
  }
}

/// One of the ways to fill `lists` from up to `lanes` rows. Arguments travel in registers: a struct
/// of them is written in parts and read whole, which stalls the processor at each group.
template <typename T>
using Select = void (*)(const T* scores, std::size_t rows, std::size_t cols, const T* end,
                        std::size_t k, T* lists);

/// `lists` has room for one set of lists per row.
template <std::size_t K, typename T>
HWY_NOINLINE void scan_and_fold(const T* scores, std::size_t rows, std::size_t cols, const T* end,
                                std::size_t /*k*/, T* lists) {
  constexpr std::size_t size = K * lanes<T>;
  for (std::size_t r = 0; r < rows; ++r) {
    scan_row<K>(scores + r * cols, cols, end, lists + r * size);
  }
  std::fill(lists + rows * size, lists + lanes<T> * size, infinity<T>);
  if constexpr (lanes<T> != 1) fold_all<K>(lists);
}

// ---- k > 8: transpose, then sift.

constexpr std::size_t padded_length(std::size_t k) {
  return (k + max_in_registers - 1) / max_in_registers * max_in_registers;
}

/// `columns` [max_columns, lanes]: one column of scores after the other, +inf where there are none.
template <typename T>
void transpose(const T* scores, std::size_t rows, std::size_t cols, std::size_t count, T* columns) {
  std::fill_n(columns, max_columns * lanes<T>, infinity<T>);
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t r = 0; r < rows; ++r) columns[c * lanes<T> + r] = scores[r * cols + c];
  }
}

/// Streams columns past eight places of the lists: these keep the smallest, and what is pushed out
/// goes back to the columns, for the next eight places.
template <typename T>
HWY_NOINLINE void sift(T* places, T* columns, std::size_t count) {
  Vector<T> list[max_in_registers];
  load<max_in_registers, T>(places, list);
  for (std::size_t c = 0; c < count; c += 4) {
    Vector<T> next[4];
    load<4, T>(columns + c * lanes<T>, next);
    sort(next);
    merge(list, next);
    store<4, T>(next, columns + c * lanes<T>);
  }
  store<max_in_registers, T>(list, places);
}

/// `lists` has room for `padded_length(k) + max_columns` vectors.
template <typename T>
HWY_NOINLINE void transpose_and_sift(const T* scores, std::size_t rows, std::size_t cols,
                                     const T* /*end*/, std::size_t k, T* lists) {
  T* const columns = lists + padded_length(k) * lanes<T>;
  std::fill(lists, columns, infinity<T>);
  for (std::size_t c = 0; c < cols; c += max_columns) {
    const std::size_t count = std::min(max_columns, cols - c);
    transpose(scores + c, rows, cols, count, columns);
    for (std::size_t j = 0; j < k; j += max_in_registers)
      sift(lists + j * lanes<T>, columns, count);
  }
}

// ---- All groups of a matrix.

template <typename T>
Select<T> select_for(std::size_t k) {
  static constexpr Select<T> in_registers[max_in_registers] = {
      scan_and_fold<1, T>, scan_and_fold<2, T>, scan_and_fold<3, T>, scan_and_fold<4, T>,
      scan_and_fold<5, T>, scan_and_fold<6, T>, scan_and_fold<7, T>, scan_and_fold<8, T>};
  return k <= max_in_registers ? in_registers[k - 1] : transpose_and_sift<T>;
}

template <typename T>
struct HWY_ALIGN_MAX Aligned {
  T at[lanes<T>];
};

/// Calls `emit(lists, first, count)` for each group of rows.
template <typename T, typename Emit>
HWY_INLINE void for_each_group(const T* scores, std::size_t rows, std::size_t cols, std::size_t k,
                               const Emit& emit) {
  Aligned<T> small[max_in_registers * lanes<T>];
  std::vector<Aligned<T>> large(k <= max_in_registers ? 0 : padded_length(k) + max_columns);
  T* const lists = large.empty() ? small->at : large.data()->at;
  const Select<T> select = select_for<T>(k);
  for (std::size_t first = 0; first < rows; first += lanes<T>) {
    const std::size_t count = std::min(lanes<T>, rows - first);
    select(scores + first * cols, count, cols, scores + rows * cols, k, lists);
    emit(lists, first, count);
  }
}

template <typename T>
HWY_INLINE void minsum(const T* scores, std::size_t rows, std::size_t cols, std::size_t k,
                       double* out) {
  for_each_group(scores, rows, cols, k, [=](const T* lists, std::size_t first, std::size_t count) {
    double sums[lanes<T>] = {};
    for (std::size_t j = 0; j < k; ++j) {
      for (std::size_t r = 0; r < lanes<T>; ++r) sums[r] += double{lists[j * lanes<T> + r]};
    }
    if (count == lanes<T>) {  // a length that the compiler knows is copied through registers
      std::copy_n(sums, lanes<T>, out + first);
    } else {
      std::copy_n(sums, count, out + first);
    }
  });
}

template <typename T>
HWY_INLINE void smallest(const T* scores, std::size_t rows, std::size_t cols, std::size_t k,
                         double* out) {
  for_each_group(scores, rows, cols, k, [=](const T* lists, std::size_t first, std::size_t count) {
    for (std::size_t r = 0; r < count; ++r) {
      double* const row = out + (first + r) * k;
      // Which of -0.0 and +0.0 outlives a minimum differs between targets; + 0.0 makes them one.
      for (std::size_t j = 0; j < k; ++j) row[j] = double{lists[j * lanes<T> + r]} + 0.0;
    }
  });
}

}  // namespace

void minsum_float(const float* scores, std::size_t rows, std::size_t cols, std::size_t k,
                  double* out) {
  minsum(scores, rows, cols, k, out);
}

void minsum_double(const double* scores, std::size_t rows, std::size_t cols, std::size_t k,
                   double* out) {
  minsum(scores, rows, cols, k, out);
}

void smallest_float(const float* scores, std::size_t rows, std::size_t cols, std::size_t k,
                    double* out) {
  smallest(scores, rows, cols, k, out);
}

void smallest_double(const double* scores, std::size_t rows, std::size_t cols, std::size_t k,
                     double* out) {
  smallest(scores, rows, cols, k, out);
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {

HWY_EXPORT(minsum_float);
HWY_EXPORT(minsum_double);
HWY_EXPORT(smallest_float);
HWY_EXPORT(smallest_double);

void minsum_rows(const float* scores, std::size_t rows, std::size_t cols, std::size_t k,
                 double* out) {
  assert(1 <= k && k <= cols);
  HWY_DYNAMIC_DISPATCH(minsum_float)(scores, rows, cols, k, out);
}

void minsum_rows(const double* scores, std::size_t rows, std::size_t cols, std::size_t k,
                 double* out) {
  assert(1 <= k && k <= cols);
  HWY_DYNAMIC_DISPATCH(minsum_double)(scores, rows, cols, k, out);
}

void smallest_rows(const float* scores, std::size_t rows, std::size_t cols, std::size_t k,
                   double* out) {
  assert(1 <= k && k <= cols);
  HWY_DYNAMIC_DISPATCH(smallest_float)(scores, rows, cols, k, out);
}

void smallest_rows(const double* scores, std::size_t rows, std::size_t cols, std::size_t k,
                   double* out) {
  assert(1 <= k && k <= cols);
  HWY_DYNAMIC_DISPATCH(smallest_double)(scores, rows, cols, k, out);
}

}  // namespace caos::kernels

#endif
