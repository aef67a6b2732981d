#pragma once

#include <fmt/format.h>
#include <time.h>

#include <chrono>
#include <string>

namespace caos::bench {

/// What a piece of work took.
struct Measured {
  double cpu_seconds = 0;  ///< of all threads, which other programs on the machine do not change
  double wall_seconds = 0;
};

inline double process_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <typename Work>
Measured measure(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  const double cpu = process_seconds();
  work();
  return {.cpu_seconds = process_seconds() - cpu,
          .wall_seconds =
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

/// One line of JSON for bench/peers. `scale` is how many times the measured part the whole work is.
inline void print(const std::string& name, const Measured& measured, double scale = 1) {
  fmt::print(R"({{"name": "{}", "cpu_seconds": {:.6f}, "wall_seconds": {:.6f}, "scale": {:.6f}}})"
             "\n",
             name, measured.cpu_seconds, measured.wall_seconds, scale);
}

}  // namespace caos::bench
