#pragma once

#include <string>
#include <vector>

#include "apps/cli/options.hpp"
#include "caos/classification.hpp"
#include "caos/classification/evaluate_vectors.hpp"
#include "caos/classification/label_list.hpp"
#include "caos/classification/vector_table.hpp"

namespace caos::cli {

/// Where labeled vectors come from, and which labels there are.
struct TrainVectorOptions {
  std::string train;
  std::string labels;        ///< empty: the label column of the CSV
  std::string label_column;  ///< empty: `label`
  std::string id_column;     ///< empty: every other column is a feature
  std::string label_names;   ///< names apart by commas, or a file
  std::string label_embeddings;
  std::string groups;  ///< `labels`, or a file with one group per example
};

void add_train_vector_options(Command& command, TrainVectorOptions& options);
/// Adds --id-column, which is among the former, under this name.
void add_vector_id_column(Command& command, const std::string& name, TrainVectorOptions& options);
/// Adds --label-names and --label-embeddings, which are among the former.
void add_label_source_options(Command& command, TrainVectorOptions& options);
void add_vector_groups_option(Command& command, TrainVectorOptions& options);

/// Throws `invalid_input` for what can be found wrong before a file is opened; `labels_option` is
/// what --labels is called.
void check(const TrainVectorOptions& options, const char* labels_option = "--labels");

/// The files it names.
[[nodiscard]] std::vector<std::string> files_of(const TrainVectorOptions& options);

/// Vectors with their labels as files have them.
struct VectorExamples {
  classification::VectorTable table{};
  classification::LabelColumn labels{};
  std::vector<GroupId> groups{};  ///< one each where they come from a file

  [[nodiscard]] std::size_t size() const { return table.vectors.rows(); }
};

/// Labels with their vectors, if there are any.
struct LabelSource {
  classification::LabelList list{};
  Matrix<double> vectors{};
  std::string vectors_name{};
};

[[nodiscard]] VectorExamples read_examples(const TrainVectorOptions& options);

/// The labels that options name, or else those of labeled examples, with a warning.
[[nodiscard]] LabelSource read_label_source(const CommonOptions& common,
                                            const TrainVectorOptions& options,
                                            const classification::LabelColumn& labeled);

[[nodiscard]] LabeledVectors labeled_vectors(const VectorExamples& examples,
                                             const LabelSource& source);

/// The groups that `options.groups` asks for.
[[nodiscard]] Grouping grouping_of(const TrainVectorOptions& options, const LabeledVectors& labeled,
                                   const std::vector<GroupId>& groups);

/// Some of the examples.
[[nodiscard]] VectorExamples examples_at(const VectorExamples& examples, const Indices& positions);

/// Where test vectors come from.
struct TestVectorOptions {
  std::string test;
  std::string labels;  ///< empty: the label column of the CSV
  std::string groups;
};

/// Test vectors have the features of the labeled ones.
[[nodiscard]] VectorExamples read_test_examples(const TestVectorOptions& options,
                                                const TrainVectorOptions& train,
                                                const VectorExamples& labeled);

}  // namespace caos::cli
