#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caos/scores.hpp"

namespace caos::text {

/// The labels that a text can have: label y is called `names()[y]`.
class LabelSpace {
 public:
  LabelSpace() = default;

  /// Throws `invalid_input` unless there are at least two names, all different, none empty, all
  /// UTF-8. `source` is what errors call the place where they come from.
  explicit LabelSpace(std::vector<std::string> names, const std::string& source = "labels");

  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const std::string& operator[](Label y) const { return names_[y]; }
  [[nodiscard]] std::optional<Label> find(std::string_view name) const;

  friend bool operator==(const LabelSpace&, const LabelSpace&) = default;

 private:
  std::vector<std::string> names_;
};

/// A text whose label is known.
struct LabeledText {
  std::string text{};
  Label label = 0;

  friend bool operator==(const LabeledText&, const LabeledText&) = default;
};

}  // namespace caos::text
