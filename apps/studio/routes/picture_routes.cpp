#include <fmt/format.h>

#include <charconv>

#include "apps/studio/routes/api.hpp"
#include "apps/studio/routes/json_arguments.hpp"
#include "apps/studio/routes/studio_json.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using http::Answer;
using http::Body;
using http::Request;

/// Numbers of images say nothing about another data folder behind the same address, so that
/// browsers ask each time whether what they have is still right.
Answer answer_of(const Request& request, Picture picture) {
  const std::string tag = fmt::format("\"{}\"", picture.tag);
  Answer answer{.content_type = std::move(picture.type),
                .body = std::move(picture.bytes),
                .headers = {{"ETag", tag}, {"Cache-Control", "private, no-cache"}}};
  if (request.if_none_match != tag) return answer;
  return {.status = 304, .headers = answer.headers};
}

ImageRecord image_of(const Api& api, const Request& request) {
  return api.store.image(id_in(request, "p"), id_in(request, "i"));
}

std::size_t place_in(const Request& request, const char* name) {
  const std::string& text = request.argument(name);
  std::size_t place = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, place);
  require(error == std::errc() && end == last, ErrorKind::not_found,
          [&] { return fmt::format("{} not found: '{}' is not a number", request.path, text); });
  return place;
}

Answer thumbnail(const Api& api, const Request& request) {
  check_query(request, {});
  return answer_of(request, api.pictures.thumbnail(image_of(api, request)));
}

/// What to show of an image with more than 8 bits; nothing: the default.
std::optional<vision::Window> window_in(const Request& request) {
  const auto low = query_whole(request, "low");
  const auto high = query_whole(request, "high");
  if (!low && !high) return std::nullopt;
  require(low && high && *low >= 0 && *low < *high && *high <= 65535, ErrorKind::invalid_input,
          "low and high must be whole numbers with 0 <= low < high <= 65535");
  return vision::Window{static_cast<std::uint16_t>(*low), static_cast<std::uint16_t>(*high)};
}

Answer preview(const Api& api, const Request& request) {
  check_query(request, {"low", "high"});
  return answer_of(request, api.pictures.preview(image_of(api, request), window_in(request)));
}

Answer tile(const Api& api, const Request& request) {
  check_query(request, {"low", "high"});
  return answer_of(request, api.pictures.tile(image_of(api, request), place_in(request, "column"),
                                              place_in(request, "row"), window_in(request)));
}

Answer values(const Api& api, const Request& request) {
  check_query(request, {});
  const auto deep = api.pictures.deep_values(image_of(api, request));
  if (!deep) return studio::answer_of({{"deep", false}});
  return studio::answer_of({{"deep", true},
                            {"least", deep->all.low},
                            {"most", deep->all.high},
                            {"low", deep->shown.low},
                            {"high", deep->shown.high}});
}

Answer patch(const Api& api, const Request& request) {
  check_query(request, {"x", "y", "radius"});
  const auto x = query_number(request, "x");
  const auto y = query_number(request, "y");
  require(x && y, ErrorKind::invalid_input, "x or y is missing in the address");
  return answer_of(request, api.pictures.patch(image_of(api, request), *x, *y,
                                               query_number(request, "radius").value_or(24)));
}

}  // namespace

std::vector<http::Route> picture_routes(const Api& api) {
  const std::string image = "/v1/projects/{p}/images/{i}";
  return {
      {"GET", image + "/thumbnail", Body::none,
       [&api](const Request& r) { return thumbnail(api, r); }},
      {"GET", image + "/preview", Body::none, [&api](const Request& r) { return preview(api, r); }},
      {"GET", image + "/values", Body::none, [&api](const Request& r) { return values(api, r); }},
      {"GET", image + "/tiles/{column}/{row}", Body::none,
       [&api](const Request& r) { return tile(api, r); }},
      {"GET", image + "/patch", Body::none, [&api](const Request& r) { return patch(api, r); }},
  };
}

}  // namespace caos::studio
