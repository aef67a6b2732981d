#include <fmt/format.h>

#include "apps/studio/routes/api.hpp"
#include "apps/studio/routes/studio_json.hpp"
#include "apps/studio/store/store_limits.hpp"
#include "caos/error.hpp"
#include "caos/vision/working_size.hpp"

namespace caos::studio {
namespace {

using http::Answer;
using http::Body;
using http::Request;

/// Borders of patches in pixels of the original, cut off where the image ends.
Json borders(std::size_t count, std::size_t length, const std::function<double(double)>& place) {
  Json all = Json::array();
  for (std::size_t i = 0; i <= count; ++i) {
    all.push_back(std::clamp(place(static_cast<double>(i)), 0.0, static_cast<double>(length)));
  }
  return all;
}

Json grid_json(const vision::Frame& frame, const std::string& working_size) {
  const auto side = static_cast<double>(frame.grid.patch_size);
  const auto x = [&](double i) { return frame.to_original({i * side, 0}).x; };
  const auto y = [&](double i) { return frame.to_original({0, i * side}).y; };
  return {{"working_size", working_size},
          {"columns", frame.grid.columns},
          {"rows", frame.grid.rows},
          {"x", borders(frame.grid.columns, frame.width, x)},
          {"y", borders(frame.grid.rows, frame.height, y)},
          {"patch_width", x(1) - x(0)},
          {"patch_height", y(1) - y(0)}};
}

std::string working_size_in(const Request& request, const std::string& otherwise) {
  const auto given = query_text(request, "working_size");
  if (!given) return otherwise;
  static_cast<void>(vision::WorkingSize::parse(*given));
  return *given;
}

std::size_t side_in(const Request& request, const char* key) {
  const auto side = query_whole(request, key);
  require(side && *side >= 1 && *side <= static_cast<std::int64_t>(limits::pixels),
          ErrorKind::invalid_input,
          [&] { return fmt::format("{} must be a number of pixels", key); });
  return static_cast<std::size_t>(*side);
}

Answer grid_of_image(const Api& api, const Request& request) {
  check_query(request, {"working_size"});
  const Project project = api.store.project(id_in(request, "p"));
  const ImageRecord image = api.store.image(project.id, id_in(request, "i"));
  const std::string size = working_size_in(request, project.working_size);
  return answer_of(
      grid_json(api.workbench.frame_at(project, size, image.width, image.height), size));
}

/// Of an image that is not here yet, in a new project.
Answer grid_of_size(const Api& api, const Request& request) {
  check_query(request, {"width", "height", "working_size"});
  const std::string size = working_size_in(request, api.working_size);
  return answer_of(
      grid_json(api.workbench.frame_at({.backbone = api.backbone}, size, side_in(request, "width"),
                                       side_in(request, "height")),
                size));
}

}  // namespace

std::vector<http::Route> grid_routes(const Api& api) {
  return {
      {"GET", "/v1/grid", Body::none, [&api](const Request& r) { return grid_of_size(api, r); }},
      {"GET", "/v1/projects/{p}/images/{i}/grid", Body::none,
       [&api](const Request& r) { return grid_of_image(api, r); }},
  };
}

}  // namespace caos::studio
