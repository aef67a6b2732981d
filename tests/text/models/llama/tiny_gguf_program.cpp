#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/text/models/llama/tiny_gguf.hpp"

/// tiny_gguf FILE [--seed S] [--context N]: writes a model for tests of the program.
int main(int count, char** values) {
  const std::vector<std::string> arguments(values + 1, values + count);
  try {
    caos::test::TinyGguf model;
    if (arguments.size() % 2 == 0) throw std::runtime_error("FILE [--seed S] [--context N]");
    for (std::size_t i = 1; i < arguments.size(); i += 2) {
      const std::uint64_t value = std::stoull(arguments[i + 1]);
      if (arguments[i] == "--seed") {
        model.seed = value;
      } else if (arguments[i] == "--context") {
        model.context = value;
      } else {
        throw std::runtime_error("unknown option " + arguments[i]);
      }
    }
    caos::test::write_tiny_gguf(arguments[0], model);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tiny_gguf: %s\n", error.what());
    return 2;
  }
  return 0;
}
