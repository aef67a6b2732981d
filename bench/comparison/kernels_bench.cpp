// What the machine can do, and what the kernels do of it. bench/peers runs it.
//
//   kernels_bench FOLDER TRIES
//
// Prints one line of JSON for each: "int16_peak" and "vnni_peak" with the instructions, and
// "similarity", the comparison of W1's test patches with its distinct reference patches by the
// library's kernel alone, on one thread.

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "bench/comparison/int16_peak.hpp"
#include "bench/comparison/measured.hpp"
#include "bench/comparison/workload.hpp"
#include "caos/kernels/dispatch.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/scorers/coarse_similarities.hpp"

namespace caos::bench {
namespace {

/// One line for bench/peers.
void print_speed(const std::string& name, std::string_view instructions, double speed) {
  fmt::print(R"({{"name": "{}", "instructions": "{}", "multiply_adds_per_second": {:.6e}}})"
             "\n",
             name, instructions, speed);
}

Matrix<float> distinct_references(const std::string& folder) {
  const Embeddings embeddings = read_embeddings(folder + "/embeddings.npy");
  LabeledPatches labeled{.labels = read_labels(folder + "/labels.npy")};
  for (std::size_t i = 0; i < embeddings.images; ++i) {
    labeled.images.emplace_back(embeddings.patches, embeddings.dim);
    std::copy(embeddings.row(i, 0), embeddings.row(i + 1, 0), labeled.images[i].view().data());
  }
  labeled.tasks.resize(labeled.num_tasks());
  return reference_patches(labeled).patches;
}

/// Some of W1's images against all its references. The kernel under test is called here and nowhere
/// else.
double similarity_speed(const Matrix<float>& references, const Embeddings& test,
                        std::size_t images) {
  const CoarseReferences coarse(CoarseRows(references.view()));
  const std::size_t batch = CoarseSimilarities::batch_size(coarse);
  const std::size_t queries = images * test.patches / batch * batch;  // whole groups
  const CoarseRows rows(MatrixView<const float>(test.row(0, 0), queries, test.dim));
  CoarseSimilarities similarities;
  const auto compare = [&](std::size_t first) { similarities.compare(rows, first, batch, coarse); };
  compare(0);  // makes the memory
  const Measured took = measure([&] {
    for (std::size_t first = 0; first < queries; first += batch) compare(first);
  });
  const double products =
      static_cast<double>(queries * references.rows()) * static_cast<double>(test.dim);
  return products / took.cpu_seconds;
}

void keep_faster(Int16Peak& best, const Int16Peak& other) {
  if (other.multiply_adds_per_second > best.multiply_adds_per_second) best = other;
}

void run(const std::string& folder, int tries) {
  const Matrix<float> references = distinct_references(folder);
  const Embeddings test = read_embeddings(folder + "/test-embeddings.npy");
  const std::size_t images = std::min<std::size_t>(10, test.images);
  double kernel = 0;
  Int16Peak highway;
  Int16Peak vnni;
  // In turn, so that all see the same machine.
  for (int i = 0; i < tries; ++i) {
    kernel = std::max(kernel, similarity_speed(references, test, images));
    keep_faster(highway, highway_peak());
    keep_faster(vnni, vnni_peak());
  }
  print_speed("int16_peak", highway.instructions, highway.multiply_adds_per_second);
  print_speed("vnni_peak", vnni.instructions, vnni.multiply_adds_per_second);
  print_speed("similarity", kernels::instruction_set(), kernel);
}

}  // namespace
}  // namespace caos::bench

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: kernels_bench FOLDER TRIES\n");
    return 2;
  }
  try {
    caos::bench::run(argv[1], std::stoi(argv[2]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "kernels_bench: {}\n", error.what());
    return 1;
  }
}
