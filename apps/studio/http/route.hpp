#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "apps/studio/http/answer.hpp"

namespace caos::studio::http {

/// A request as far as handlers need to know it.
struct Request {
  std::string method{};  ///< GET also for HEAD
  std::string path{};
  std::map<std::string, std::string> arguments{};  ///< what stands for each {name} of the pattern
  std::map<std::string, std::string> query{};
  std::string content_type{};
  std::string if_none_match{};  ///< what the client already has
  std::string cookies{};
  std::string origin{};   ///< where the page is from that asks; empty: no page, or not said
  bool is_known = false;  ///< the sender has the token, or none is asked for
  std::string body{};
  std::string file{};  ///< where the body is, of routes that take a file; until it is answered

  [[nodiscard]] const std::string& argument(const std::string& name) const {
    return arguments.at(name);
  }
};

/// What a route takes as the body of its requests.
enum class Body {
  none,
  json,    ///< application/json
  upload,  ///< bytes, as application/octet-stream, application/zip or image/...
  file,    ///< the same, but put into a file, as it may be too large for memory
  form,    ///< application/x-www-form-urlencoded
};

/// One thing that the server does.
struct Route {
  std::string method{};
  std::string pattern{};  ///< `/v1/projects/{p}`: {name} stands for one piece between slashes
  Body body = Body::none;
  std::function<Answer(const Request&)> handler{};
};

}  // namespace caos::studio::http
