#include <fmt/format.h>

#include <utility>
#include <vector>

#include "apps/studio/store/checks.hpp"
#include "apps/studio/store/database/clock.hpp"
#include "apps/studio/store/database/rows.hpp"
#include "apps/studio/store/images/image_page.hpp"
#include "apps/studio/store/store_impl.hpp"
#include "apps/studio/store/store_limits.hpp"
#include "caos/conformal/subject_weights.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;
using Bytes = std::span<const std::byte>;

/// The one with the same content rather than the one with the same name.
std::optional<DuplicateImage> duplicate_of(Connection& db, Id project, const std::string& name,
                                           const std::string& sha256) {
  Ask ask(db,
          "SELECT id, sha256 = ? FROM images WHERE project = ? AND (name = ? OR sha256 = ?) "
          "ORDER BY 2 DESC",
          sha256, project, name, sha256);
  if (!ask.next()) return std::nullopt;
  return DuplicateImage{find_image(db, project, ask.integer(0)), ask.integer(1) != 0};
}

void require_room(Connection& db, Id project) {
  require(num_images_of(db, project) < limits::images, ErrorKind::invalid_input, [] {
    return fmt::format("the project has {} images, and no more are allowed; make another project",
                       limits::images);
  });
}

void require_same_subject(Connection& db, Id project, const ImageRecord& image,
                          const std::optional<std::string>& subject) {
  const bool is_drawn = find_project(db, project).sampling.kind != Sampling::Kind::none;
  require(!is_drawn || image.subject == subject, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "the subject of '{}' cannot change any more, since the sample was drawn by subjects; "
        "make a new project to use other subjects",
        image.name);
  });
}

bool has_subjects(Connection& db, Id project) {
  return Ask(db, "SELECT 1 FROM images WHERE project = ? AND subject IS NOT NULL LIMIT 1", project)
      .next();
}

/// Whether the guarantee depends on this image: it was ever in the sample, or calibrating images
/// weigh by how many images their subjects have in the pool, which it is one of.
bool is_counted(Connection& db, const Project& project, const ImageRecord& image) {
  const Sampling& sampling = project.sampling;
  if (sampling.kind == Sampling::Kind::none) return false;
  if (image.order && *image.order < sampling.largest) return true;
  const bool in_pool = image.order || sampling.kind == Sampling::Kind::given;
  return in_pool && parse_target(project.settings.target) == ImageTarget::image &&
         has_subjects(db, project.id);
}

}  // namespace

std::string DuplicateImage::message() const {
  return same_content
             ? fmt::format("the project has this image already, as '{}'; leave it out", image.name)
             : fmt::format("the project has another image called '{}'; rename one of them",
                           image.name);
}

std::vector<ImageRecord> Store::images(Id project) {
  return impl_->read([&](Connection& db) {
    static_cast<void>(find_project(db, project));
    return images_of(db, project);
  });
}

ImagePage Store::images(Id project, const ImageQuery& query) {
  return impl_->read([&](Connection& db) { return page_of(db, find_project(db, project), query); });
}

std::size_t Store::num_images(Id project) {
  return impl_->read([&](Connection& db) { return num_images_of(db, project); });
}

ImageRecord Store::image(Id project, Id image) {
  return impl_->read([&](Connection& db) { return find_image(db, project, image); });
}

std::variant<ImageRecord, DuplicateImage> Store::try_add_image(Id project, const NewImage& image,
                                                               Bytes bytes) {
  using Outcome = std::variant<ImageRecord, DuplicateImage>;
  check_image_name(image.name);
  check_subject(image.subject);
  check_scale(image.mm_per_pixel);
  const std::string sha256 = sha256_of(bytes);
  const auto is_there = [&](Connection& db) {
    static_cast<void>(find_project(db, project));
    return duplicate_of(db, project, image.name, sha256);
  };
  // Asked before the long look at the pixels, and again after it.
  if (auto duplicate = impl_->read(is_there)) return *std::move(duplicate);
  const vision::ImageInfo info = impl_->inspect(bytes, image.name);
  return impl_->write([&](Connection& db) -> Outcome {
    if (auto duplicate = is_there(db)) return *std::move(duplicate);
    require_room(db, project);
    // The row follows the file: a crash between them leaves an unreferenced file, which is
    // removed, and never a row without its file.
    impl_->files.put(sha256, bytes);
    const Id added = insert_image(db, project,
                                  {.name = image.name,
                                   .sha256 = sha256,
                                   .width = info.width,
                                   .height = info.height,
                                   .subject = image.subject,
                                   .mm_per_pixel = image.mm_per_pixel,
                                   .added_at = utc_now()});
    return find_image(db, project, added);
  });
}

ImageRecord Store::add_image(Id project, const NewImage& image, Bytes bytes) {
  const auto outcome = try_add_image(project, image, bytes);
  if (const auto* duplicate = std::get_if<DuplicateImage>(&outcome)) {
    throw Error(ErrorKind::invalid_input, duplicate->message());
  }
  return std::get<ImageRecord>(outcome);
}

ImageRecord Store::change_image(Id project, Id image, const std::optional<std::string>& subject,
                                std::optional<double> mm_per_pixel) {
  check_subject(subject);
  check_scale(mm_per_pixel);
  return impl_->write([&](Connection& db) {
    require_same_subject(db, project, find_image(db, project, image), subject);
    tell(db, "UPDATE images SET subject = ?, mm_per_pixel = ? WHERE id = ?", subject, mm_per_pixel,
         image);
    return find_image(db, project, image);
  });
}

void Store::remove_image(Id project, Id image) {
  impl_->write([&](Connection& db) {
    const ImageRecord gone = find_image(db, project, image);
    require(gone.audit != AuditRole::open, ErrorKind::invalid_input, [&] {
      return fmt::format(
          "'{}' belongs to the open audit, which needs all of its images; discard the audit first",
          gone.name);
    });
    const bool counts = is_counted(db, find_project(db, project), gone);
    tell(db, "DELETE FROM images WHERE id = ?", image);
    if (counts) {
      tell(db, "UPDATE projects SET sample_removed = sample_removed + 1 WHERE id = ?", project);
    }
    impl_->unneeded.push_back(gone.sha256);
  });
}

void Store::mark_seen(Id project, Id image) {
  if (!this->image(project, image).seen_at.empty()) return;
  impl_->write([&](Connection& db) {
    const ImageRecord seen = find_image(db, project, image);
    require(seen.audit != AuditRole::open, ErrorKind::invalid_input, [&] {
      return fmt::format(
          "'{}' belongs to the open audit, which is labeled without sight of regions", seen.name);
    });
    tell(db, "UPDATE images SET seen_at = ? WHERE id = ? AND seen_at = ''", utc_now(), image);
    mark_results_seen(project);
  });
}

void Store::mark_results_seen(Id project) {
  impl_->write([&](Connection& db) {
    tell(db, "UPDATE projects SET results_seen_at = ? WHERE id = ? AND results_seen_at = ''",
         utc_now(), project);
  });
}

std::string Store::path_of(const ImageRecord& image) const {
  return impl_->files.path_of(image.sha256);
}

}  // namespace caos::studio
