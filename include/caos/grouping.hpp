#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "caos/scores.hpp"

namespace caos {

/// The name a user gives to a group of inputs.
using GroupId = std::int64_t;

/// Which calibration examples a pair (x, y) is compared with.
/// Without groups: all of them. By label: those with label y. By input: those in the group of x.
/// Groups are counted from 0 here; `id` is the user's name of each.
class Grouping {
 public:
  enum class Kind { none, by_label, by_input };

  /// One group that holds all n examples.
  [[nodiscard]] static Grouping none(std::size_t n);
  /// One group per label 0 ... num_labels - 1.
  [[nodiscard]] static Grouping by_label(std::span<const Label> labels, std::size_t num_labels);
  /// One group per distinct id, in ascending order.
  [[nodiscard]] static Grouping by_input(std::span<const GroupId> ids);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] std::size_t num_examples() const { return of_example_.size(); }
  [[nodiscard]] std::size_t num_groups() const { return ids_.size(); }
  [[nodiscard]] GroupId id(std::size_t group) const { return ids_[group]; }
  [[nodiscard]] std::size_t of_example(std::size_t i) const { return of_example_[i]; }

  /// The group of label y of an input whose own group is `input_group`; `num_groups()` stands for a
  /// group that no labeled example is in.
  [[nodiscard]] std::size_t of_candidate(Label y, GroupId input_group) const;

  /// The same division of the examples at `positions` only.
  [[nodiscard]] Grouping restricted_to(const Indices& positions) const;

  /// Appends an example to the group `id`; by input, a new group comes to its place among the
  /// others and the groups after it move up. Without groups `id` is ignored; by label it must be a
  /// label. Returns the example's group.
  std::size_t add_example(GroupId id);

  /// Takes out example i; the groups stay, even one without examples.
  void remove_example(std::size_t i);

  /// By input: forgets group `g` if it has no examples any more. Returns whether it did.
  bool drop_if_empty(std::size_t g);

 private:
  Grouping(Kind kind, std::vector<GroupId> ids, std::vector<std::size_t> of_example)
      : kind_(kind), ids_(std::move(ids)), of_example_(std::move(of_example)) {}

  [[nodiscard]] std::size_t find(GroupId id) const;
  std::size_t insert_group(GroupId id);

  Kind kind_;
  std::vector<GroupId> ids_;  ///< ascending
  std::vector<std::size_t> of_example_;
};

/// `none`, `labels` or `inputs`, as files and JSON have it.
[[nodiscard]] std::string_view grouping_name(Grouping::Kind kind);

}  // namespace caos
