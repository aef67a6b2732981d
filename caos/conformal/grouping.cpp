#include "caos/grouping.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "caos/error.hpp"

namespace caos {

Grouping Grouping::none(std::size_t n) { return {Kind::none, {0}, std::vector<std::size_t>(n, 0)}; }

Grouping Grouping::by_label(std::span<const Label> labels, std::size_t num_labels) {
  std::vector<GroupId> ids(num_labels);
  std::iota(ids.begin(), ids.end(), GroupId{0});
  assert(std::ranges::all_of(labels, [&](Label y) { return y < num_labels; }));
  return {Kind::by_label, std::move(ids), {labels.begin(), labels.end()}};
}

Grouping Grouping::by_input(std::span<const GroupId> ids) {
  std::vector<GroupId> distinct(ids.begin(), ids.end());
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  Grouping grouping(Kind::by_input, std::move(distinct), {});
  for (const GroupId id : ids) grouping.of_example_.push_back(grouping.find(id));
  return grouping;
}

std::size_t Grouping::find(GroupId id) const {
  return static_cast<std::size_t>(std::ranges::find(ids_, id) - ids_.begin());
}

std::size_t Grouping::of_candidate(Label y, GroupId input_group) const {
  switch (kind_) {
    case Kind::none:
      return 0;
    case Kind::by_label:
      return std::min(y, num_groups());
    case Kind::by_input:
      break;
  }
  return find(input_group);
}

Grouping Grouping::restricted_to(const Indices& positions) const {
  Grouping part(kind_, ids_, {});
  for (const std::size_t i : positions) part.of_example_.push_back(of_example_[i]);
  return part;
}

std::size_t Grouping::add_example(GroupId id) {
  std::size_t group = kind_ == Kind::none ? 0 : find(id);
  if (group == num_groups()) group = insert_group(id);
  of_example_.push_back(group);
  return group;
}

std::size_t Grouping::insert_group(GroupId id) {
  require(kind_ == Kind::by_input, ErrorKind::invalid_input,
          "the group of a new example must be its label");
  const auto place = ids_.insert(std::ranges::lower_bound(ids_, id), id);
  const auto group = static_cast<std::size_t>(place - ids_.begin());
  for (std::size_t& other : of_example_) other += other >= group ? 1U : 0U;
  return group;
}

bool Grouping::drop_if_empty(std::size_t g) {
  const bool empty = std::ranges::find(of_example_, g) == of_example_.end();
  if (kind_ != Kind::by_input || !empty) return false;
  ids_.erase(ids_.begin() + static_cast<std::ptrdiff_t>(g));
  for (std::size_t& other : of_example_) other -= other > g ? 1U : 0U;
  return true;
}

void Grouping::remove_example(std::size_t i) {
  of_example_.erase(of_example_.begin() + static_cast<std::ptrdiff_t>(i));
}

std::string_view grouping_name(Grouping::Kind kind) {
  switch (kind) {
    case Grouping::Kind::none:
      return "none";
    case Grouping::Kind::by_label:
      return "labels";
    case Grouping::Kind::by_input:
      break;
  }
  return "inputs";
}

}  // namespace caos
