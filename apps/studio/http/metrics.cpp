#include "apps/studio/http/metrics.hpp"

#include <fmt/format.h>

namespace caos::studio::http {
namespace {

std::string header(const std::string& name, const std::string& help, const char* type) {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

const char* name_of(Metrics::Kind kind) {
  return kind == Metrics::Kind::counter ? "counter" : "gauge";
}

}  // namespace

void Metrics::answered(const std::string& method, const std::string& pattern, int status,
                       std::chrono::nanoseconds duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  const std::lock_guard lock(mutex_);
  ++requests_[{{method, pattern}, status}];
  Durations& durations = durations_[{method, pattern}];
  for (std::size_t i = 0; i < bounds.size(); ++i) durations.at_most[i] += seconds <= bounds[i];
  ++durations.count;
  durations.seconds += seconds;
}

void Metrics::add(Kind kind, std::string name, std::string help, std::function<double()> value) {
  figures_.push_back({kind, std::move(name), std::move(help), std::move(value)});
}

std::string Metrics::requests_text() const {
  std::string text = header("caos_http_requests_total", "Requests answered.", "counter");
  for (const auto& [key, count] : requests_) {
    text += fmt::format("caos_http_requests_total{{method=\"{}\",route=\"{}\",status=\"{}\"}} {}\n",
                        key.first.first, key.first.second, key.second, count);
  }
  return text;
}

std::string Metrics::durations_text() const {
  const std::string name = "caos_http_request_duration_seconds";
  std::string text = header(name, "From the head of a request to its answer.", "histogram");
  for (const auto& [route, durations] : durations_) {
    const std::string labels = fmt::format("method=\"{}\",route=\"{}\"", route.first, route.second);
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      text += fmt::format("{}_bucket{{{},le=\"{}\"}} {}\n", name, labels, bounds[i],
                          durations.at_most[i]);
    }
    text +=
        fmt::format("{0}_bucket{{{1},le=\"+Inf\"}} {2}\n{0}_sum{{{1}}} {3}\n{0}_count{{{1}}} {2}\n",
                    name, labels, durations.count, durations.seconds);
  }
  return text;
}

std::string Metrics::text() const {
  std::string text;
  for (const Figure& figure : figures_) {
    text += header(figure.name, figure.help, name_of(figure.kind));
    text += fmt::format("{} {}\n", figure.name, figure.value());
  }
  const std::lock_guard lock(mutex_);
  return text + requests_text() + durations_text();
}

}  // namespace caos::studio::http
