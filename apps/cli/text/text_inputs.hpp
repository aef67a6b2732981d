#pragma once

#include <string>
#include <vector>

#include "apps/cli/options.hpp"
#include "caos/grouping.hpp"
#include "caos/text/label_space.hpp"
#include "caos/text/text_calibration.hpp"
#include "caos/text/text_table.hpp"

namespace caos::cli {

/// Where labeled texts come from, and which labels there are.
struct TrainOptions {
  std::string train;
  std::vector<std::string> text_columns;
  std::string label_column;
  std::string id_column;
  std::string labels_from;  ///< a .json file, `train`, or names apart by commas
  std::string groups;       ///< empty or `labels`
};

void add_train_options(Command& command, TrainOptions& options);
void add_text_column_option(Command& command, std::vector<std::string>& columns,
                            const std::string& by_default);
void add_id_column_option(Command& command, std::string& column);
void add_label_groups_option(Command& command, TrainOptions& options);

/// Throws `invalid_input` for what can be found wrong before a file is opened.
void check(const TrainOptions& options);

/// The files it names.
[[nodiscard]] std::vector<std::string> files_of(const TrainOptions& options);

/// The labeled texts of a table.
struct LabeledTable : LabeledTexts {
  std::string name{};         ///< what errors call the table
  std::string labels_from{};  ///< `train`, `list`, or the file

  [[nodiscard]] std::size_t size() const { return examples.size(); }
};

/// Reads the table; says what it risks if labels come from it alone.
[[nodiscard]] LabeledTable read_labeled_table(const CommonOptions& common,
                                              const TrainOptions& options);

/// Throws `invalid_input` unless k scores are left where each of n texts is left out in turn.
void check_enough_texts(const std::string& table, std::size_t n, std::size_t k);

/// The groups that `options.groups` asks for, of examples with these labels.
[[nodiscard]] Grouping grouping_of(const TrainOptions& options, const std::vector<Label>& labels,
                                   std::size_t num_labels);

}  // namespace caos::cli
