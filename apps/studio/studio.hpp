#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "apps/studio/http/server.hpp"
#include "apps/studio/workbench/workbench.hpp"

namespace caos::studio {

struct StudioOptions {
  std::string folder{};  ///< where everything is kept
  bool demo = false;     ///< a folder without projects gets one to try things out
  http::ServerOptions server{};
  WorkbenchOptions workbench{};
};

/// The studio at work: what it keeps, what it computes, and the server through which people see it.
class Studio {
 public:
  /// Opens the folder and serves from then on.
  explicit Studio(const StudioOptions& options);
  /// Stops.
  ~Studio();

  /// What to open in a browser on this machine.
  [[nodiscard]] std::string url() const;
  [[nodiscard]] bool has_token() const;

  /// Finishes the requests that are running and takes no more.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Says whether the page is part of this program.
[[nodiscard]] std::string page_description();

}  // namespace caos::studio
