#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "apps/studio/studio.hpp"
#include "fuzz/sockets.hpp"
#include "fuzz/studio_store.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

namespace fs = std::filesystem;

/// A studio with one small project, as new.
class FreshStudio {
 public:
  FreshStudio() : folder_(scratch_folder() + "/studio"), kept_(scratch_folder() + "/kept") {
    make_project();
    renew();
  }

  void renew() {
    studio_.reset();
    fs::remove_all(folder_);
    fs::copy(kept_, folder_, fs::copy_options::recursive);
    studio::StudioOptions options{.folder = folder_};
    options.server.port = 0;
    options.server.limits.event_clients = 0;  // a listener would wait
    options.workbench.threads = 1;
    studio_ = std::make_unique<studio::Studio>(options);
  }

  [[nodiscard]] int port() const {
    const std::string url = studio_->url();  // http://127.0.0.1:PORT/
    return std::stoi(url.substr(url.rfind(':') + 1));
  }

 private:
  void make_project() const {
    studio::Store store(kept_);
    const studio::Id project = store.add_project("faces", "builtin", "", {}).id;
    store.replace_scheme(project, 0, {{.name = "nose"}, {.name = "chin"}}, false);
    const studio::Id image = store.add_image(project, {.name = "a.png"}, small_png()).id;
    const studio::Id nose = store.scheme(project)[0].id;
    store.apply(project, {.id = "1",
                          .image = image,
                          .base = 0,
                          .annotator = "Ada",
                          .edits = {{nose, studio::PointState::visible, 2, 3}}});
  }

  std::string folder_;
  std::string kept_;
  std::unique_ptr<studio::Studio> studio_;
};

bool may_change_something(std::string_view request, std::string_view answer) {
  const bool asks = request.find("POST") != request.npos || request.find("PUT") != request.npos ||
                    request.find("PATCH") != request.npos || request.find("DELETE") != request.npos;
  return asks && answer.find("HTTP/1.1 2") != answer.npos;
}

/// Bytes as they come from a connection, one request or several, to the studio at work: the parser,
/// the guard, the router and all routes.
FUZZ_TARGET(http_request, input) {
  static FreshStudio studio;
  const std::string answer = asked(studio.port(), text_of(input));
  demand(answer.empty() || answer.starts_with("HTTP/1.1 "), "an answer is HTTP");
  // An answer may repeat what was asked.
  const std::string_view failed = "HTTP/1.1 500";
  demand(text_of(input).find(failed) != std::string::npos || answer.find(failed) == answer.npos,
         "no request is the server's fault");
  if (may_change_something(text_of(input), answer)) studio.renew();
}

}  // namespace
}  // namespace caos::fuzz
