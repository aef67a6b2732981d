#include <cstdio>
#include <exception>

#include "tests/text/encoders/tiny_encoder.hpp"

/// tiny_encoder DIR: writes an encoder for tests of the program.
int main(int count, char** values) {
  try {
    if (count != 2) throw std::runtime_error("DIR");
    caos::test::TinyEncoder{}.write(values[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tiny_encoder: %s\n", error.what());
    return 2;
  }
  return 0;
}
