#include "caos/kernels/patch_scores.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/patch_scores.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which includes everything below once per instruction set.
#include <hwy/highway.h>

#include "caos/kernels/exp_log-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

/// The similarities of a vector's worth of columns, row by row.
template <class D>
class Columns {
 public:
  Columns(double* first, std::size_t rows, std::size_t stride)
      : first_(first), rows_(rows), stride_(stride) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  HWY_INLINE hn::Vec<D> operator[](std::size_t p) const {
    return hn::LoadU(D(), first_ + p * stride_);
  }
  HWY_INLINE void set(std::size_t p, hn::Vec<D> value) const {
    hn::StoreU(value, D(), first_ + p * stride_);
  }

 private:
  double* first_;
  std::size_t rows_;
  std::size_t stride_;
};

template <class D>
HWY_INLINE hn::Vec<D> largest(const Columns<D>& columns) {
  hn::Vec<D> most = columns[0];
  for (std::size_t p = 1; p < columns.rows(); ++p) most = hn::Max(most, columns[p]);
  return most;
}

template <class D>
HWY_INLINE void score_by_cosine(const Columns<D>& columns) {
  const hn::Vec<D> one = hn::Set(D(), 1.0);
  for (std::size_t p = 0; p < columns.rows(); ++p) columns.set(p, hn::Sub(one, columns[p]));
}

template <class D>
HWY_INLINE void score_by_margin(const Columns<D>& columns, double weight) {
  const hn::Vec<D> one = hn::Set(D(), 1.0);
  const hn::Vec<D> w = hn::Set(D(), weight);
  const hn::Vec<D> most = largest(columns);
  for (std::size_t p = 0; p < columns.rows(); ++p) {
    const hn::Vec<D> c = columns[p];
    columns.set(p, hn::Add(hn::Sub(one, c), hn::Mul(w, hn::Sub(most, c))));
  }
}

template <class D>
HWY_INLINE void score_by_softmax(const Columns<D>& columns, double inverse_temperature) {
  const hn::Vec<D> inverse = hn::Set(D(), inverse_temperature);
  const hn::Vec<D> most = largest(columns);
  hn::Vec<D> sum = hn::Zero(D());
  for (std::size_t p = 0; p < columns.rows(); ++p) {
    const hn::Vec<D> exponent = hn::Mul(hn::Sub(columns[p], most), inverse);
    sum = hn::Add(sum, exp_of_negative(exponent));
    columns.set(p, exponent);
  }
  const hn::Vec<D> log_sum = log_of_large(sum);
  for (std::size_t p = 0; p < columns.rows(); ++p) columns.set(p, hn::Sub(log_sum, columns[p]));
}

/// Calls `score` on whole vectors of columns, then on what is left column by column.
template <class Score>
HWY_INLINE void for_columns(double* similarities, std::size_t rows, std::size_t cols,
                            std::size_t stride, const Score& score) {
  using Wide = hn::ScalableTag<double>;
  using One = hn::CappedTag<double, 1>;
  constexpr std::size_t lanes = HWY_LANES(double);
  std::size_t c = 0;
  for (; cols - c >= lanes; c += lanes) score(Columns<Wide>(similarities + c, rows, stride));
  for (; c < cols; ++c) score(Columns<One>(similarities + c, rows, stride));
}

}  // namespace

void cosine_all(double* similarities, std::size_t rows, std::size_t cols, std::size_t stride) {
  for_columns(similarities, rows, cols, stride,
              [](const auto& columns) HWY_ATTR { score_by_cosine(columns); });
}

void margin_all(double* similarities, std::size_t rows, std::size_t cols, std::size_t stride,
                double weight) {
  for_columns(similarities, rows, cols, stride,
              [=](const auto& columns) HWY_ATTR { score_by_margin(columns, weight); });
}

void softmax_all(double* similarities, std::size_t rows, std::size_t cols, std::size_t stride,
                 double inverse_temperature) {
  for_columns(similarities, rows, cols, stride, [=](const auto& columns) HWY_ATTR {
    score_by_softmax(columns, inverse_temperature);
  });
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {

HWY_EXPORT(cosine_all);
HWY_EXPORT(margin_all);
HWY_EXPORT(softmax_all);

void cosine_scores(double* similarities, std::size_t rows, std::size_t cols, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(cosine_all)(similarities, rows, cols, stride);
}

void margin_scores(double* similarities, std::size_t rows, std::size_t cols, std::size_t stride,
                   double weight) {
  HWY_DYNAMIC_DISPATCH(margin_all)(similarities, rows, cols, stride, weight);
}

void softmax_scores(double* similarities, std::size_t rows, std::size_t cols, std::size_t stride,
                    double inverse_temperature) {
  HWY_DYNAMIC_DISPATCH(softmax_all)(similarities, rows, cols, stride, inverse_temperature);
}

}  // namespace caos::kernels

#endif
