#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <atomic>
#include <chrono>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "apps/studio/http/events.hpp"
#include "apps/studio/http/metrics.hpp"
#include "apps/studio/http/server.hpp"

namespace caos::studio::http {
namespace {

constexpr std::size_t long_size = 1 << 20;

/// A body of which the second half cannot be read.
Answer half_answer() {
  const auto read = [](std::size_t offset, std::span<std::byte> out) {
    if (offset >= long_size / 2) throw std::runtime_error("the disk is gone");
    return out.size();
  };
  return {.content_type = "application/octet-stream",
          .long_body = LongBody{.size = long_size, .read = read}};
}

class HttpServer : public testing::Test {
 protected:
  HttpServer() {
    server_.start({
        {.method = "GET",
         .pattern = "/half",
         .handler = [](const Request&) { return half_answer(); }},
        {.method = "GET",
         .pattern = "/memory",
         .handler = [](const Request&) -> Answer { throw std::bad_alloc(); }},
        {.method = "GET",
         .pattern = "/events",
         .handler =
             [this](const Request&) {
               auto listening = events_.subscribe(0);
               return listening ? Answer{.events = std::move(listening)} : json_answer("{}", 503);
             }},
        {.method = "GET",
         .pattern = "/well",
         .handler = [](const Request&) { return json_answer("{}"); }},
    });
  }

  [[nodiscard]] httplib::Result get(const std::string& path) const {
    httplib::Client client("127.0.0.1", server_.port());
    client.set_read_timeout(time_);
    return client.Get(path);
  }

  std::chrono::milliseconds time_{30000};
  Events events_{1};
  Metrics metrics_{};
  Server server_{{.port = 0}, events_, metrics_};
};

TEST_F(HttpServer, GoesOnWhenALongAnswerCannotBeReadToItsEnd) {
  EXPECT_FALSE(get("/half")) << "less was sent than announced, so it is not an answer";
  const auto well = get("/well");
  ASSERT_TRUE(well);
  EXPECT_EQ(well->status, 200);
}

TEST_F(HttpServer, SaysThatItIsOutOfMemoryAndGoesOn) {
  const auto memory = get("/memory");
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->status, 500);
  EXPECT_THAT(memory->body, testing::HasSubstr("out of memory"));
  EXPECT_TRUE(get("/well"));
}

TEST_F(HttpServer, StopsWhileManyAskAndListen) {
  std::atomic<int> num_answered = 0;
  std::vector<std::jthread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&](const std::stop_token& stop) {
      httplib::Client client("127.0.0.1", server_.port());
      client.set_read_timeout(std::chrono::milliseconds(500));  // no answer comes in the end
      client.set_keep_alive(true);
      while (!stop.stop_requested()) {
        if (client.Get("/well")) ++num_answered;
      }
    });
  }
  // Of two clients that ask for events, one is refused.
  for (int i = 0; i < 2; ++i) {
    clients.emplace_back([&] { (void)get("/events"); });
  }
  while (num_answered < 200) {
    events_.publish(1, "news", std::to_string(num_answered.load()));
    EXPECT_TRUE(get("/well"));
  }
  server_.stop();
  for (std::jthread& client : clients) client.request_stop();
  EXPECT_GE(num_answered, 200);
}

TEST_F(HttpServer, StopsTwiceAsOnce) {
  EXPECT_TRUE(get("/well"));
  server_.stop();
  server_.stop();
  time_ = std::chrono::milliseconds(100);
  EXPECT_FALSE(get("/well"));
}

}  // namespace
}  // namespace caos::studio::http
