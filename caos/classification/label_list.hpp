#pragma once

#include <string>
#include <vector>

#include "caos/classification/label_column.hpp"
#include "caos/scores.hpp"

namespace caos::classification {

/// All labels that sets can contain; label y is called `names[y]`.
struct LabelList {
  std::vector<std::string> names{};
  bool from_train = false;  ///< they are those that the labeled examples have

  [[nodiscard]] std::size_t size() const { return names.size(); }
};

/// The labels that labeled examples have, ascending; whole numbers in their order.
[[nodiscard]] LabelList labels_of_train(const LabelColumn& train);

/// Labels by names that were given. Throws `invalid_input`, naming `source`, unless there are at
/// least two, distinct, not empty, and in UTF-8.
[[nodiscard]] LabelList named_labels(std::vector<std::string> names, const std::string& source);

/// Labels 0, 1, ..., count - 1 by their numbers.
[[nodiscard]] LabelList numbered_labels(std::size_t count);

/// The numbers of labels in the list. Labels are names; where all of them are whole numbers and no
/// name is one, they are positions in the list, from 0. A label that is not in the list is
/// `unlisted_label` if the list is that of the labeled examples and `may_be_unlisted`, and else an
/// Error `bad_format` that names its place.
[[nodiscard]] std::vector<Label> numbers_of(const LabelColumn& column, const LabelList& list,
                                            bool may_be_unlisted = false);

/// What is not guaranteed with a list from the labeled examples.
inline constexpr const char* listed_labels_risk =
    "labels are those of the labeled examples: a label that does not occur there is in no set, so "
    "examples that have it are missed on top of alpha";

}  // namespace caos::classification
