#include "caos/kernels/exp.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/exp.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which includes everything below once per instruction set.
#include <hwy/highway.h>

#include "caos/kernels/exp_log-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {

double exp_of_one(double x) {
  return hn::GetLane(exp_of_negative(hn::Set(hn::CappedTag<double, 1>(), x)));
}

double log_of_one(double x) {
  return hn::GetLane(log_of_large(hn::Set(hn::CappedTag<double, 1>(), x)));
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {

HWY_EXPORT(exp_of_one);
HWY_EXPORT(log_of_one);

double exp_of_negative(double x) { return HWY_DYNAMIC_DISPATCH(exp_of_one)(x); }

double log_of_large(double x) { return HWY_DYNAMIC_DISPATCH(log_of_one)(x); }

// Nothing in it needs x >= 1 but the bound on its error: near 1 from below, too, n is 0.
double log_of_positive(double x) { return HWY_DYNAMIC_DISPATCH(log_of_one)(x); }

}  // namespace caos::kernels

#endif
