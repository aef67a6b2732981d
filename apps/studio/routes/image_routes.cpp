#include <fmt/format.h>

#include <algorithm>

#include "apps/studio/pictures/picture_intake.hpp"
#include "apps/studio/routes/api.hpp"
#include "apps/studio/routes/studio_json.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using http::Answer;
using http::Body;
using http::Request;

ImageQuery query_in(const Request& request) {
  check_query(request, {"which", "sort", "search", "offset", "limit"});
  const Part part = part_in(request);
  return {.which = parse_which(query_text(request, "which").value_or("all")),
          .sort = parse_sort(query_text(request, "sort").value_or("added")),
          .search = query_text(request, "search").value_or(""),
          .offset = part.offset,
          .limit = part.limit};
}

Answer list_images(const Api& api, const Request& request) {
  const ImageQuery query = query_in(request);
  const Project project = api.store.project(id_in(request, "p"));
  const ImagePage page = api.store.images(project.id, query);
  Json all = Json::array();
  for (const ImageRecord& image : page.images) all.push_back(to_json(image, project.sampling));
  return answer_of({{"images", std::move(all)}, {"total", page.total}});
}

Json describe(const Api& api, Id project, const ImageRecord& image) {
  return to_json(image, api.store.project(project).sampling);
}

NewImage new_image(const Request& request) {
  check_query(request, {"name", "subject", "mm_per_pixel", "page"});
  const auto name = query_text(request, "name");
  require(name.has_value(), ErrorKind::invalid_input, "name is missing in the address");
  return {.name = *name,
          .subject = query_text(request, "subject"),
          .mm_per_pixel = query_number(request, "mm_per_pixel")};
}

std::optional<std::size_t> page_in(const Request& request) {
  const auto page = query_whole(request, "page");
  if (!page) return std::nullopt;
  return static_cast<std::size_t>(std::max<std::int64_t>(*page, 0));
}

Answer ask_for_page(const std::string& name, std::size_t pages) {
  return conflict(fmt::format("{} has {} pages; say which of them to take", name, pages),
                  {{"pages", pages}});
}

Answer add_image(const Api& api, const Request& request) {
  const Id project = id_in(request, "p");
  NewImage image_to_add = new_image(request);
  const std::span bytes = std::as_bytes(std::span(request.body));
  const auto taken = take_picture(bytes, image_to_add.name, page_in(request));
  if (const auto* several = std::get_if<SeveralPages>(&taken)) {
    return ask_for_page(image_to_add.name, several->count);
  }
  const auto& picture = std::get<TakenPicture>(taken);
  if (!image_to_add.mm_per_pixel) image_to_add.mm_per_pixel = picture.mm_per_pixel;
  const auto outcome = api.store.try_add_image(
      project, image_to_add, picture.bytes ? std::span<const std::byte>(*picture.bytes) : bytes);
  if (const auto* duplicate = std::get_if<DuplicateImage>(&outcome)) {
    return conflict(duplicate->message(), {{"image", duplicate->image.id}});
  }
  const auto& image = std::get<ImageRecord>(outcome);
  ++api.counters.images;
  api.image_changed({.kind = Event::Kind::images, .project = project, .image = image.id});
  return answer_of(describe(api, project, image), 201);
}

Answer show_image(const Api& api, const Request& request) {
  check_query(request, {});
  const Id project = id_in(request, "p");
  return answer_of(describe(api, project, api.store.image(project, id_in(request, "i"))));
}

Answer change_image(const Api& api, const Request& request) {
  check_query(request, {});
  const Id project = id_in(request, "p");
  ImageRecord image = api.store.image(project, id_in(request, "i"));
  const Json body = parse_body(request);
  Reader reader(body);
  const auto given = [&](const char* key) { return reader.has(key) || reader.has_null(key); };
  if (given("subject")) image.subject = reader.text_or_null("subject");
  if (given("mm_per_pixel")) image.mm_per_pixel = reader.number_or_null("mm_per_pixel");
  reader.finish();
  image = api.store.change_image(project, image.id, image.subject, image.mm_per_pixel);
  api.image_changed({.kind = Event::Kind::image,
                     .project = project,
                     .image = image.id,
                     .revision = image.revision});
  return answer_of(describe(api, project, image));
}

Answer remove_image(const Api& api, const Request& request) {
  check_query(request, {});
  const Id project = id_in(request, "p");
  const Id image = id_in(request, "i");
  const ImageRecord record = api.store.image(project, image);
  api.store.remove_image(project, image);
  api.pictures.forget(record);
  api.image_changed({.kind = Event::Kind::images, .project = project, .image = image});
  return {.status = 204};
}

}  // namespace

std::vector<http::Route> image_routes(const Api& api) {
  return {
      {"GET", "/v1/projects/{p}/images", Body::none,
       [&api](const Request& r) { return list_images(api, r); }},
      {"POST", "/v1/projects/{p}/images", Body::upload,
       [&api](const Request& r) { return add_image(api, r); }},
      {"GET", "/v1/projects/{p}/images/{i}", Body::none,
       [&api](const Request& r) { return show_image(api, r); }},
      {"PATCH", "/v1/projects/{p}/images/{i}", Body::json,
       [&api](const Request& r) { return change_image(api, r); }},
      {"DELETE", "/v1/projects/{p}/images/{i}", Body::none,
       [&api](const Request& r) { return remove_image(api, r); }},
  };
}

}  // namespace caos::studio
