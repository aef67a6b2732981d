#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/text/models/servers/model_server.hpp"
#include "tests/text/models/servers/server_question.hpp"

// A completions server behind TLS, with certificates that the openssl program makes.

namespace {

using caos::ErrorKind;
using caos::test::CompletionsTestServer;
using caos::test::expect_error;
using caos::test::expect_scores;
using caos::test::open_server;
using caos::test::quick_options;
using caos::test::server_question;
using caos::test::server_reference;
using caos::test::server_texts;
using caos::test::TempDir;
using caos::test::TlsFiles;
using caos::text::make_server_model;

constexpr const char* new_key =
    "openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes ";

/// A private certificate authority, as a lab has for its servers.
class Authority {
 public:
  explicit Authority(const std::string& name) {
    run(new_key + std::string("-x509 -days 2 -subj '/CN=") + name +
        "' -keyout authority.key -out authority.pem");
  }

  [[nodiscard]] std::string certificate() const { return folder_ / "authority.pem"; }

  [[nodiscard]] TlsFiles files_for(const std::string& host) const {
    run(new_key + std::string("-subj '/CN=") + host + "' -keyout key.pem -out request.pem");
    (void)folder_.write("names", "subjectAltName=DNS:" + host + "\n");
    run("openssl x509 -req -days 2 -in request.pem -CA authority.pem -CAkey authority.key "
        "-CAcreateserial -extfile names -out certificate.pem");
    return {.certificate = folder_ / "certificate.pem", .key = folder_ / "key.pem"};
  }

 private:
  void run(const std::string& command) const {
    const std::string all = "cd '" + folder_ / "." + "' && " + command + " 2>openssl.log";
    ASSERT_EQ(std::system(all.c_str()), 0) << command << "\n" << folder_.read("openssl.log");
  }

  TempDir folder_;
};

/// The certificates that are trusted, as users name them; until the end of a test.
class Trusting {
 public:
  explicit Trusting(const std::string& certificate) {
    ::setenv("SSL_CERT_FILE", certificate.c_str(), 1);
    ::setenv("SSL_CERT_DIR", "/nowhere", 1);
  }
  Trusting(const Trusting&) = delete;
  Trusting& operator=(const Trusting&) = delete;
  ~Trusting() {
    ::unsetenv("SSL_CERT_FILE");
    ::unsetenv("SSL_CERT_DIR");
  }
};

class EncryptedServer : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("openssl version >/dev/null 2>&1") != 0) {
      GTEST_SKIP() << "the program openssl is missing (Debian: apt install openssl)";
    }
  }
};

TEST_F(EncryptedServer, IsAskedWhereItsAuthorityIsTrusted) {
  const Authority authority("our own");
  CompletionsTestServer server({.key = "secret", .tls = authority.files_for("localhost")});
  const TempDir folder;
  auto options = quick_options();
  options.key_file = folder.write("key", "secret\n");
  const Trusting trusting(authority.certificate());
  const auto model = open_server(server, options);
  EXPECT_THAT(model->description(), testing::HasSubstr("https://localhost:"));
  expect_scores(server.model(), model->score(server_reference, server_texts));
}

TEST_F(EncryptedServer, IsRefusedWhereItsAuthorityIsNotTrusted) {
  const Authority authority("our own");
  const Authority other("another");
  CompletionsTestServer server({.tls = authority.files_for("localhost")});
  const auto expect_refused = [&] {
    expect_error([&] { (void)open_server(server); }, ErrorKind::backend,
                 {server.local().url(), "certificate cannot be verified", "SSL_CERT_FILE"});
  };
  expect_refused();
  const Trusting trusting(other.certificate());
  expect_refused();
  EXPECT_TRUE(server.local().seen().empty());
}

TEST_F(EncryptedServer, IsRefusedForAnotherHost) {
  const Authority authority("our own");
  const Trusting trusting(authority.certificate());
  CompletionsTestServer elsewhere({.tls = authority.files_for("elsewhere.example")});
  expect_error([&] { (void)open_server(elsewhere); }, ErrorKind::backend, {"is for another host"});
  CompletionsTestServer by_name({.tls = authority.files_for("localhost")});
  const std::string by_number = "https://127.0.0.1:" + std::to_string(by_name.local().port());
  expect_error([&] { (void)make_server_model(by_number, server_question(), quick_options()); },
               ErrorKind::backend, {by_number, "is for another host"});
  EXPECT_TRUE(elsewhere.local().seen().empty());
  EXPECT_TRUE(by_name.local().seen().empty());
}

}  // namespace
