#include "caos/classification/label_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "caos/error.hpp"
#include "caos/evaluation.hpp"
#include "caos/io/utf8.hpp"

namespace caos::classification {
namespace {

std::int64_t number_in(const std::string& text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool are_numbers(const std::vector<std::string>& texts) {
  return std::ranges::all_of(texts, is_whole_number);
}

/// Finds labels by name, or by position.
class LabelFinder {
 public:
  LabelFinder(const LabelColumn& column, const LabelList& list)
      : size_(list.size()),
        by_position_(are_numbers(column.labels) &&
                     std::ranges::none_of(list.names, is_whole_number)) {
    for (Label y = 0; y < list.size(); ++y) numbers_.emplace(list.names[y], y);
  }

  [[nodiscard]] std::optional<Label> operator()(const std::string& label) const {
    if (by_position_) {
      const std::int64_t position = number_in(label);
      if (position < 0 || static_cast<std::size_t>(position) >= size_) return std::nullopt;
      return static_cast<Label>(position);
    }
    const auto found = numbers_.find(label);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::size_t size_;
  bool by_position_;
  std::map<std::string, Label> numbers_;
};

}  // namespace

LabelList labels_of_train(const LabelColumn& train) {
  const std::set<std::string> distinct(train.labels.begin(), train.labels.end());
  LabelList list{.names = {distinct.begin(), distinct.end()}, .from_train = true};
  if (are_numbers(list.names)) std::ranges::sort(list.names, {}, number_in);
  require(list.size() >= 2, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: all labels are {}; give all possible labels with --label-names",
                       train.name, text::in_quotes(list.names));
  });
  return list;
}

LabelList named_labels(std::vector<std::string> names, const std::string& source) {
  require(names.size() >= 2, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: names {} labels; at least two are needed", source, names.size());
  });
  std::set<std::string> seen;
  for (const std::string& name : names) {
    require(!name.empty() && text::is_utf8(name) && name.find('\0') == std::string::npos,
            ErrorKind::invalid_input, [&] {
              return fmt::format("{}: label {} is {}; give each label a name in UTF-8", source,
                                 seen.size(), name.empty() ? "empty" : "not UTF-8");
            });
    require(seen.insert(name).second, ErrorKind::invalid_input, [&] {
      return fmt::format("{}: names the label {} twice; name each label once", source,
                         text::in_quotes(name));
    });
  }
  return {.names = std::move(names)};
}

LabelList numbered_labels(std::size_t count) {
  LabelList list;
  for (std::size_t y = 0; y < count; ++y) list.names.push_back(fmt::format("{}", y));
  return list;
}

std::vector<Label> numbers_of(const LabelColumn& column, const LabelList& list,
                              bool may_be_unlisted) {
  const LabelFinder find(column, list);
  std::vector<Label> labels;
  for (std::size_t i = 0; i < column.labels.size(); ++i) {
    const std::optional<Label> found = find(column.labels[i]);
    require(found || (may_be_unlisted && list.from_train), ErrorKind::bad_format, [&] {
      return fmt::format("{}: {} is not among the labels {}; correct it, or add it to the names",
                         column.place(i), text::in_quotes(column.labels[i]),
                         text::in_quotes(list.names));
    });
    labels.push_back(found.value_or(unlisted_label));
  }
  return labels;
}

}  // namespace caos::classification
