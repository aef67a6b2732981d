#include "apps/cli/text/text_inputs.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "apps/cli/program.hpp"
#include "caos/error.hpp"
#include "caos/text/task_file.hpp"

namespace caos::cli {
namespace {

bool is_task_file(const std::string& labels_from) { return labels_from.ends_with(".json"); }

/// The task.json in the folder of the table; empty where there is none.
std::string task_file_beside(const std::string& train) {
  if (train == "-") return {};
  std::error_code ignored;
  const auto path = std::filesystem::path(train).parent_path() / "task.json";
  return std::filesystem::is_regular_file(path, ignored) ? path.string() : std::string();
}

/// What --labels-from says, or stands for where it was not given.
std::string labels_source(const TrainOptions& options) {
  if (!options.labels_from.empty()) return options.labels_from;
  std::string beside = task_file_beside(options.train);
  require(!beside.empty(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "which labels are there? Give --labels-from: a task.json, a list a,b,c, or 'train' for "
        "those in {}",
        options.train);
  });
  return beside;
}

text::Columns columns_of(const TrainOptions& options, const std::optional<text::TaskFile>& task) {
  text::Columns columns{
      .text = options.text_columns, .label = options.label_column, .id = options.id_column};
  if (task && columns.text.empty()) columns.text = task->text_columns;
  if (task && columns.label.empty()) columns.label = task->label_column;
  if (columns.text.empty()) columns.text = {text::default_text_column};
  if (columns.label.empty()) columns.label = text::default_label_column;
  return columns;
}

}  // namespace

void add_text_column_option(Command& command, std::vector<std::string>& columns,
                            const std::string& by_default) {
  command
      .add_option("--text-column", columns,
                  "Column of the texts, " + by_default +
                      "; several are joined in this order, as lines 'column: value'")
      ->delimiter(',')
      ->type_name("NAME,...");
}

void add_id_column_option(Command& command, std::string& column) {
  command
      .add_option("--id-column", column,
                  "Column that names the texts; by default their row, from 1")
      ->type_name("NAME");
}

void add_label_groups_option(Command& command, TrainOptions& options) {
  command
      .add_option("--groups", options.groups,
                  "'labels': a guarantee within each label; each needs enough texts")
      ->type_name("labels");
}

void add_train_options(Command& command, TrainOptions& options) {
  add_path(command, "--train", options.train,
           "Labeled texts: CSV with a header, or JSON Lines (.jsonl); '-' is standard input")
      ->required();
  add_text_column_option(command, options.text_columns, "by default task.json's, else 'text'");
  command
      .add_option("--label-column", options.label_column,
                  "Column of the labels, by default task.json's, else 'label'")
      ->type_name("NAME");
  add_id_column_option(command, options.id_column);
  command
      .add_option(
          "--labels-from", options.labels_from,
          "All possible labels: a task.json, a list, or 'train' for those in the table, which is a "
          "risk; by default task.json beside the table")
      ->type_name("FILE.json|train|a,b,...");
}

void check(const TrainOptions& options) {
  require(options.groups.empty() || options.groups == "labels", ErrorKind::invalid_input,
          [&] { return fmt::format("--groups {}: must be 'labels'", options.groups); });
  const bool list = !options.labels_from.empty() && options.labels_from != "train" &&
                    !is_task_file(options.labels_from);
  if (list) static_cast<void>(text::LabelSpace(listed_names(options.labels_from), "--labels-from"));
}

std::vector<std::string> files_of(const TrainOptions& options) {
  return {options.train, is_task_file(options.labels_from) ? options.labels_from : ""};
}

LabeledTable read_labeled_table(const CommonOptions& common, const TrainOptions& options) {
  const std::string source = labels_source(options);
  std::optional<text::TaskFile> task;
  if (is_task_file(source)) task = text::read_task_file(source, options.label_column);
  const text::Columns columns = columns_of(options, task);

  text::TextTable table = text::read_text_table(options.train, columns);
  require(table.size() > 0, ErrorKind::bad_format, [&] {
    return fmt::format("{}: holds no texts; it needs a row for each labeled one", table.name);
  });
  LabeledTable labeled;
  labeled.name = table.name;
  labeled.text_columns = columns.text;
  labeled.labels_from = task || source == "train" ? source : "list";
  labeled.labels_from_train = labeled.labels_from == "train";
  labeled.labels = task ? task->labels
                   : labeled.labels_from_train
                       ? text::labels_in(table)
                       : text::LabelSpace(listed_names(source), "--labels-from");
  labeled.examples = text::labeled_texts(table, labeled.labels);
  labeled.ids = std::move(table.ids);
  if (labeled.labels_from_train) {
    warn(common, fmt::format("{}; name all of them with --labels-from", train_labels_risk));
  }
  return labeled;
}

void check_enough_texts(const std::string& table, std::size_t n, std::size_t k) {
  require(k + 1 <= n, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{}: {} labeled texts are too few for --k {}, which needs {}; label more, or give a "
        "smaller k",
        table, n, k, k + 1);
  });
}

Grouping grouping_of(const TrainOptions& options, const std::vector<Label>& labels,
                     std::size_t num_labels) {
  return options.groups.empty() ? Grouping::none(labels.size())
                                : Grouping::by_label(labels, num_labels);
}

}  // namespace caos::cli
