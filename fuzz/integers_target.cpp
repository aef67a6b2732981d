#include "caos/error.hpp"
#include "caos/io/arrays/integers.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

FUZZ_TARGET(integers, input) {
  if (text_of(input).starts_with("\x93NUMPY")) {
    const std::string path = file_of(input, "integers.npy");
    try {
      (void)io::read_integer_table(path, "inputs x tasks");
    } catch (const Error&) {  // it may be a column
    }
    (void)io::read_integers(path);
  } else {
    (void)io::read_integers(file_of(input, "integers.csv"));
  }
}

}  // namespace
}  // namespace caos::fuzz
