#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/studio/http/events.hpp"
#include "apps/studio/http/metrics.hpp"
#include "apps/studio/http/route.hpp"
#include "apps/studio/pictures/pictures.hpp"
#include "apps/studio/store/store.hpp"
#include "apps/studio/workbench/workbench.hpp"

namespace caos::studio {

/// What has been done since the start.
struct Counters {
  std::atomic<std::uint64_t> changes = 0;  ///< of annotations that were stored
  std::atomic<std::uint64_t> conflicts = 0;
  std::atomic<std::uint64_t> images = 0;  ///< that were stored
};

/// What routes work on.
struct Api {
  Store& store;
  Workbench& workbench;
  Pictures& pictures;
  http::Events& events;
  http::Metrics& metrics;
  Counters& counters;
  std::string backbone{};      ///< of new projects
  std::string working_size{};  ///< of new projects
  bool has_login = false;

  /// To be called when something of a project has changed in the store: tells the workbench and all
  /// who look.
  void changed(const Event& event) const;
  /// The same where only one image came, went or changed.
  void image_changed(const Event& event) const;
};

/// Hands an event to all who look at its project.
void publish(http::Events& events, const Event& event);

/// The API, by topic. `api` must outlive the routes.
[[nodiscard]] std::vector<http::Route> server_routes(const Api& api);
[[nodiscard]] std::vector<http::Route> project_routes(const Api& api);
[[nodiscard]] std::vector<http::Route> scheme_routes(const Api& api);
[[nodiscard]] std::vector<http::Route> image_routes(const Api& api);
[[nodiscard]] std::vector<http::Route> picture_routes(const Api& api);
[[nodiscard]] std::vector<http::Route> annotation_routes(const Api& api);
[[nodiscard]] std::vector<http::Route> region_routes(const Api& api);
[[nodiscard]] std::vector<http::Route> audit_routes(const Api& api);
[[nodiscard]] std::vector<http::Route> acceptance_routes(const Api& api);
[[nodiscard]] std::vector<http::Route> measure_routes(const Api& api);
[[nodiscard]] std::vector<http::Route> grid_routes(const Api& api);
[[nodiscard]] std::vector<http::Route> exchange_routes(const Api& api);
/// The page and what it loads.
[[nodiscard]] std::vector<http::Route> page_routes();

/// All of them.
[[nodiscard]] std::vector<http::Route> api_routes(const Api& api);

}  // namespace caos::studio
