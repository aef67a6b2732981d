#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/command.hpp"
#include "caos/calibration.hpp"
#include "caos/grouping.hpp"
#include "caos/io/arrays/score_file.hpp"
#include "caos/split.hpp"
#include "caos/test_inputs.hpp"

namespace caos::cli {

/// Where the labeled examples come from: all their scores, or those of their own labels only.
struct LabeledOptions {
  std::string labeled;
  std::string labels;
  std::string calibration;
  std::string groups;  ///< `labels`, or a file with one group per example
};

void add_labeled_options(Command& command, LabeledOptions& options);

/// Throws `invalid_input` for invalid combinations; opens no file.
void check(const LabeledOptions& options);

/// The files it names.
[[nodiscard]] std::vector<std::string> files_of(const LabeledOptions& options);

/// The labeled examples, opened and checked. Keep it alive as long as its tensors are used.
class LabeledExamples {
 public:
  explicit LabeledExamples(const LabeledOptions& options);

  [[nodiscard]] const OwnScores& own() const { return *own_; }
  [[nodiscard]] std::size_t size() const { return own_->size(); }
  /// All scores [n, K, n]; nothing if only those of own labels were given.
  [[nodiscard]] std::optional<ScoreTensor> tensor() const;
  /// K; 0 if it is unknown.
  [[nodiscard]] std::size_t num_labels() const;
  [[nodiscard]] const std::vector<Label>& labels() const { return labels_; }
  /// The groups that `options.groups` asks for; `num_labels` is K where the examples don't tell.
  [[nodiscard]] Grouping grouping(const LabeledOptions& options, std::size_t num_labels) const;

  /// Throws `bad_format` if a file was written to since it was opened: to be called before results
  /// are given.
  void require_unchanged() const;

 private:
  std::optional<io::ScoreTensorFile> file_;
  std::vector<Label> labels_;
  std::optional<OwnScores> own_;
};

/// The references and calibration examples of the split methods: from a file of indices, or a
/// seeded random halving where `indices` is empty.
[[nodiscard]] split::Partition partition_of(const std::string& indices, std::uint64_t seed,
                                            std::size_t n);

/// Where the reverse scores of Full CAOS come from.
struct ReverseOptions {
  std::string reverse;
  bool symmetric = false;

  [[nodiscard]] bool given() const { return symmetric || !reverse.empty(); }
};

void add_reverse_options(Command& command, ReverseOptions& options);

/// What is said where Full CAOS was asked for without them.
inline constexpr const char* no_reverse =
    "full-caos needs --reverse FILE, or --symmetric if the scores are symmetric";

/// The inputs to predict, opened; the arrays in `inputs` look into the files.
class TestFiles {
 public:
  TestFiles(const std::string& test, const ReverseOptions& reverse, const std::string& groups);

  [[nodiscard]] const TestInputs& inputs() const { return inputs_; }

  /// As `LabeledExamples::require_unchanged`.
  void require_unchanged() const;

 private:
  io::ScoreTensorFile test_;
  std::optional<io::ScoreTensorFile> reverse_;
  TestInputs inputs_;
};

/// Labels 0 to num_labels - 1 from a file; `count` of them.
[[nodiscard]] std::vector<Label> read_labels(const std::string& path, std::size_t count,
                                             std::size_t num_labels);

/// One group for each of `count` examples.
[[nodiscard]] std::vector<GroupId> read_groups(const std::string& path, std::size_t count);

}  // namespace caos::cli
