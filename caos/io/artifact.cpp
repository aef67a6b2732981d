#include "caos/io/artifact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"
#include "caos/numerics/check_scores.hpp"
#include "caos/version.hpp"

namespace caos::io {
namespace {

constexpr const char* format_name = "caos-calibration";
constexpr const char* format_version = "1";

const std::string& text_at(const SafetensorsFile& file, const std::string& key) {
  const auto found = file.metadata().find(key);
  if (found == file.metadata().end()) {
    refuse(file.name(),
           fmt::format("is no caos calibration: '{}' is missing from its header", key));
  }
  return found->second;
}

std::size_t number_at(const SafetensorsFile& file, const std::string& key) {
  const std::string& text = text_at(file, key);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    refuse(file.name(),
           fmt::format("'{}' in its header is '{}', which is no count", key, printable(text)));
  }
  return number;
}

/// The file itself, once it is known to be a calibration.
SafetensorsFile identified(SafetensorsFile file) {
  if (text_at(file, "format") != format_name) refuse(file.name(), "is no caos calibration");
  if (text_at(file, "version") != format_version) {
    refuse(file.name(), fmt::format("has format version {}; this caos reads version {}",
                                    printable(text_at(file, "version")), format_version));
  }
  if (text_at(file, "method") != "caos") {
    refuse(file.name(), fmt::format("is a calibration of '{}', which this caos does not know",
                                    printable(text_at(file, "method"))));
  }
  return file;
}

/// An array of scores, which must be `rows` x `cols`.
MatrixView<const Score> matrix_at(const SafetensorsFile& file, const std::string& name,
                                  std::size_t rows, std::size_t cols) {
  const std::span<const double> values = file.f64(name, 2);
  if (file.tensor(name).shape != Shape{rows, cols}) {
    refuse(file.name(), fmt::format("'{}' is not {} x {}", name, rows, cols));
  }
  return {values.data(), rows, cols};
}

/// The k smallest scores of each example. They must be ascending scores, or thresholds would be
/// nonsense without anybody noticing.
Matrix<Score> read_nearest(const SafetensorsFile& file) {
  const std::size_t n = number_at(file, "n");
  const std::size_t k = number_at(file, "k");
  if (k < 1 || k >= n) refuse(file.name(), fmt::format("k = {} does not fit n = {}", k, n));
  const MatrixView<const Score> stored = matrix_at(file, "nearest", n, k);
  Matrix<Score> nearest(n, k);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = stored.row(i);
    if (!std::ranges::all_of(row, is_score) || !std::ranges::is_sorted(row)) {
      refuse(file.name(), fmt::format("the scores of example {} are not ascending scores", i));
    }
    std::ranges::copy(row, nearest.row(i).begin());
  }
  return nearest;
}

Grouping read_grouping(const SafetensorsFile& file, std::size_t num_labels) {
  const std::string& kind = text_at(file, "groups");
  const std::size_t n = number_at(file, "n");
  if (kind == "none") return Grouping::none(n);
  if (kind != "inputs" && kind != "labels") {
    refuse(file.name(), fmt::format("there are no groups called '{}'", printable(kind)));
  }
  const std::span<const GroupId> ids = file.i64("groups");
  if (ids.size() != n) refuse(file.name(), "there is not one group per example");
  if (kind == "inputs") return Grouping::by_input(ids);
  // Where the number of labels is unknown, labels beyond the largest seen have no examples anyway.
  const auto [smallest, largest] = std::ranges::minmax(ids);
  const auto seen = static_cast<std::size_t>(largest) + 1;
  const std::size_t count = num_labels > 0 ? num_labels : seen;
  if (smallest < 0 || seen > count || count > max_labels)
    refuse(file.name(), "a label is out of range");
  return Grouping::by_label(std::vector<Label>(ids.begin(), ids.end()), count);
}

Calibration read_calibration(const SafetensorsFile& file, std::size_t num_labels) {
  // The arrays first: they bound what the header may claim.
  Matrix<Score> nearest = read_nearest(file);
  const std::size_t n = nearest.rows();
  return {std::move(nearest), read_grouping(file, num_labels), n};
}

std::vector<GroupId> group_ids(const Grouping& grouping) {
  std::vector<GroupId> ids;
  for (std::size_t i = 0; i < grouping.num_examples(); ++i) {
    ids.push_back(grouping.id(grouping.of_example(i)));
  }
  return ids;
}

TensorRef tensor_of(std::string name, MatrixView<const Score> matrix) {
  const std::size_t count = matrix.rows() * matrix.cols();
  return {.name = std::move(name),
          .type = ElementType::f64,
          .shape = {matrix.rows(), matrix.cols()},
          .bytes = std::as_bytes(std::span(matrix.data(), count))};
}

}  // namespace

void write_artifact(const std::string& path, const Calibration& calibration, const OwnScores& own,
                    std::size_t num_labels) {
  require(own.size() == calibration.size(), ErrorKind::invalid_input,
          "the calibration must be that of the given scores");
  const Grouping& grouping = calibration.grouping();
  require(grouping.kind() != Grouping::Kind::by_label || grouping.num_groups() <= max_labels,
          ErrorKind::invalid_input,
          [&] { return fmt::format("{}: groups by label go up to {} labels", path, max_labels); });
  const Metadata metadata = {{"format", format_name},
                             {"version", format_version},
                             {"written_by", fmt::format("caos {}", version())},
                             {"method", "caos"},
                             {"n", fmt::format("{}", calibration.size())},
                             {"k", fmt::format("{}", calibration.k())},
                             {"num_labels", fmt::format("{}", num_labels)},
                             {"groups", std::string(grouping_name(grouping.kind()))}};
  std::vector<TensorRef> tensors = {tensor_of("nearest", calibration.nearest()),
                                    tensor_of("own_scores", own.view())};
  const std::vector<GroupId> ids = group_ids(grouping);
  if (grouping.kind() != Grouping::Kind::none) {
    tensors.push_back({.name = "groups",
                       .type = ElementType::i64,
                       .shape = {ids.size()},
                       .bytes = std::as_bytes(std::span(ids))});
  }
  write_safetensors(path, metadata, tensors);
}

Artifact::Artifact(SafetensorsFile file)
    : file_(identified(std::move(file))),
      num_labels_(number_at(file_, "num_labels")),
      written_by_(text_at(file_, "written_by")),
      calibration_(read_calibration(file_, num_labels_)),
      own_scores_(matrix_at(file_, "own_scores", calibration_.size(), calibration_.size())) {}

Artifact Artifact::open(const std::string& path) { return Artifact(SafetensorsFile::open(path)); }

OwnScores Artifact::own_scores() const { return OwnScores(own_scores_, name()); }

}  // namespace caos::io
