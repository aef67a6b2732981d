#include "caos/text/task_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/io/refuse.hpp"
#include "caos/io/utf8.hpp"
#include "caos/text/json_reader.hpp"

namespace caos::text {
namespace {

OrderedJson read_object(const std::string& path, std::string& name) {
  const io::MappedFile file = io::MappedFile::read(path);
  name = file.name();
  if (!is_utf8(file.text())) io::refuse(name, "not UTF-8");
  OrderedJson task = parse_json(file.text(), name);
  if (!task.is_object()) {
    io::refuse(name, "not a task; expected an object with \"labels\" or \"label_columns\"");
  }
  return task;
}

std::vector<std::string> texts_of(const OrderedJson& list, const std::string& key,
                                  const std::string& name) {
  std::vector<std::string> result;
  if (!list.is_array()) io::refuse(name, fmt::format("{} is not a list of texts", in_quotes(key)));
  for (const OrderedJson& item : list) {
    auto text = scalar_text(item);
    if (!text) {
      io::refuse(name,
                 fmt::format("entry {} of {} is not a text", result.size() + 1, in_quotes(key)));
    }
    result.push_back(*std::move(text));
  }
  return result;
}

std::vector<std::string> text_columns_of(const OrderedJson& task, const std::string& name) {
  if (task.contains("text_columns")) return texts_of(task["text_columns"], "text_columns", name);
  if (!task.contains("data_columns")) return {};
  std::vector<std::string> columns = texts_of(task["data_columns"], "data_columns", name);
  std::erase(columns, "ID");
  return columns;
}

/// Which of the label columns is meant.
std::string chosen_column(const OrderedJson& columns, const std::string& wanted,
                          const std::string& name) {
  std::vector<std::string> keys;
  if (columns.is_object()) {
    for (const auto& item : columns.items()) keys.push_back(item.key());
  }
  if (keys.empty()) {
    io::refuse(name, "'label_columns' is not an object {\"column\": [labels, ...]}");
  }
  if (wanted.empty() && keys.size() == 1) return keys[0];
  if (wanted.empty()) {
    io::refuse(name, fmt::format("has the label columns {}; choose one", in_quotes(keys)));
  }
  if (!columns.contains(wanted)) {
    io::refuse(
        name, fmt::format("has no label column {}; it has {}", in_quotes(wanted), in_quotes(keys)));
  }
  return wanted;
}

LabelSpace label_space(std::vector<std::string> names, const std::string& name) {
  try {
    return LabelSpace(std::move(names), name);
  } catch (const Error& error) {
    // What a file says is its format, not the caller's input.
    throw Error(ErrorKind::bad_format, error.what());
  }
}

void read_labels(const OrderedJson& task, const std::string& wanted, const std::string& name,
                 TaskFile& result) {
  const bool by_column = task.contains("label_columns");
  if (by_column == task.contains("labels")) {
    io::refuse(name, fmt::format("has {}; expected {{\"labels\": [...]}} or "
                                 "{{\"label_columns\": {{\"column\": [...]}}}}",
                                 by_column ? "both 'labels' and 'label_columns'" : "no labels"));
  }
  if (!by_column) {
    result.label_column = wanted;
    result.labels = label_space(texts_of(task["labels"], "labels", name), name);
    return;
  }
  result.label_column = chosen_column(task["label_columns"], wanted, name);
  const OrderedJson& labels = task["label_columns"][result.label_column];
  result.labels = label_space(texts_of(labels, result.label_column, name), name);
}

}  // namespace

TaskFile read_task_file(const std::string& path, const std::string& label_column) {
  std::string name;
  const OrderedJson task = read_object(path, name);
  TaskFile result;
  if (task.contains("name")) {
    auto task_name = scalar_text(task["name"]);
    if (!task_name) io::refuse(name, "'name' is not a text");
    result.name = *std::move(task_name);
  }
  result.text_columns = text_columns_of(task, name);
  read_labels(task, label_column, name, result);
  return result;
}

}  // namespace caos::text
