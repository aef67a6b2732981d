#include "apps/studio/studio.hpp"

#include <iterator>

#include "apps/studio/exchange/demo_project.hpp"
#include "apps/studio/http/events.hpp"
#include "apps/studio/http/metrics.hpp"
#include "apps/studio/pictures/pictures.hpp"
#include "apps/studio/routes/api.hpp"
#include "apps/studio/store/store.hpp"
#include "apps/studio/web/page.hpp"

namespace caos::studio {
namespace {

http::ServerOptions server_options(const StudioOptions& options, const Store& store) {
  http::ServerOptions server = options.server;
  server.folder = store.folder() + "/tmp";
  server.hidden = store.folder();
  return server;
}

double value_of(const std::atomic<std::uint64_t>& counter) {
  return static_cast<double>(counter.load());
}

void add_figures(http::Metrics& metrics, const Counters& counters, const Workbench& workbench) {
  using enum http::Metrics::Kind;
  metrics.add(counter, "caos_annotations_stored_total", "Changes of annotations on the disk.",
              [&] { return value_of(counters.changes); });
  metrics.add(counter, "caos_annotation_conflicts_total",
              "Changes refused because the image had changed.",
              [&] { return value_of(counters.conflicts); });
  metrics.add(counter, "caos_images_stored_total", "Images that were uploaded.",
              [&] { return value_of(counters.images); });
  metrics.add(counter, "caos_embeddings_total", "Images that were embedded.",
              [&] { return static_cast<double>(workbench.num_embedded()); });
}

}  // namespace

/// In the order in which they need each other.
struct Studio::Impl {
  explicit Impl(const StudioOptions& options)
      : store(options.folder),
        pictures(store, store.folder() + "/cache/previews"),
        events(options.server.limits.event_clients),
        workbench(store, options.workbench, [this](const Event& event) { publish(events, event); }),
        server(server_options(options, store), events, metrics),
        api{.store = store,
            .workbench = workbench,
            .pictures = pictures,
            .events = events,
            .metrics = metrics,
            .counters = counters,
            .backbone = options.workbench.backbone,
            .working_size = options.workbench.working_size,
            .has_login = server.has_token()} {
    add_figures(metrics, counters, workbench);
    if (options.demo && store.projects().empty()) workbench.changed(make_demo_project(store).id);
    auto routes = api_routes(api);
    auto own = server.routes();
    std::move(own.begin(), own.end(), std::back_inserter(routes));
    server.start(std::move(routes));
  }

  /// Requests under way use what comes after the server here, and so would be gone before it.
  ~Impl() { server.stop(); }

  Store store;
  Pictures pictures;
  http::Events events;
  http::Metrics metrics{};
  Counters counters{};
  Workbench workbench;
  http::Server server;
  Api api;
};

Studio::Studio(const StudioOptions& options) : impl_(std::make_unique<Impl>(options)) {}

Studio::~Studio() = default;

std::string Studio::url() const { return impl_->server.url(); }

bool Studio::has_token() const { return impl_->server.has_token(); }

void Studio::stop() { impl_->server.stop(); }

std::string page_description() {
  return assets::studio_html.empty()
             ? "without the studio's page: install node 18 or later, run tools/setup, then build again"
             : "with the studio's page";
}

}  // namespace caos::studio
