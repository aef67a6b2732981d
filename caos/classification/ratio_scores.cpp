#include "caos/classification/ratio_scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>

#include "caos/calibration.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"

namespace caos::classification {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();  // no further neighbor
constexpr double largest_distance = 1e300;

/// Puts `distance` among the smallest ones, ascending, in the place of the largest of them.
void insert(std::span<double> smallest, double distance) {
  for (double& place : smallest) {
    if (distance < place) std::swap(distance, place);
  }
}

/// The sum of k terms, ascending: `inserted` among those that there are, the last of them repeated.
double sum_with(std::span<const double> smallest, double inserted) {
  double sum = 0;
  double last = none;
  for (const double place : smallest) {
    const double term = std::min(place, inserted);
    inserted = std::max(place, inserted);
    if (term < none) last = term;
    sum += last;
  }
  return sum;
}

/// Of numbers from 0 to +inf, not both +inf.
double ratio(double same, double other) {
  if (other == 0) return same == 0 ? 1 : none;
  return same / other;
}

void check_distances(std::span<const double> distances, std::size_t skipped, std::size_t row) {
  for (std::size_t j = 0; j < distances.size(); ++j) {
    if (j == skipped) continue;
    require(distances[j] >= 0 && distances[j] <= largest_distance, ErrorKind::bad_format, [&] {
      return fmt::format("distances: entry [{}, {}] is {}; expected a number from 0 to 1e300", row,
                         j, distances[j]);
    });
  }
}

/// The k smallest distances to each class.
class NearestByLabel {
 public:
  NearestByLabel(std::size_t num_labels, std::size_t k) : smallest_(num_labels, k, none) {}

  void add(Label y, double distance) { insert(smallest_.row(y), distance); }
  [[nodiscard]] std::span<const double> of(Label y) const { return smallest_.row(y); }

  /// The k smallest of all labels below `last`, from `first` on.
  void merge(std::size_t first, std::size_t last, std::span<double> out) const {
    for (Label y = first; y < last; ++y) {
      for (const double distance : of(y)) insert(out, distance);
    }
  }

  /// [K, k]: the k smallest distances to all labels but y, by merging from both ends.
  [[nodiscard]] Matrix<double> others() const {
    const std::size_t count = smallest_.rows();
    Matrix<double> result(count, smallest_.cols(), none);
    std::vector<double> before(smallest_.cols(), none);
    std::vector<double> after(smallest_.cols(), none);
    for (Label y = 0; y < count; ++y) {
      for (const double distance : before) insert(result.row(y), distance);
      merge(y, y + 1, before);
    }
    for (Label y = count; y-- > 0;) {
      for (const double distance : after) insert(result.row(y), distance);
      merge(y, y + 1, after);
    }
    return result;
  }

 private:
  Matrix<double> smallest_;
};

}  // namespace

RatioScores::RatioScores(std::span<const Label> labels, std::size_t num_labels,
                         const RatioOptions& options)
    : labels_(labels.begin(), labels.end()), num_labels_(num_labels), options_(options) {
  require(!labels.empty(), ErrorKind::invalid_input, "full-ratio needs a labeled example");
  require(options.k >= 1 && options.k <= labels.size(), ErrorKind::invalid_input, [&] {
    return fmt::format("k is {}; full-ratio needs 1 <= k <= {}, the number of labeled examples",
                       options.k, labels.size());
  });
  check_labels(labels, labels.size(), num_labels, "labels");
  same_ = Matrix<double>(size(), options_.k, none);
  other_ = Matrix<double>(size(), options_.k, none);
}

RatioScores::RatioScores(MatrixView<const double> distances, std::span<const Label> labels,
                         std::size_t num_labels, const RatioOptions& options)
    : RatioScores(labels, num_labels, options) {
  require(distances.rows() == size() && distances.cols() == size(), ErrorKind::invalid_input, [&] {
    return fmt::format("distances: has shape [{}, {}]; expected [{}, {}], one row per label",
                       distances.rows(), distances.cols(), size(), size());
  });
  for (std::size_t i = 0; i < size(); ++i) set_example(i, distances.row(i));
}

RatioScores RatioScores::of_vectors(const ReferenceVectors& vectors, std::span<const Label> labels,
                                    std::size_t num_labels, const RatioOptions& options) {
  RatioScores scores(labels, num_labels, options);
  check_labels(labels, vectors.size(), num_labels, "labels");
  parallel_for(vectors.size(), 16, options.threads, [&](std::size_t first, std::size_t last) {
    const Matrix<double> rows = vectors.distances_among(first, last - first);
    for (std::size_t i = first; i < last; ++i) scores.set_example(i, rows.row(i - first));
  });
  return scores;
}

void RatioScores::set_example(std::size_t i, std::span<const double> distances) {
  check_distances(distances, i, i);
  for (std::size_t j = 0; j < size(); ++j) {
    if (j == i) continue;
    insert(labels_[j] == labels_[i] ? same_.row(i) : other_.row(i), distances[j]);
  }
}

CandidateScores RatioScores::candidates(std::span<const double> distances) const {
  assert(distances.size() == size());
  check_distances(distances, size(), 0);
  CandidateScores scores{.candidates = std::vector<Score>(num_labels_),
                         .with_same = std::vector<Score>(size()),
                         .with_other = std::vector<Score>(size())};
  NearestByLabel nearest(num_labels_, options_.k);
  for (std::size_t i = 0; i < size(); ++i) {
    const double distance = distances[i];
    scores.with_same[i] = ratio(sum_with(same_.row(i), distance), sum_with(other_.row(i), none));
    scores.with_other[i] = ratio(sum_with(same_.row(i), none), sum_with(other_.row(i), distance));
    nearest.add(labels_[i], distance);
  }
  const Matrix<double> others = nearest.others();
  for (Label y = 0; y < num_labels_; ++y) {
    scores.candidates[y] = ratio(sum_with(nearest.of(y), none), sum_with(others.row(y), none));
  }
  return scores;
}

}  // namespace caos::classification
