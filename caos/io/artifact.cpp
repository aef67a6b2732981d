#include "caos/io/artifact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"

namespace caos::io {
namespace {

/// The file itself, once its method is known.
ModelFile identified(ModelFile file) {
  if (file.text("method") != "caos") {
    file.refuse(fmt::format("is a calibration of '{}', which this version does not know",
                            printable(file.text("method"))));
  }
  return file;
}

void require_shape(const ModelFile& file, const std::string& name, std::size_t rows,
                   std::size_t cols) {
  if (file.arrays().tensor(name).shape != Shape{rows, cols}) {
    file.refuse(fmt::format("'{}' is not {} x {}", name, rows, cols));
  }
}

Matrix<Score> read_nearest(const ModelFile& file) {
  const std::size_t n = file.count("n");
  const std::size_t k = file.count("k");
  if (k < 1 || k >= n) file.refuse(fmt::format("k = {} does not fit n = {}", k, n));
  require_shape(file, "nearest", n, k);
  return file.nearest();
}

MatrixView<const Score> view_own_scores(const ModelFile& file, std::size_t n) {
  require_shape(file, "own_scores", n, n);
  return {file.arrays().f64("own_scores", 2).data(), n, n};
}

Grouping read_grouping(const ModelFile& file, std::size_t num_labels) {
  const std::string& kind = file.text("groups");
  const std::size_t n = file.count("n");
  if (kind == "none") return Grouping::none(n);
  if (kind != "inputs" && kind != "labels") {
    file.refuse(fmt::format("unknown groups '{}'", printable(kind)));
  }
  const std::span<const GroupId> ids = file.arrays().i64("groups");
  if (ids.size() != n) file.refuse("there is not one group per example");
  if (kind == "inputs") return Grouping::by_input(ids);
  // Where the number of labels is unknown, labels beyond the largest seen have no examples anyway.
  const auto [smallest, largest] = std::ranges::minmax(ids);
  const auto seen = static_cast<std::size_t>(largest) + 1;
  const std::size_t count = num_labels > 0 ? num_labels : seen;
  if (smallest < 0 || seen > count || count > max_labels) file.refuse("a label is out of range");
  return Grouping::by_label(std::vector<Label>(ids.begin(), ids.end()), count);
}

Calibration read_calibration(const ModelFile& file, std::size_t num_labels) {
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

}  // namespace

void write_artifact(const std::string& path, const Calibration& calibration, const OwnScores& own,
                    std::size_t num_labels) {
  require(own.size() == calibration.size(), ErrorKind::invalid_input,
          "the calibration must be that of the given scores");
  const Grouping& grouping = calibration.grouping();
  require(grouping.kind() != Grouping::Kind::by_label || grouping.num_groups() <= max_labels,
          ErrorKind::invalid_input,
          [&] { return fmt::format("{}: groups by label go up to {} labels", path, max_labels); });
  Metadata metadata = model_header(ModelKind::calibration, 1);
  metadata.insert({{"method", "caos"},
                   {"n", fmt::format("{}", calibration.size())},
                   {"k", fmt::format("{}", calibration.k())},
                   {"num_labels", fmt::format("{}", num_labels)},
                   {"groups", std::string(grouping_name(grouping.kind()))}});
  std::vector<TensorRef> tensors = {tensor_of("nearest", calibration.nearest()),
                                    tensor_of("own_scores", own.view())};
  const std::vector<GroupId> ids = group_ids(grouping);
  if (grouping.kind() != Grouping::Kind::none) tensors.push_back(tensor_of("groups", ids));
  write_safetensors(path, metadata, tensors);
}

Artifact::Artifact(SafetensorsFile file)
    : file_(identified({std::move(file), ModelKind::calibration, 1})),
      num_labels_(file_.count("num_labels")),
      calibration_(read_calibration(file_, num_labels_)),
      own_scores_(view_own_scores(file_, calibration_.size())) {}

Artifact Artifact::open(const std::string& path) { return Artifact(SafetensorsFile::open(path)); }

OwnScores Artifact::own_scores() const { return OwnScores(own_scores_, name()); }

}  // namespace caos::io
