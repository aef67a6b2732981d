#include "apps/studio/store/images/image_page.hpp"

#include <fmt/format.h>

#include <string>

#include "apps/studio/store/database/ask.hpp"
#include "apps/studio/store/database/rows.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;

constexpr const char* is_in_audit =
    "EXISTS(SELECT 1 FROM audits WHERE audits.project = images.project AND discarded_at = '' "
    "AND place >= first AND place < \"end\")";

/// The condition of SQL for images of the sample; a sample of size 0 has none.
std::string is_in_sample(const Sampling& sampling) {
  return fmt::format("coalesce(place < {}, 0)", sampling.size);
}

std::string condition_of(const Sampling& sampling, ImageQuery::Which which) {
  switch (which) {
    case ImageQuery::Which::all:
      return "1";
    case ImageQuery::Which::sample:
      return is_in_sample(sampling);
    case ImageQuery::Which::audit:
      return is_in_audit;
    case ImageQuery::Which::review:
      return fmt::format("NOT {} AND NOT {}", is_in_sample(sampling), is_in_audit);
  }
  __builtin_unreachable();
}

std::string order_of(ImageQuery::Sort sort) {
  switch (sort) {
    case ImageQuery::Sort::added:
      return "id";
    case ImageQuery::Sort::name:
      return "name COLLATE NOCASE, name";
    case ImageQuery::Sort::order:
      return "place IS NULL, place, id";
  }
  __builtin_unreachable();
}

/// Whether the name contains the text that the query's second question mark stands for.
constexpr const char* has_text = "instr(lower(name), lower(?)) > 0";

std::size_t count_of(Connection& db, Id project, const std::string& condition,
                     const std::string& text) {
  Ask ask(db, fmt::format("SELECT count(*) FROM images WHERE project = ? AND {}", condition),
          project, text);
  ask.next();
  return ask.count(0);
}

}  // namespace

ImagePage page_of(Connection& db, const Project& project, const ImageQuery& query) {
  const std::string condition =
      fmt::format("{} AND {}", has_text, condition_of(project.sampling, query.which));
  const std::string limit = query.limit ? fmt::format("{}", *query.limit) : "-1";
  return {.images = images_where(db, project.id,
                                 fmt::format("{} ORDER BY {} LIMIT {} OFFSET {}", condition,
                                             order_of(query.sort), limit, query.offset),
                                 query.search),
          .total = count_of(db, project.id, condition, query.search)};
}

}  // namespace caos::studio
