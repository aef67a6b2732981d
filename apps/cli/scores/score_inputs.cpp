#include "apps/cli/scores/score_inputs.hpp"

#include <fmt/format.h>

#include "apps/cli/options.hpp"
#include "caos/error.hpp"
#include "caos/io/arrays/integers.hpp"
#include "caos/io/artifact.hpp"

namespace caos::cli {

void add_labeled_options(Command& command, LabeledOptions& options) {
  add_path(
      command, "--labeled", options.labeled,
      "Scores of the labeled examples, .npy [n, K, n]: entry (i, y, j) is the score of label y "
      "for example i under reference j");
  add_path(command, "--labels", options.labels,
           "Labels of the labeled examples, .npy or .csv [n], counted from 0");
  add_path(
      command, "--calibration", options.calibration,
      "Instead of --labeled where K is large, .npy [n, n]: entry (i, j) is the score of example "
      "i's own label under reference j");
  add_path(command, "--groups", options.groups,
           "A guarantee within each group: 'labels', or a file with the group of each labeled "
           "example, .npy or .csv [n]")
      ->type_name("labels|FILE");
}

void check(const LabeledOptions& options) {
  const auto refuse = [](const char* why) { throw Error(ErrorKind::invalid_input, why); };
  if (options.labeled.empty() == options.calibration.empty()) {
    refuse("give the labeled examples as either --labeled or --calibration");
  }
  if (!options.labeled.empty() && options.labels.empty()) {
    refuse("--labeled needs --labels, the label of each labeled example");
  }
  if (options.groups == "labels" && options.labels.empty()) {
    refuse("--groups labels needs --labels, the label of each labeled example");
  }
}

std::vector<std::string> files_of(const LabeledOptions& options) {
  std::vector<std::string> files = {options.labeled, options.labels, options.calibration};
  if (options.groups != "labels") files.push_back(options.groups);
  return files;
}

LabeledExamples::LabeledExamples(const LabeledOptions& options) {
  if (!options.labeled.empty()) {
    file_ = io::open_tensor(options.labeled);
    const ScoreTensor labeled = file_->tensor();
    check_labeled(labeled);
    labels_ = read_labels(options.labels, labeled.num_inputs(), labeled.num_labels);
    own_ = OwnScores::of_labeled(labeled, labels_);
    return;
  }
  const io::ScoreMatrixFile matrix = io::open_matrix(options.calibration);
  own_ = OwnScores(matrix.rows(), matrix.name());
  matrix.require_unchanged();
  if (!options.labels.empty()) labels_ = read_labels(options.labels, size(), io::max_labels);
}

std::optional<ScoreTensor> LabeledExamples::tensor() const {
  return file_ ? std::optional(file_->tensor()) : std::nullopt;
}

void LabeledExamples::require_unchanged() const {
  if (file_) file_->require_unchanged();
}

std::size_t LabeledExamples::num_labels() const { return file_ ? file_->tensor().num_labels : 0; }

Grouping LabeledExamples::grouping(const LabeledOptions& options, std::size_t num_labels) const {
  if (options.groups.empty()) return Grouping::none(size());
  if (options.groups == "labels") {
    check_labels(labels_, size(), num_labels, options.labels);
    return Grouping::by_label(labels_, num_labels);
  }
  return Grouping::by_input(read_groups(options.groups, size()));
}

split::Partition partition_of(const std::string& indices, std::uint64_t seed, std::size_t n) {
  if (indices.empty()) return split::halve(n, seed);
  const std::vector<std::int64_t> references = io::read_integers(indices);
  try {
    return split::with_references(n, references);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", indices, error.what()));
  }
}

void add_reverse_options(Command& command, ReverseOptions& options) {
  Option* reverse = add_path(
      command, "--reverse", options.reverse,
      "For full-caos, .npy [m, K, n]: entry (t, y, i) is the score of example i's own label "
      "under the reference (input t, label y)");
  command
      .add_flag("--symmetric", options.symmetric,
                "For full-caos: the scores are symmetric, so --test serves as --reverse")
      ->excludes(reverse);
}

TestFiles::TestFiles(const std::string& test, const ReverseOptions& reverse,
                     const std::string& groups)
    : test_(io::open_tensor(test)), inputs_{.test = test_.tensor()} {
  inputs_.symmetric = reverse.symmetric;
  if (!reverse.reverse.empty()) reverse_ = io::open_tensor(reverse.reverse);
  if (reverse_) inputs_.reverse = reverse_->tensor();
  if (!groups.empty()) inputs_.groups = read_groups(groups, inputs_.size());
}

void TestFiles::require_unchanged() const {
  test_.require_unchanged();
  if (reverse_) reverse_->require_unchanged();
}

std::vector<Label> read_labels(const std::string& path, std::size_t count, std::size_t num_labels) {
  std::vector<Label> labels;
  for (const std::int64_t value : io::read_integers(path)) {
    require(value >= 0, ErrorKind::bad_format, [&] {
      return fmt::format("{}: entry {} is {}; labels are counted from 0", path, labels.size(),
                         value);
    });
    labels.push_back(static_cast<Label>(value));
  }
  check_labels(labels, count, num_labels, path);
  return labels;
}

std::vector<GroupId> read_groups(const std::string& path, std::size_t count) {
  std::vector<GroupId> ids = io::read_integers(path);
  require(ids.size() == count, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: the number of groups is {}; expected {}, one per example", path,
                       ids.size(), count);
  });
  return ids;
}

}  // namespace caos::cli
