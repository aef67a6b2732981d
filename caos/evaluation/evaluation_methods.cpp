#include <fmt/format.h>

#include "caos/evaluate.hpp"

namespace caos {

std::optional<Obstacle> obstacle_to(Method method, const AvailableInputs& inputs) {
  if (method == Method::full_caos && !inputs.reverse) return Obstacle::no_reverse;
  if (method == Method::scos_best && !inputs.labeled) return Obstacle::no_labeled;
  if (is_scos(method) && inputs.groups) return Obstacle::no_group_form;
  return std::nullopt;
}

PossibleMethods possible_methods(const AvailableInputs& inputs, const split::Partition& partition,
                                 std::size_t k) {
  PossibleMethods possible;
  for (const Method method : all_methods()) {
    if (obstacle_to(method, inputs)) continue;
    if (is_split_caos(method) && k > split::largest_k(partition, method)) {
      possible.left_out.push_back(fmt::format(
          "{} is left out: it has too few references for k = {}", method_name(method), k));
      continue;
    }
    possible.methods.push_back(method);
  }
  return possible;
}

}  // namespace caos
