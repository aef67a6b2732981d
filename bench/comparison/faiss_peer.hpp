#pragma once

#include <cstddef>
#include <string>

namespace caos::bench {

/// W1 with an IndexFlatIP for each landmark, on `landmarks` of them. Writes their sets, if `sets`
/// is given, and prints what it took.
void run_faiss_w1(const std::string& folder, std::size_t threads, std::size_t landmarks,
                  const std::string& sets);

/// W2 with one IndexFlatIP of the first `references` references.
void run_faiss_w2(const std::string& folder, std::size_t threads, std::size_t references,
                  const std::string& sets);

}  // namespace caos::bench
