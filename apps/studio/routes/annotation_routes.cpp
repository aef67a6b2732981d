#include <fmt/format.h>

#include "apps/studio/routes/api.hpp"
#include "apps/studio/routes/comparison_json.hpp"
#include "apps/studio/routes/studio_json.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using http::Answer;
using http::Body;
using http::Request;

Answer show_annotation(const Api& api, const Request& request) {
  check_query(request, {"reading"});
  const auto reading = query_whole(request, "reading").value_or(1);
  require(reading == 1 || reading == 2, ErrorKind::invalid_input, "reading must be 1 or 2");
  return answer_of(to_json(
      api.store.reading(id_in(request, "p"), id_in(request, "i"), static_cast<int>(reading))));
}

Edit read_edit(const Json& object, std::size_t index) {
  Reader reader(object, fmt::format("edits[{}]", index));
  Edit edit{.landmark = reader.whole("landmark")};
  const auto state = reader.text_or_null("state");
  if (state) edit.state = parse_point_state(*state);
  const bool placed = edit.state && *edit.state != PointState::missing;
  if (placed) {
    edit.x = reader.number("x");
    edit.y = reader.number("y");
  } else {
    for (const char* key : {"x", "y"}) {
      if (reader.has_null(key)) static_cast<void>(reader.number_or_null(key));
    }
  }
  reader.finish();
  return edit;
}

Source read_source(const std::string& text) {
  const Source source = parse_source(text);
  const bool is_given =
      source == Source::blind || source == Source::accept || source == Source::correct;
  require(is_given, ErrorKind::invalid_input,
          [&] { return fmt::format("source: '{}' is not blind, accept or correct", text); });
  return source;
}

Change read_change(const Json& body, Id image) {
  Reader reader(body);
  Change change{.id = reader.text("change"),
                .image = image,
                .reading = static_cast<int>(reader.whole("reading", 1)),
                .base = reader.whole("base"),
                .annotator = reader.text("annotator"),
                .source = read_source(reader.text("source", "blind"))};
  require(change.reading == 1 || change.reading == 2, ErrorKind::invalid_input,
          "reading must be 1 or 2");
  const Json& edits = reader.list("edits");
  for (std::size_t i = 0; i < edits.size(); ++i) change.edits.push_back(read_edit(edits[i], i));
  reader.finish();
  return change;
}

Answer annotate(const Api& api, const Request& request) {
  check_query(request, {});
  const Id project = id_in(request, "p");
  const Change change = read_change(parse_body(request), id_in(request, "i"));
  const ChangeOutcome outcome = api.store.apply(project, change);
  if (!outcome.applied) {
    ++api.counters.conflicts;
    return conflict("the image was changed meanwhile; look at what is there now and try again",
                    {{"current", to_json(outcome.reading)}});
  }
  ++api.counters.changes;
  api.image_changed({.kind = Event::Kind::image,
                     .project = project,
                     .image = change.image,
                     .revision = outcome.reading.revision,
                     .annotator = change.annotator,
                     .change = change.id});
  return answer_of(to_json(outcome.reading));
}

Answer history(const Api& api, const Request& request) {
  check_query(request, {});
  return answer_of(
      {{"history", to_json(api.store.history(id_in(request, "p"), id_in(request, "i")))}});
}

Answer annotators(const Api& api, const Request& request) {
  check_query(request, {});
  return answer_of({{"annotators", api.store.annotators(id_in(request, "p"))}});
}

Answer compare(const Api& api, const Request& request) {
  check_query(request, {"first", "second"});
  const auto first = query_text(request, "first");
  const auto second = query_text(request, "second");
  require(first && second, ErrorKind::invalid_input,
          "first and second name the annotators that are compared");
  return answer_of(comparison_json(api.store.compare(id_in(request, "p"), *first, *second)));
}

}  // namespace

std::vector<http::Route> annotation_routes(const Api& api) {
  return {
      {"GET", "/v1/projects/{p}/images/{i}/annotations", Body::none,
       [&api](const Request& r) { return show_annotation(api, r); }},
      {"POST", "/v1/projects/{p}/images/{i}/annotations", Body::json,
       [&api](const Request& r) { return annotate(api, r); }},
      {"GET", "/v1/projects/{p}/images/{i}/history", Body::none,
       [&api](const Request& r) { return history(api, r); }},
      {"GET", "/v1/projects/{p}/annotators", Body::none,
       [&api](const Request& r) { return annotators(api, r); }},
      {"GET", "/v1/projects/{p}/comparison", Body::none,
       [&api](const Request& r) { return compare(api, r); }},
  };
}

}  // namespace caos::studio
