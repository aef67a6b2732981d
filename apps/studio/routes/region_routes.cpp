#include <fmt/format.h>

#include "apps/studio/routes/api.hpp"
#include "apps/studio/routes/studio_json.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using http::Answer;
using http::Body;
using http::Request;

bool is_simultaneous(const Request& request, const Project& project) {
  return query_flag(request, "simultaneous", project.settings.simultaneous);
}

Answer status(const Api& api, const Request& request) {
  check_query(request, {"simultaneous"});
  const Project project = api.store.project(id_in(request, "p"));
  return answer_of(to_json(api.workbench.status(project.id, is_simultaneous(request, project))));
}

/// Images that are labeled blind have no regions: a visible proposal would influence the labels.
std::optional<Answer> refusal(const Project& project, const ImageRecord& image) {
  if (!image.is_blind(project.sampling)) return std::nullopt;
  return conflict(fmt::format("'{}' is in the {}, which is labeled blind: it has no regions",
                              image.name, image.in_audit() ? "audit" : "sample"),
                  Json::object());
}

Answer regions(const Api& api, const Request& request) {
  check_query(request, {"simultaneous"});
  const Project project = api.store.project(id_in(request, "p"));
  const ImageRecord image = api.store.image(project.id, id_in(request, "i"));
  if (auto answer = refusal(project, image)) return *answer;
  return answer_of(
      to_json(api.workbench.regions(project.id, image.id, is_simultaneous(request, project))));
}

Answer supporting_references(const Api& api, const Request& request) {
  check_query(request, {"landmark", "patch"});
  const Project project = api.store.project(id_in(request, "p"));
  const ImageRecord image = api.store.image(project.id, id_in(request, "i"));
  if (auto answer = refusal(project, image)) return *answer;
  const auto landmark = query_whole(request, "landmark");
  const auto patch = query_whole(request, "patch");
  const bool given = landmark && patch && *patch >= 0 && *patch <= INT32_MAX;
  require(given, ErrorKind::invalid_input, "landmark and patch must be whole numbers");
  const Json references = to_json(api.workbench.supporting_references(
      project.id, image.id, *landmark, static_cast<Label>(*patch)));
  return answer_of({{"supporting_references", references},
                    {"supporters", references}});  // its old name, for one version
}

QueueOrder order_in(const Request& request) {
  const std::string order = query_text(request, "order").value_or("worst");
  require(order == "worst" || order == "random", ErrorKind::invalid_input,
          [&] { return fmt::format("order: '{}' is not worst or random", order); });
  return order == "worst" ? QueueOrder::worst : QueueOrder::random;
}

Answer queue(const Api& api, const Request& request) {
  check_query(request, {"alpha", "order", "simultaneous", "offset", "limit"});
  const Project project = api.store.project(id_in(request, "p"));
  const bool simultaneous = is_simultaneous(request, project);
  const auto given = query_text(request, "alpha");
  const auto alpha = Miscoverage::parse(
      given ? *given : api.workbench.status(project.id, simultaneous).guarantee.alpha);
  const Part part = part_in(request);
  std::vector<QueueEntry> entries =
      api.workbench.queue(project.id, alpha, order_in(request), simultaneous);
  const std::size_t total = entries.size();
  entries.erase(entries.begin(),
                entries.begin() + static_cast<std::ptrdiff_t>(std::min(part.offset, total)));
  if (part.limit && *part.limit < entries.size()) entries.resize(*part.limit);
  return answer_of({{"images", to_json(entries)}, {"total", total}});
}

}  // namespace

std::vector<http::Route> region_routes(const Api& api) {
  return {
      {"GET", "/v1/projects/{p}/status", Body::none,
       [&api](const Request& r) { return status(api, r); }},
      {"GET", "/v1/projects/{p}/images/{i}/regions", Body::none,
       [&api](const Request& r) { return regions(api, r); }},
      {"GET", "/v1/projects/{p}/images/{i}/support", Body::none,
       [&api](const Request& r) { return supporting_references(api, r); }},
      {"GET", "/v1/projects/{p}/queue", Body::none,
       [&api](const Request& r) { return queue(api, r); }},
  };
}

}  // namespace caos::studio
