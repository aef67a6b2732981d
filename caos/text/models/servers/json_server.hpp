#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "caos/text/models/servers/http_client.hpp"

// For the models behind HTTP; not for users of the library.
namespace caos::text {

using Json = nlohmann::json;

/// What a server said.
struct JsonAnswer {
  int status = 0;
  Json body{};         ///< null if the answer is not JSON
  std::string said{};  ///< what a failure is about, in the server's words; one printable line

  [[nodiscard]] bool ok() const { return status >= 200 && status < 300; }
};

/// Thrown by those who read answers, besides Json::exception: something in one cannot be.
class WrongAnswer : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A server that takes and gives JSON. Safe to use from several threads.
class JsonServer {
 public:
  explicit JsonServer(HttpClient client) : client_(std::move(client)) {}

  [[nodiscard]] std::string url() const { return client_.url(); }

  /// Whatever the server answers, unless it refuses the key: that is an Error backend at once.
  [[nodiscard]] JsonAnswer get(const std::string& path) const;
  [[nodiscard]] JsonAnswer ask(const std::string& path, const Json& body) const;

  /// The body of a good answer. Anything else is an Error backend with what the server said.
  [[nodiscard]] Json post(const std::string& path, const Json& body) const;

  /// What `read` makes of an answer. Where it throws Json::exception or WrongAnswer, that is an
  /// Error backend which says `what` and why.
  template <typename Read>
  [[nodiscard]] auto reading(const std::string& path, const std::string& what, Read&& read) const {
    try {
      return read();
    } catch (const Json::exception& error) {
      fail(path, what + ": " + reason(error));
    } catch (const WrongAnswer& error) {
      fail(path, what + ": " + error.what());
    }
  }

  /// Throws the error `backend` that the server's answer is wrong.
  [[noreturn]] void fail(const std::string& path, const std::string& what) const;

 private:
  [[nodiscard]] static std::string reason(const Json::exception& error);
  [[nodiscard]] JsonAnswer read(const std::string& path, const HttpAnswer& answer) const;

  HttpClient client_;
};

/// A natural log-probability; throws WrongAnswer unless it is a number that can be one. Those above
/// 0 by no more than rounding are 0.
[[nodiscard]] double log_probability(const Json& value);

}  // namespace caos::text
