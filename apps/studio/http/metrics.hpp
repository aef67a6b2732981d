#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace caos::studio::http {

/// Figures about the server, as Prometheus reads them. Safe to use from several threads.
class Metrics {
 public:
  enum class Kind { counter, gauge };

  /// A request to a route, or to none ("other"), was answered.
  void answered(const std::string& method, const std::string& pattern, int status,
                std::chrono::nanoseconds duration);

  /// Adds a figure that is read at every request of the metrics. Only before the server runs.
  void add(Kind kind, std::string name, std::string help, std::function<double()> value);

  [[nodiscard]] std::string text() const;

 private:
  static constexpr std::array<double, 10> bounds{0.001, 0.0025, 0.005, 0.01, 0.025,
                                                 0.05,  0.1,    0.25,  1,    5};

  struct Durations {
    std::array<std::uint64_t, bounds.size()> at_most{};
    std::uint64_t count = 0;
    double seconds = 0;
  };

  struct Figure {
    Kind kind;
    std::string name;
    std::string help;
    std::function<double()> value;
  };

  using Route = std::pair<std::string, std::string>;

  [[nodiscard]] std::string requests_text() const;
  [[nodiscard]] std::string durations_text() const;

  mutable std::mutex mutex_{};
  std::map<std::pair<Route, int>, std::uint64_t> requests_{};
  std::map<Route, Durations> durations_{};
  std::vector<Figure> figures_{};
};

}  // namespace caos::studio::http
