#include "caos/test_inputs.hpp"

#include <fmt/format.h>

#include "caos/error.hpp"
#include "caos/numerics/check_scores.hpp"

namespace caos {

TestInput TestInputs::operator[](std::size_t t) const {
  TestInput input{.pools = test.input(t)};
  if (symmetric) input.reverse = input.pools;
  if (reverse) input.reverse = reverse->input(t);
  if (!groups.empty()) input.group = groups[t];
  return input;
}

std::set<GroupId> TestInputs::unknown_groups(const Grouping& grouping) const {
  std::set<GroupId> unknown;
  for (const GroupId id : groups) {
    if (grouping.of_candidate(0, id) == grouping.num_groups()) unknown.insert(id);
  }
  if (grouping.kind() != Grouping::Kind::by_label) return unknown;
  for (Label y = grouping.num_groups(); y < test.num_labels; ++y) {
    unknown.insert(static_cast<GroupId>(y));
  }
  return unknown;
}

void TestInputs::check_shapes(std::size_t num_references, Grouping::Kind grouping) const {
  require(test.num_references() == num_references, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} references; there are {} labeled examples", test.name,
                       test.num_references(), num_references);
  });
  if (reverse) check_same_shape(*reverse, test);
  const bool grouped = grouping == Grouping::Kind::by_input;
  require(!grouped || groups.size() == size(), ErrorKind::invalid_input, [&] {
    return fmt::format("the number of groups is {}; expected {}, one per input", groups.size(),
                       size());
  });
}

void TestInputs::check_scores(std::size_t t) const {
  check_input(test, t);
  if (reverse) check_input(*reverse, t);
}

}  // namespace caos
