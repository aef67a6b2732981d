#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/studio/http/server.hpp"
#include "apps/studio/routes/api.hpp"

namespace caos::assets {
extern const std::string_view openapi_json;
}

namespace caos::studio {
namespace {

using Calls = std::set<std::string>;

Calls described() {
  Calls calls;
  const auto description = nlohmann::json::parse(assets::openapi_json);
  for (const auto& [path, operations] : description.at("paths").items()) {
    for (const auto& [method, operation] : operations.items()) {
      std::string name = method;
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
      calls.insert(name + " " + path);
    }
  }
  return calls;
}

/// The routes of a real studio, without clients.
Calls served(const std::string& folder) {
  Store store(folder);
  Pictures pictures(store, folder + "/cache/previews");
  http::Events events(1);
  http::Metrics metrics;
  Counters counters;
  Workbench workbench(store, {}, [](const Event&) {});
  const Api api{store, workbench, pictures, events, metrics, counters};
  const http::Server server({.port = 0}, events, metrics);
  Calls calls;
  for (const auto& routes : {api_routes(api), server.routes()}) {
    for (const http::Route& route : routes) {
      EXPECT_TRUE(calls.insert(route.method + " " + route.pattern).second) << route.pattern;
    }
  }
  return calls;
}

TEST(Routes, AreThoseOfTheDescriptionAndNoOthers) {
  const std::string folder = testing::TempDir() + "caos-routes";
  EXPECT_EQ(served(folder), described());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace caos::studio
