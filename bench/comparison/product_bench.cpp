// The library on the work of bench/peers, where the program has no command for it. bench/peers runs
// it.
//
//   product_bench w1 FOLDER THREADS METHOD,... LARGEST-K-OF-ABLATION [SCORE]
//   product_bench w2 FOLDER THREADS REFERENCES [SETS.npy]
//
// w1 reads its arrays one after the other, and that is part of what it takes; w2
// measures like peers_bench, with everything in memory.

#include <fmt/format.h>
#include <malloc.h>

#include <exception>
#include <sstream>
#include <string>
#include <vector>

#include "bench/comparison/measured.hpp"
#include "bench/comparison/workload.hpp"
#include "caos/io/arrays/embedding_file.hpp"
#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/method.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "caos/split.hpp"

namespace caos::bench {
namespace {

std::vector<Method> parse_methods(const std::string& names) {
  std::vector<Method> methods;
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) methods.push_back(parse_method(name));
  return methods;
}

LandmarkEvaluateOptions options(std::vector<Method> methods, std::size_t threads) {
  LandmarkEvaluateOptions what;
  what.methods = std::move(methods);
  for (const char* alpha : alphas) what.alphas.push_back(Miscoverage::parse(alpha));
  what.k = k;
  what.threads = threads;
  return what;
}

std::vector<std::string> names(std::size_t landmarks) {
  std::vector<std::string> result;
  for (std::size_t t = 0; t < landmarks; ++t) result.push_back(std::to_string(t));
  return result;
}

void run_w1(const std::string& folder, LandmarkEvaluateOptions what, std::size_t largest_k) {
  const Measured took = measure([&] {
    const auto labeled_file = io::EmbeddingFile::open(folder + "/embeddings.npy");
    const auto test_file = io::EmbeddingFile::open(folder + "/test-embeddings.npy");
    const auto unit_image = [](const io::EmbeddingFile& file, std::size_t i) {
      return unit_rows(file.image(i).view(), file.name());
    };
    LabeledPatches labeled{.labels = read_labels(folder + "/labels.npy")};
    for (std::size_t i = 0; i < labeled_file.num_images(); ++i) {
      labeled.images.push_back(unit_image(labeled_file, i));
    }
    labeled.tasks = names(labeled.num_tasks());
    const TestPatches test{.image = [&](std::size_t x) { return unit_image(test_file, x); },
                           .labels = read_labels(folder + "/test-labels.npy")};
    for (std::size_t other = 1; other <= largest_k; ++other) what.ablation_ks.push_back(other);
    what.partition = split::halve(labeled.size(), 0);
    (void)evaluate_landmarks(labeled, test, what);
  });
  print("product", took);
}

Matrix<float> image_of(const Embeddings& embeddings, std::size_t i) {
  Matrix<float> image(embeddings.patches, embeddings.dim);
  std::copy(embeddings.row(i, 0), embeddings.row(i + 1, 0), image.view().data());
  return image;
}

void write_sets(const LandmarkEvaluation& evaluation, std::size_t patches,
                const std::string& file) {
  Sets sets(evaluation.sets.at(0).size(), 1, patches);
  for (std::size_t a = 0; a < alphas.size(); ++a) {
    for (std::size_t x = 0; x < evaluation.sets[a].size(); ++x) {
      for (const Label y : evaluation.sets[a][x].at(0)) sets.insert(a, x, 0, y);
    }
  }
  sets.write(file);
}

/// One landmark, whose labeled images have no other patch.
void run_w2(const std::string& folder, LandmarkEvaluateOptions what, std::size_t references,
            const std::string& file) {
  const Embeddings rows = read_embeddings(folder + "/references.npy");
  const Embeddings queries = read_embeddings(folder + "/queries.npy");
  LabeledPatches labeled{.labels = Matrix<std::int64_t>(references, 1), .tasks = names(1)};
  for (std::size_t i = 0; i < references; ++i) labeled.images.push_back(image_of(rows, i));
  const TestPatches test{.image = [&](std::size_t x) { return image_of(queries, x); },
                         .labels = Matrix<std::int64_t>(queries.images, 1)};
  what.keep_sets = Method::caos;
  LandmarkEvaluation evaluation;
  print("product", measure([&] { evaluation = evaluate_landmarks(labeled, test, what); }));
  if (!file.empty()) write_sets(evaluation, queries.patches, file);
}

/// Whether the arguments make sense.
bool run(const std::vector<std::string>& arguments) {
  const std::string what = arguments.empty() ? "" : arguments[0];
  if (what == "w1" && (arguments.size() == 5 || arguments.size() == 6)) {
    LandmarkEvaluateOptions how = options(parse_methods(arguments[3]), std::stoul(arguments[2]));
    if (arguments.size() == 6) how.score = parse_patch_score(arguments[5]);
    run_w1(arguments[1], how, std::stoul(arguments[4]));
  } else if (what == "w2" && (arguments.size() == 4 || arguments.size() == 5)) {
    run_w2(arguments[1], options({Method::caos}, std::stoul(arguments[2])),
           std::stoul(arguments[3]), arguments.size() == 5 ? arguments[4] : "");
  } else {
    return false;
  }
  return true;
}

}  // namespace
}  // namespace caos::bench

int main(int argc, char** argv) {
  // As the program does (apps/cli/main.cpp).
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  try {
    if (caos::bench::run({argv + 1, argv + argc})) return 0;
    fmt::print(stderr, "usage: see the head of bench/comparison/product_bench.cpp\n");
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "product_bench: {}\n", error.what());
    return 1;
  }
}
