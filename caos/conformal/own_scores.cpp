#include <fmt/format.h>

#include <limits>
#include <utility>

#include "caos/calibration.hpp"
#include "caos/error.hpp"
#include "caos/numerics/check_scores.hpp"

namespace caos {
namespace {

Matrix<Score> checked_copy(const ScoreRows& scores, const std::string& name) {
  require(scores.rows() == scores.cols(), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: is {} x {}; expected a square, labeled examples x references", name,
                       scores.rows(), scores.cols());
  });
  check_off_diagonal(scores, name);
  Matrix<Score> matrix(scores.rows(), scores.cols());
  for (std::size_t i = 0; i < scores.rows(); ++i) scores.copy_row(i, matrix.row(i));
  return matrix;
}

}  // namespace

OwnScores::OwnScores(Matrix<Score> matrix) : matrix_(std::move(matrix)) {
  require(size() >= 2, ErrorKind::invalid_input,
          "at least 2 labeled examples are needed: one to predict from, one to calibrate on");
  for (std::size_t i = 0; i < size(); ++i) matrix_(i, i) = std::numeric_limits<Score>::infinity();
}

OwnScores::OwnScores(const ScoreRows& scores, const std::string& name)
    : OwnScores(checked_copy(scores, name)) {}

OwnScores OwnScores::of_labeled(const ScoreTensor& labeled, std::span<const Label> labels) {
  check_labeled(labeled);
  const std::size_t n = labeled.num_references();
  check_labels(labels, n, labeled.num_labels, "labels");
  Matrix<Score> matrix(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    check_input(labeled, i, i);
    labeled.input(i).copy_row(labels[i], matrix.row(i));
  }
  return OwnScores(std::move(matrix));
}

void check_labeled(const ScoreTensor& labeled) {
  require(labeled.num_inputs() == labeled.num_references(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{}: is {} x {} x {}; expected labeled examples x labels x references, the first and the "
        "last being the same examples",
        labeled.name, labeled.num_inputs(), labeled.num_labels, labeled.num_references());
  });
}

void check_labels(std::span<const Label> labels, std::size_t count, std::size_t num_labels,
                  const std::string& name) {
  require(labels.size() == count, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: the number of labels is {}; expected {}, one per example", name,
                       labels.size(), count);
  });
  for (std::size_t i = 0; i < count; ++i) {
    require(labels[i] < num_labels, ErrorKind::bad_format, [&] {
      return fmt::format("{}: entry {} is {}; labels are 0 to {}", name, i, labels[i],
                         num_labels - 1);
    });
  }
}

}  // namespace caos
