#include "caos/text/models/servers/http_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/support/expect_error.hpp"
#include "tests/text/models/servers/local_server.hpp"

namespace {

using caos::ErrorKind;
using caos::test::expect_error;
using caos::test::LocalServer;
using caos::test::reply;
using caos::test::reply_half;
using caos::text::HttpAnswer;
using caos::text::HttpClient;
using caos::text::HttpOptions;
using caos::text::parse_server_url;
using testing::HasSubstr;
using testing::Not;

void fine(const httplib::Request& request, httplib::Response& response) {
  reply(response, 200, "fine: " + request.body);
}

HttpOptions quick() { return {.timeout_seconds = 5, .retries = 3, .first_wait_seconds = 0.001}; }

HttpClient client(const LocalServer& server, HttpOptions options = quick()) {
  return {parse_server_url(server.url()), std::move(options)};
}

TEST(ServerUrl, IsReadWithItsPath) {
  const auto url = parse_server_url("https://host.example:8443/prefix/v1/");
  EXPECT_EQ(url.origin, "https://host.example:8443");
  EXPECT_EQ(url.path, "/prefix");
  EXPECT_TRUE(url.encrypted);
  EXPECT_FALSE(url.loopback);
  EXPECT_EQ(parse_server_url("http://localhost").text(), "http://localhost");
  EXPECT_EQ(parse_server_url("http://localhost/v1").text(), "http://localhost");
}

TEST(ServerUrl, KnowsThisMachine) {
  for (const char* url :
       {"http://localhost:1", "http://127.0.0.1", "http://127.1.2.3/a", "http://[::1]:8080"}) {
    EXPECT_TRUE(parse_server_url(url).loopback) << url;
  }
  for (const char* url : {"http://localhost.example", "http://127.example",
                          "http://127.0.0.1.example", "http://10.0.0.1", "http://[fe80::1]"}) {
    EXPECT_FALSE(parse_server_url(url).loopback) << url;
  }
}

TEST(ServerUrl, RefusesWhatIsNone) {
  for (const char* url : {"", "host:80", "ftp://host", "http://", "http://:80", "http://host:port",
                          "http://host:123456", "http://[::1", "http://ho st", "http://host/?a=b",
                          "http://host/#a", "http://h\xc3\xb6st"}) {
    expect_error([&] { (void)parse_server_url(url); }, ErrorKind::invalid_input, {"server:"});
  }
}

TEST(ServerUrl, RefusesAPasswordWithoutRepeatingIt) {
  try {
    (void)parse_server_url("http://me:secret@host");
    FAIL() << "a password was accepted";
  } catch (const caos::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("password"));
    EXPECT_THAT(error.what(), Not(HasSubstr("secret")));
  }
}

TEST(HttpClient, SendsAndReceives) {
  LocalServer server(fine);
  const HttpClient http(parse_server_url(server.url() + "/prefix"), quick());
  const HttpAnswer answer = http.post("/path", "{}");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "fine: {}");
  EXPECT_EQ(http.get("/other").body, "fine: ");
  EXPECT_EQ(server.seen().at(0).path, "/prefix/path");
  EXPECT_EQ(server.seen().at(1).method, "GET");
  EXPECT_EQ(server.seen().at(1).authorization, "");
}

TEST(HttpClient, TriesAgainAfterFailuresOfTheServer) {
  LocalServer server(fine);
  for (const int status : {429, 500, 502, 503}) {
    server.disturb([&](std::size_t number, const auto&, auto& response) {
      reply(response, status, "busy");
      return number < 3;
    });
    EXPECT_EQ(client(server).post("/", "x").body, "fine: x");
  }
}

TEST(HttpClient, GivesUpWhenRetriesRunOut) {
  LocalServer server([](const auto&, auto& response) { reply(response, 500, "on fire\x01\n"); });
  expect_error([&] { (void)client(server).post("/path", "x"); }, ErrorKind::backend,
               {server.url() + "/path", "500", "on fire", "4 attempts"});
  EXPECT_EQ(server.seen().size(), 4U);
}

TEST(HttpClient, AsksOnceForWhatAServerCannotDo) {
  LocalServer server([](const auto&, auto& response) { reply(response, 501, "not supported"); });
  EXPECT_EQ(client(server).post("/path", "x").status, 501);
  EXPECT_EQ(server.seen().size(), 1U);
}

TEST(HttpClient, WaitsAsLongAsTheServerAsks) {
  LocalServer server(fine);
  server.disturb([](std::size_t number, const auto&, auto& response) {
    response.set_header("Retry-After", "0.2");
    reply(response, 429, "slowly");
    return number < 1;
  });
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(client(server).post("/", "x").status, 200);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(200));
}

TEST(HttpClient, DoesNotWaitForDays) {
  LocalServer server(fine);
  server.disturb([](std::size_t number, const auto&, auto& response) {
    response.set_header("Retry-After", number == 0 ? "1000000" : "inf");
    reply(response, 429, "slowly");
    return number < 2;
  });
  HttpOptions options = quick();
  options.longest_wait_seconds = 0.01;
  EXPECT_EQ(client(server, options).post("/", "x").status, 200);
}

TEST(HttpClient, TriesAgainAfterATimeOut) {
  LocalServer server(fine);
  server.disturb([&](std::size_t number, const auto&, auto&) {
    if (number == 0) server.hang();
    return false;
  });
  HttpOptions options = quick();
  options.timeout_seconds = 1;  // for the second answer, too, on a busy machine
  EXPECT_EQ(client(server, options).post("/", "x").body, "fine: x");
  EXPECT_EQ(server.seen().size(), 2U);
}

TEST(HttpClient, SaysThatThereWasNoAnswerInTime) {
  LocalServer server([](const auto&, auto&) {});
  server.disturb([&](std::size_t, const auto&, auto&) {
    server.hang();
    return true;
  });
  const HttpOptions options = {.timeout_seconds = 0.1, .retries = 0};
  expect_error([&] { (void)client(server, options).get("/"); }, ErrorKind::backend,
               {server.url(), "0.1 s"});
}

TEST(HttpClient, DoesNotWaitForAnAnswerThatDrips) {
  LocalServer server([](const auto&, auto& response) {
    response.set_chunked_content_provider("text/plain", [](std::size_t, httplib::DataSink& sink) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return sink.write("drip", 4);
    });
  });
  const HttpOptions options = {.timeout_seconds = 0.2, .retries = 0};
  expect_error([&] { (void)client(server, options).get("/"); }, ErrorKind::backend, {"0.2 s"});
}

TEST(HttpClient, TriesAgainAfterAConnectionThatBreaksOff) {
  LocalServer server(fine);
  server.disturb([](std::size_t number, const auto&, auto& response) {
    if (number < 2) reply_half(response, std::string(100, 'x'));
    return number < 2;
  });
  EXPECT_EQ(client(server).post("/", "x").body, "fine: x");
  server.disturb([](std::size_t, const auto&, auto& response) {
    reply_half(response, std::string(100, 'x'));
    return true;
  });
  expect_error([&] { (void)client(server).post("/", "x"); }, ErrorKind::backend,
               {server.url(), "lost", "4 attempts"});
}

TEST(HttpClient, RefusesAnAnswerWithoutMeasureAtOnce) {
  LocalServer server([](const auto&, auto& r) { reply(r, 200, std::string(5000, 'x')); });
  HttpOptions options = quick();
  options.largest_answer = 4999;
  expect_error([&] { (void)client(server, options).get("/"); }, ErrorKind::backend, {"4999 bytes"});
  EXPECT_EQ(server.seen().size(), 1U);
  options.largest_answer = 5000;
  EXPECT_EQ(client(server, options).get("/").body.size(), 5000U);
}

TEST(HttpClient, HandsOutRefusalsAtOnce) {
  LocalServer server([](const auto&, auto& response) { reply(response, 404, "nothing here"); });
  const HttpAnswer answer = client(server).get("/");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(answer.body, "nothing here");
  EXPECT_EQ(server.seen().size(), 1U);
}

TEST(HttpClient, FollowsNoRedirect) {
  LocalServer other(fine);
  LocalServer server([&](const auto&, auto& response) { response.set_redirect(other.url()); });
  HttpOptions options = quick();
  options.key = "secret";
  EXPECT_EQ(client(server, options).get("/").status, 302);
  EXPECT_TRUE(other.seen().empty());
}

TEST(HttpClient, SendsItsKeyAndNeverQuotesIt) {
  LocalServer server([](const auto&, auto& r) { reply(r, 500, "the key secret-1 is wrong"); });
  HttpOptions options = quick();
  options.key = "secret-1";
  options.retries = 0;
  const HttpClient http = client(server, options);
  try {
    (void)http.get("/");
    FAIL() << "no error";
  } catch (const caos::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the key (key) is wrong"));
    EXPECT_THAT(error.what(), Not(HasSubstr("secret")));
  }
  EXPECT_EQ(server.seen().at(0).authorization, "Bearer secret-1");
  EXPECT_EQ(http.quoted("secret-1secret-1").find("secret"), std::string::npos);
  EXPECT_LT(http.quoted(std::string(100000, 'x')).size(), 400U);
}

TEST(HttpClient, SendsNoKeyInTheClearToOtherMachines) {
  expect_error([] { HttpClient(parse_server_url("http://host.example"), {.key = "secret"}); },
               ErrorKind::invalid_input, {"http://host.example", "unencrypted", "https://"});
  HttpClient(parse_server_url("https://host.example"), {.key = "secret"});
  HttpClient(parse_server_url("http://host.example"), {});
}

TEST(HttpClient, RefusesAKeyThatWouldBreakTheRequest) {
  expect_error([] { HttpClient(parse_server_url("http://localhost"), {.key = "a\r\nb"}); },
               ErrorKind::invalid_input, {"key"});
}

TEST(HttpClient, SaysAtOnceThatNoServerListens) {
  std::string url;
  { url = LocalServer(fine).url(); }
  const HttpOptions options = {.retries = 20, .first_wait_seconds = 60};
  expect_error([&] { (void)HttpClient(parse_server_url(url), options).get("/"); },
               ErrorKind::backend, {url, "no connection"});
}

TEST(HttpClient, HasNoMoreRequestsUnderWayThanAllowed) {
  LocalServer server(fine);
  // Each waits for a third one: a client that sends more would be seen.
  server.disturb([&](std::size_t number, const auto&, auto&) {
    if (number < 2) server.wait_for(3);
    return false;
  });
  HttpOptions options = quick();
  options.concurrency = 2;
  const HttpClient http = client(server, options);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 6; ++t) threads.emplace_back([&] { (void)http.post("/", "x"); });
  }
  EXPECT_EQ(server.seen().size(), 6U);
  EXPECT_EQ(server.most_at_once(), 2U);
}

TEST(HttpClient, RefusesOptionsThatAllowNothing) {
  const auto url = parse_server_url("http://localhost");
  expect_error([&] { HttpClient(url, {.timeout_seconds = 0}); }, ErrorKind::invalid_input,
               {"timeout"});
  expect_error([&] { HttpClient(url, {.concurrency = 0}); }, ErrorKind::invalid_input,
               {"one request"});
}

}  // namespace
