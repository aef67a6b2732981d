#pragma once

#include <cstddef>
#include <string>

namespace caos::bench {

/// W1 as a good programmer writes it on top of OpenBLAS, in float: every test patch is compared
/// with every distinct reference patch once, by one matrix product per image; each landmark picks
/// its references and keeps the three greatest in vector registers. Fast, but memberships depend on
/// how BLAS rounds. Writes the sets, if `sets` is given, and prints what it took.
void run_blas_w1(const std::string& folder, std::size_t threads, const std::string& sets);

}  // namespace caos::bench
