// Without libFuzzer: runs the inputs that standard input gives, each as its size (8 bytes, the
// lowest first) and its bytes. Prints a dot before each, so that the caller knows which one failed.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string>

#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr unsigned most_seconds = 60;

std::string read_all(std::FILE* file) {
  std::string all;
  char block[1 << 16];
  while (const std::size_t size = std::fread(block, 1, std::size(block), file)) {
    all.append(block, size);
  }
  return all;
}

std::size_t size_at(const std::string& text, std::size_t at) {
  std::size_t size = 0;
  for (std::size_t i = 8; i > 0; --i) {
    size = size << 8U | static_cast<unsigned char>(text[at + i - 1]);
  }
  return size;
}

/// A copy of its own, so that reading past its end is more likely to be seen.
void run(std::string input) {
  input.shrink_to_fit();
  ::alarm(most_seconds);
  caos::fuzz::demand(::write(STDOUT_FILENO, ".", 1) == 1, "standard output is open");
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int count, char** arguments) {
  LLVMFuzzerInitialize(&count, &arguments);
  const std::string inputs = read_all(stdin);
  for (std::size_t at = 0; at + 8 <= inputs.size();) {
    const std::size_t size = size_at(inputs, at);
    run(inputs.substr(at + 8, size));
    at += 8 + size;
  }
}
