#include "bench/comparison/blas_peer.hpp"

#include <cblas.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "bench/comparison/measured.hpp"
#include "bench/comparison/workload.hpp"
#include "caos/core/parallel_for.hpp"

// The compiler's own vectors, as wide as the machine has them.
#if defined(__x86_64__)
#define CAOS_WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CAOS_WIDEST
#endif

namespace caos::bench {
namespace {

static_assert(k == 3, "three rows of greatest similarities");

/// The distinct patches among the references of all landmarks.
struct References {
  std::vector<float> rows{};                 // [distinct, dim]
  std::vector<std::uint32_t> of_landmark{};  // [landmarks, images]: rows
  std::size_t distinct = 0;
  std::size_t dim = 0;
  std::size_t images = 0;

  [[nodiscard]] const std::uint32_t* landmark(std::size_t t) const {
    return &of_landmark[t * images];
  }
};

References distinct_references(const Embeddings& labeled, const Matrix<std::int64_t>& labels) {
  References references{.of_landmark = std::vector<std::uint32_t>(labels.rows() * labels.cols()),
                        .dim = labeled.dim,
                        .images = labeled.images};
  constexpr auto none = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = 0; i < labeled.images; ++i) {
    std::vector<std::uint32_t> known(labeled.patches, none);
    for (std::size_t t = 0; t < labels.cols(); ++t) {
      const auto patch = static_cast<std::size_t>(labels(i, t));
      if (known[patch] == none) {
        known[patch] = static_cast<std::uint32_t>(references.distinct++);
        const float* row = labeled.row(i, patch);
        references.rows.insert(references.rows.end(), row, row + labeled.dim);
      }
      references.of_landmark[t * labeled.images + i] = known[patch];
    }
  }
  return references;
}

/// out [a_rows, b_rows] = the similarities of rows.
void similarities(const float* a, std::size_t a_rows, const float* b, std::size_t b_rows,
                  std::size_t dim, float* out) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(a_rows),
              static_cast<int>(b_rows), static_cast<int>(dim), 1.0F, a, static_cast<int>(dim), b,
              static_cast<int>(dim), 0.0F, out, static_cast<int>(b_rows));
}

/// Puts a row of values into the rows of the greatest, second and third greatest so far.
CAOS_WIDEST void keep_greatest(const float* values, std::size_t count, float* __restrict first,
                               float* __restrict second, float* __restrict third) {
  for (std::size_t y = 0; y < count; ++y) {
    const float v = values[y];
    const float a = first[y];
    const float b = second[y];
    const float from_first = a < v ? a : v;
    const float from_second = b < from_first ? b : from_first;
    first[y] = a < v ? v : a;
    second[y] = b < from_first ? from_first : b;
    third[y] = third[y] < from_second ? from_second : third[y];
  }
}

/// Rows of the greatest three, column by column.
class Greatest {
 public:
  explicit Greatest(std::size_t columns) : columns_(columns), rows_(3 * columns) {}

  void clear() { std::ranges::fill(rows_, -std::numeric_limits<float>::infinity()); }
  void keep(const float* values) {
    keep_greatest(values, columns_, rows_.data(), &rows_[columns_], &rows_[2 * columns_]);
  }
  [[nodiscard]] float score_of(std::size_t column) const {
    const float three[] = {rows_[column], rows_[columns_ + column], rows_[2 * columns_ + column]};
    return score(three);
  }

 private:
  std::size_t columns_;
  std::vector<float> rows_;
};

/// Leave-one-out thresholds of one landmark. Similarities are symmetric, so columns are as good as
/// rows.
Thresholds calibrate(const References& references, std::size_t landmark) {
  const std::size_t n = references.images;
  std::vector<float> rows;
  for (std::size_t i = 0; i < n; ++i) {
    const float* row = &references.rows[references.landmark(landmark)[i] * references.dim];
    rows.insert(rows.end(), row, row + references.dim);
  }
  std::vector<float> similar(n * n);
  similarities(rows.data(), n, rows.data(), n, references.dim, similar.data());
  Greatest greatest(n);
  greatest.clear();
  for (std::size_t i = 0; i < n; ++i) {
    similar[i * n + i] = -std::numeric_limits<float>::infinity();
    greatest.keep(&similar[i * n]);
  }
  std::vector<float> scores(n);
  for (std::size_t i = 0; i < n; ++i) scores[i] = greatest.score_of(i);
  return thresholds(std::move(scores));
}

void evaluate(const Embeddings& labeled, const Matrix<std::int64_t>& labels, const Embeddings& test,
              std::size_t threads, Sets& sets) {
  const References references = distinct_references(labeled, labels);
  std::vector<Thresholds> limits(labels.cols());
  parallel_for(labels.cols(), 4, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) limits[t] = calibrate(references, t);
  });
  parallel_for(test.images, 1, threads, [&](std::size_t image, std::size_t) {
    thread_local std::vector<float> similar;
    similar.resize(references.distinct * test.patches);
    similarities(references.rows.data(), references.distinct, test.row(image, 0), test.patches,
                 test.dim, similar.data());
    Greatest greatest(test.patches);
    for (std::size_t t = 0; t < labels.cols(); ++t) {
      greatest.clear();
      for (std::size_t i = 0; i < references.images; ++i) {
        greatest.keep(&similar[references.landmark(t)[i] * test.patches]);
      }
      for (std::size_t y = 0; y < test.patches; ++y) {
        sets.decide(image, t, y, greatest.score_of(y), limits[t]);
      }
    }
  });
}

}  // namespace

void run_blas_w1(const std::string& folder, std::size_t threads, const std::string& file) {
  const Embeddings labeled = read_embeddings(folder + "/embeddings.npy");
  const Embeddings test = read_embeddings(folder + "/test-embeddings.npy");
  const auto labels = read_labels(folder + "/labels.npy");
  // Threads share images, not products: less to wait for.
  openblas_set_num_threads(1);
  std::vector<float> warm_up(test.patches * test.patches);
  similarities(test.row(0, 0), test.patches, test.row(0, 0), test.patches, test.dim,
               warm_up.data());
  Sets sets(test.images, labels.cols(), test.patches);
  print("openblas", measure([&] { evaluate(labeled, labels, test, threads, sets); }));
  if (!file.empty()) sets.write(file);
}

}  // namespace caos::bench
