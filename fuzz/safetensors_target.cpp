#include <numeric>

#include "caos/error.hpp"
#include "caos/io/safetensors.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

FUZZ_TARGET(safetensors, input) {
  try {
    (void)io::SafetensorsFile(io::MappedFile::of_bytes(copy_of(input), "input.caos"));
  } catch (const Error&) {  // as it should: the checksum is wrong
  }
  const io::SafetensorsFile file(io::MappedFile::of_bytes(with_checksum(input), "input.caos"));
  for (const auto& [key, value] : file.metadata()) demand(key != "checksum", "it is not told");
  for (const char* name : {"a", "scores", "labels"}) {
    try {
      const auto values = file.f64(name);
      demand(std::accumulate(values.begin(), values.end(), 0.0) != 1e-300, "all can be read");
      (void)file.f32(name, 2);
      (void)file.i64(name);
    } catch (const Error&) {  // there may be another
    }
  }
}

}  // namespace
}  // namespace caos::fuzz
