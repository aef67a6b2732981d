#include "caos/method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "caos/error.hpp"

namespace caos {
namespace {

struct Named {
  Method method;
  std::string_view name;
};

constexpr std::array named = {
    Named{Method::caos, "caos"},
    Named{Method::full_caos, "full-caos"},
    Named{Method::scos, "scos"},
    Named{Method::scos_best, "scos-best"},
    Named{Method::scos_oracle, "scos-oracle"},
    Named{Method::split_caos, "split-caos"},
    Named{Method::split_caos_cal, "split-caos-cal"},
    Named{Method::split_caos_ref, "split-caos-ref"},
};

constexpr std::array methods = [] {
  std::array<Method, named.size()> result{};
  std::ranges::transform(named, result.begin(), &Named::method);
  return result;
}();

constexpr std::array of_vectors = {Named{Method::full_kernel, "full-kernel"},
                                   Named{Method::full_ratio, "full-ratio"}};

std::string all_names() {
  std::string names;
  for (const Named& each : named)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
  return names;
}

Guarantee none(const char* why) { return {Guarantee::Kind::none, why}; }

}  // namespace

std::span<const Method> all_methods() { return methods; }

std::string_view method_name(Method method) {
  const auto* found = std::ranges::find(of_vectors, method, &Named::method);
  if (found != of_vectors.end()) return found->name;
  return std::ranges::find(named, method, &Named::method)->name;
}

Method parse_method(std::string_view name) {
  const auto* found = std::ranges::find(named, name, &Named::name);
  require(found != named.end(), ErrorKind::invalid_input,
          [&] { return fmt::format("unknown method '{}'; choose among {}", name, all_names()); });
  return found->method;
}

bool is_full_conformal_of_vectors(Method method) {
  return std::ranges::find(of_vectors, method, &Named::method) != of_vectors.end();
}

bool is_scos(Method method) {
  return method == Method::scos || method == Method::scos_best || method == Method::scos_oracle;
}

bool is_split_caos(Method method) {
  return method == Method::split_caos || method == Method::split_caos_cal ||
         method == Method::split_caos_ref;
}

Guarantee guarantee_of(Method method, Grouping::Kind grouping, bool clipped) {
  if (clipped) return none("too few examples for alpha, and the rank was clipped");
  switch (method) {
    case Method::scos_best:
      return none("the reference was chosen on the calibration examples");
    case Method::scos_oracle:
      return none("uses the true label of the test example");
    case Method::split_caos_ref:
      return none("calibration examples that are references and those that are not differ");
    default:
      break;
  }
  const bool grouped = grouping != Grouping::Kind::none;
  return {grouped ? Guarantee::Kind::group_conditional : Guarantee::Kind::marginal, {}};
}

}  // namespace caos
