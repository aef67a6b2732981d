#include "bench/comparison/faiss_peer.hpp"

#include <cblas.h>
#include <faiss/IndexFlat.h>
#include <omp.h>

#include <algorithm>
#include <vector>

#include "bench/comparison/measured.hpp"
#include "bench/comparison/workload.hpp"

namespace caos::bench {
namespace {

using Id = faiss::Index::idx_t;

/// The nearest rows of an index, as FAISS gives them.
struct Nearest {
  Nearest(const faiss::IndexFlatIP& index, const float* queries, std::size_t count,
          std::size_t wanted)
      : similarities(count * wanted), ids(count * wanted) {
    index.search(static_cast<Id>(count), queries, static_cast<Id>(wanted), similarities.data(),
                 ids.data());
  }

  std::vector<float> similarities;
  std::vector<Id> ids;
};

/// Leave-one-out: one more neighbor than needed, and each row leaves itself out.
Thresholds calibrate(const faiss::IndexFlatIP& index, const std::vector<float>& references) {
  const auto n = static_cast<std::size_t>(index.ntotal);
  const Nearest found(index, references.data(), n, k + 1);
  std::vector<float> scores(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Id* ids = &found.ids[i * (k + 1)];
    std::array<float, k + 1> others{};
    std::copy_n(&found.similarities[i * (k + 1)], k + 1, others.begin());
    // Among duplicates it may be absent; then the last is one too many.
    auto* self = others.begin() + (std::find(ids, ids + k, static_cast<Id>(i)) - ids);
    std::move(self + 1, others.end(), self);
    scores[i] = score(others.data());
  }
  return thresholds(std::move(scores));
}

/// Calibrates on the references and decides about every patch of every test image.
void evaluate(const std::vector<float>& references, const Embeddings& test, std::size_t landmark,
              Sets& sets) {
  faiss::IndexFlatIP index(static_cast<Id>(test.dim));
  index.add(static_cast<Id>(references.size() / test.dim), references.data());
  const Thresholds limits = calibrate(index, references);
  const Nearest found(index, test.values.data(), test.rows(), k);
  for (std::size_t row = 0; row < test.rows(); ++row) {
    sets.decide(row / test.patches, landmark, row % test.patches,
                score(&found.similarities[row * k]), limits);
  }
}

void use_threads(std::size_t threads) {
  omp_set_num_threads(static_cast<int>(threads));
  openblas_set_num_threads(static_cast<int>(threads));
}

std::vector<float> references_of(const Embeddings& labeled, const Matrix<std::int64_t>& labels,
                                 std::size_t landmark) {
  std::vector<float> rows;
  for (std::size_t i = 0; i < labeled.images; ++i) {
    const float* row = labeled.row(i, static_cast<std::size_t>(labels(i, landmark)));
    rows.insert(rows.end(), row, row + labeled.dim);
  }
  return rows;
}

}  // namespace

void run_faiss_w1(const std::string& folder, std::size_t threads, std::size_t landmarks,
                  const std::string& file) {
  const Embeddings labeled = read_embeddings(folder + "/embeddings.npy");
  const Embeddings test = read_embeddings(folder + "/test-embeddings.npy");
  const auto labels = read_labels(folder + "/labels.npy");
  const auto some = some_landmarks(labels.cols(), landmarks);
  use_threads(threads);
  Sets warm_up(test.images, 1, test.patches);
  evaluate(references_of(labeled, labels, 0), test, 0, warm_up);

  Sets sets(test.images, some.size(), test.patches);
  const Measured took = measure([&] {
    for (std::size_t t = 0; t < some.size(); ++t) {
      evaluate(references_of(labeled, labels, some[t]), test, t, sets);
    }
  });
  print("faiss", took, static_cast<double>(labels.cols()) / static_cast<double>(some.size()));
  if (!file.empty()) sets.write(file);
}

void run_faiss_w2(const std::string& folder, std::size_t threads, std::size_t references,
                  const std::string& file) {
  const Embeddings labeled = read_embeddings(folder + "/references.npy");
  const Embeddings test = read_embeddings(folder + "/queries.npy");
  std::vector<float> rows(labeled.row(0, 0), labeled.row(references, 0));
  use_threads(threads);
  Sets sets(test.images, 1, test.patches);
  {
    const Embeddings few{.values = {test.row(0, 0), test.row(1, 0)},
                         .images = 1,
                         .patches = test.patches,
                         .dim = test.dim};
    Sets warm_up(1, 1, test.patches);
    evaluate({labeled.row(0, 0), labeled.row(std::min<std::size_t>(references, 500), 0)}, few, 0,
             warm_up);
  }
  print("faiss", measure([&] { evaluate(rows, test, 0, sets); }));
  if (!file.empty()) sets.write(file);
}

}  // namespace caos::bench
