#include "apps/cli/classify/vector_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/program.hpp"
#include "apps/cli/scores/score_inputs.hpp"
#include "caos/error.hpp"
#include "caos/io/utf8.hpp"

namespace caos::cli {
namespace {

constexpr const char* default_label_column_of_vectors = "label";

bool is_array_name(const std::string& path) { return path.ends_with(".npy"); }

bool is_name_file(const std::string& label_names) {
  return label_names.ends_with(".txt") || label_names.ends_with(".csv") ||
         label_names.ends_with(".npy");
}

std::string label_column_of(const TrainVectorOptions& options) {
  return options.label_column.empty() ? default_label_column_of_vectors : options.label_column;
}

classification::LabelList list_of_names(const std::string& label_names) {
  if (!is_name_file(label_names)) {
    return classification::named_labels(listed_names(label_names), "--label-names");
  }
  return classification::named_labels(classification::read_label_column(label_names).labels,
                                      label_names);
}

/// Labels that are numbers are rows of the label vectors.
void check_has_row_of_each(const classification::LabelColumn& labeled, const LabelSource& source) {
  for (std::size_t i = 0; i < labeled.labels.size(); ++i) {
    require(std::ranges::find(source.list.names, labeled.labels[i]) != source.list.names.end(),
            ErrorKind::invalid_input, [&] {
              return fmt::format(
                  "{}: has {} rows, for the labels 0 to {}; {} is {}; give a row for each label",
                  source.vectors_name, source.list.size(), source.list.size() - 1, labeled.place(i),
                  text::in_quotes(labeled.labels[i]));
            });
  }
}

/// Vectors with labels from another file, or from a column of their own.
VectorExamples read_labeled(const std::string& vectors, const std::string& labels,
                            classification::VectorColumns columns) {
  VectorExamples examples;
  if (labels.empty()) {
    examples.table = classification::read_vector_table(vectors, columns);
    examples.labels = std::move(*examples.table.labels);
  } else {
    columns.label.clear();
    examples.table = classification::read_vector_table(vectors, columns);
    examples.labels = classification::read_label_column(labels);
    classification::check_label_count(examples.labels, examples.size(), examples.table.name);
  }
  require(examples.size() > 0, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has no vectors; it needs a row for each", examples.table.name);
  });
  return examples;
}

}  // namespace

void add_train_vector_options(Command& command, TrainVectorOptions& options) {
  add_path(
      command, "--train", options.train,
      "Labeled vectors: .npy [n, D], or CSV with a header, one row each; '-' is standard input")
      ->required();
  add_path(command, "--labels", options.labels,
           "Their labels, numbers or texts: .npy [n], .csv with one column, or .txt with one per "
           "line; by default the label column of the CSV");
  command
      .add_option("--label-column", options.label_column,
                  "Column of the labels in CSV, by default 'label'; all others are features")
      ->type_name("NAME");
  add_vector_id_column(command, "--id-column", options);
  add_label_source_options(command, options);
}

void add_vector_id_column(Command& command, const std::string& name, TrainVectorOptions& options) {
  command
      .add_option(name, options.id_column,
                  "Column of CSV that names the vectors, so that it is not a feature")
      ->type_name("NAME");
}

void add_label_source_options(Command& command, TrainVectorOptions& options) {
  command
      .add_option(
          "--label-names", options.label_names,
          "All possible labels: a list, or a file with one each (.txt, .csv, .npy); labels that are "
          "numbers count them from 0. By default the labels that occur, which is a risk")
      ->type_name("a,b,...|FILE");
  add_path(command, "--label-embeddings", options.label_embeddings,
           "Vectors of the labels' names from the same encoder, in their order, .npy [K, D]; for "
           "all methods but full-ratio");
}

void add_vector_groups_option(Command& command, TrainVectorOptions& options) {
  add_path(command, "--groups", options.groups,
           "A guarantee within each group: 'labels', or a file with the group of each labeled "
           "vector, .npy or .csv [n]")
      ->type_name("labels|FILE");
}

void check(const TrainVectorOptions& options, const char* labels_option) {
  require(!options.labels.empty() || !is_array_name(options.train), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: is an array; give its labels with {}", options.train, labels_option);
  });
  require(options.labels.empty() || options.label_column.empty(), ErrorKind::invalid_input,
          [&] { return fmt::format("give labels as either {} or a label column", labels_option); });
  if (!options.label_names.empty() && !is_name_file(options.label_names)) {
    static_cast<void>(list_of_names(options.label_names));
  }
}

std::vector<std::string> files_of(const TrainVectorOptions& options) {
  return {options.train, options.labels, options.label_embeddings,
          is_name_file(options.label_names) ? options.label_names : "",
          options.groups == "labels" ? "" : options.groups};
}

VectorExamples read_examples(const TrainVectorOptions& options) {
  VectorExamples examples = read_labeled(
      options.train, options.labels, {.label = label_column_of(options), .id = options.id_column});
  if (!options.groups.empty() && options.groups != "labels") {
    examples.groups = read_groups(options.groups, examples.size());
  }
  return examples;
}

LabelSource read_label_source(const CommonOptions& common, const TrainVectorOptions& options,
                              const classification::LabelColumn& labeled) {
  LabelSource source;
  if (!options.label_embeddings.empty()) {
    classification::VectorTable table =
        classification::read_vector_table(options.label_embeddings, {});
    source.vectors = std::move(table.vectors);
    source.vectors_name = table.name;
  }
  if (!options.label_names.empty()) {
    source.list = list_of_names(options.label_names);
    return source;
  }
  if (source.vectors.rows() > 0) {
    const bool numbered = std::ranges::all_of(labeled.labels, classification::is_whole_number);
    require(numbered, ErrorKind::invalid_input, [&] {
      return fmt::format("{}: which label is each row of? Name them with --label-names",
                         source.vectors_name);
    });
    source.list = classification::numbered_labels(source.vectors.rows());
    check_has_row_of_each(labeled, source);
    return source;
  }
  source.list = classification::labels_of_train(labeled);
  warn(common,
       fmt::format("{}; name all of them with --label-names", classification::listed_labels_risk));
  return source;
}

LabeledVectors labeled_vectors(const VectorExamples& examples, const LabelSource& source) {
  return {.vectors = examples.table.vectors,
          .labels = classification::numbers_of(examples.labels, source.list),
          .num_labels = source.list.size(),
          .label_vectors = source.vectors,
          .name = examples.table.name,
          .label_vectors_name = source.vectors_name};
}

Grouping grouping_of(const TrainVectorOptions& options, const LabeledVectors& labeled,
                     const std::vector<GroupId>& groups) {
  if (options.groups.empty()) return Grouping::none(labeled.labels.size());
  if (options.groups == "labels") return Grouping::by_label(labeled.labels, labeled.num_labels);
  return Grouping::by_input(groups);
}

VectorExamples examples_at(const VectorExamples& examples, const Indices& positions) {
  VectorExamples result;
  result.table.name = examples.table.name;
  result.table.features = examples.table.features;
  result.table.vectors = Matrix<double>(0, examples.table.vectors.cols());
  result.labels.name = examples.labels.name;
  for (const std::size_t i : positions) {
    result.table.vectors.push_row(examples.table.vectors.row(i));
    result.table.ids.push_back(examples.table.ids[i]);
    result.labels.labels.push_back(examples.labels.labels[i]);
    if (!examples.labels.lines.empty()) result.labels.lines.push_back(examples.labels.lines[i]);
    if (!examples.groups.empty()) result.groups.push_back(examples.groups[i]);
  }
  return result;
}

VectorExamples read_test_examples(const TestVectorOptions& options, const TrainVectorOptions& train,
                                  const VectorExamples& labeled) {
  require(!options.labels.empty() || !is_array_name(options.test), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: is an array; give its labels with --test-labels", options.test);
  });
  VectorExamples examples =
      read_labeled(options.test, options.labels,
                   {.label = label_column_of(train), .features = labeled.table.features});
  if (!options.groups.empty()) examples.groups = read_groups(options.groups, examples.size());
  return examples;
}

}  // namespace caos::cli
