#include <fmt/format.h>

#include <string_view>

#include "apps/studio/routes/api.hpp"
#include "apps/studio/web/page.hpp"
#include "caos/io/checksum.hpp"

namespace caos::studio {
namespace {

using http::Answer;
using http::Body;
using http::Request;

constexpr std::string_view no_page =
    "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>caos "
    "studio</title></head>\n<body>\n<h1>This caos was built without the studio's page</h1>\n"
    "<p>Everything else works: the API is described by <a "
    "href=\"/v1/openapi.json\">/v1/openapi.json</a>. The page is built from TypeScript: install "
    "node 18 or later, run <code>tools/setup</code> and build again.</p>\n</body>\n</html>\n";

http::Route file(std::string path, std::string_view text, std::string type) {
  const std::string tag = fmt::format("\"{}\"", io::checksum128({std::as_bytes(std::span(text))}));
  return {"GET", std::move(path), Body::none,
          [text, tag, type = std::move(type)](const Request& request) -> Answer {
            Answer answer{.content_type = type,
                          .body = std::string(text),
                          .headers = {{"ETag", tag}, {"Cache-Control", "no-cache"}}};
            if (request.if_none_match != tag) return answer;
            return {.status = 304, .headers = answer.headers};
          }};
}

}  // namespace

std::vector<http::Route> page_routes() {
  const bool has_page = !assets::studio_html.empty();
  return {
      file("/", has_page ? assets::studio_html : no_page, "text/html; charset=utf-8"),
      file("/studio.js", assets::studio_js, "text/javascript; charset=utf-8"),
      file("/studio.css", assets::studio_css, "text/css; charset=utf-8"),
      file("/favicon.svg", assets::studio_icon, "image/svg+xml"),
  };
}

}  // namespace caos::studio
