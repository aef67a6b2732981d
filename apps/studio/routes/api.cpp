#include "apps/studio/routes/api.hpp"

#include <iterator>
#include <utility>

#include "apps/studio/routes/studio_json.hpp"

namespace caos::studio {

void publish(http::Events& events, const Event& event) {
  events.publish(event.project, name_of(event.kind), text_of(to_json(event)));
}

void Api::changed(const Event& event) const {
  workbench.changed(event.project);
  publish(events, event);
}

void Api::image_changed(const Event& event) const {
  workbench.changed(event.project, event.image);
  publish(events, event);
}

std::vector<http::Route> api_routes(const Api& api) {
  std::vector<http::Route> all = page_routes();
  for (auto topic : {server_routes, project_routes, scheme_routes, image_routes, picture_routes,
                     annotation_routes, region_routes, audit_routes, acceptance_routes,
                     measure_routes, grid_routes, exchange_routes}) {
    auto routes = topic(api);
    all.insert(all.end(), std::make_move_iterator(routes.begin()),
               std::make_move_iterator(routes.end()));
  }
  return all;
}

}  // namespace caos::studio
