// FAISS and OpenBLAS on the work of bench/peers, which runs this.
//
//   peers_bench versions
//   peers_bench faiss-w1 FOLDER THREADS LANDMARKS [SETS.npy]
//   peers_bench openblas-w1 FOLDER THREADS [SETS.npy]
//   peers_bench faiss-w2 FOLDER THREADS REFERENCES [SETS.npy]

#include <cblas.h>
#include <faiss/Index.h>
#include <fmt/format.h>

#include <exception>
#include <string>
#include <vector>

#include "bench/comparison/blas_peer.hpp"
#include "bench/comparison/faiss_peer.hpp"

namespace {

void print_versions() {
  fmt::print(R"({{"faiss": "{}.{}.{}", "openblas": "{}, {}"}})"
             "\n",
             FAISS_VERSION_MAJOR, FAISS_VERSION_MINOR, FAISS_VERSION_PATCH, openblas_get_config(),
             openblas_get_corename());
}

/// Whether the arguments make sense.
bool run(const std::vector<std::string>& arguments) {
  const std::string what = arguments.empty() ? "" : arguments[0];
  const auto at = [&](std::size_t i) { return i < arguments.size() ? arguments[i] : ""; };
  const std::size_t given = arguments.size();
  if (what == "versions") {
    print_versions();
  } else if (what == "faiss-w1" && given >= 4) {
    caos::bench::run_faiss_w1(at(1), std::stoul(at(2)), std::stoul(at(3)), at(4));
  } else if (what == "openblas-w1" && given >= 3) {
    caos::bench::run_blas_w1(at(1), std::stoul(at(2)), at(3));
  } else if (what == "faiss-w2" && given >= 4) {
    caos::bench::run_faiss_w2(at(1), std::stoul(at(2)), std::stoul(at(3)), at(4));
  } else {
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (run({argv + 1, argv + argc})) return 0;
    fmt::print(stderr, "usage: see the head of bench/comparison/peers_bench.cpp\n");
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "peers_bench: {}\n", error.what());
    return 1;
  }
}
