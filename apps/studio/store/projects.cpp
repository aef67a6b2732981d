#include <fmt/format.h>

#include <vector>

#include "apps/studio/store/checks.hpp"
#include "apps/studio/store/clock.hpp"
#include "apps/studio/store/limits.hpp"
#include "apps/studio/store/rows.hpp"
#include "apps/studio/store/store_impl.hpp"
#include "caos/core/error.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;

void require_same_scorer(const Project& project, const Settings& settings) {
  const bool is_same = settings.score == project.settings.score && settings.k == project.settings.k;
  require(project.sampling.kind == Sampling::Kind::none || is_same, ErrorKind::invalid_input,
          "the score and k are fixed once the sample is drawn, as the guarantee is for those that "
          "were chosen before the labels were seen; make a new project to try others");
}

}  // namespace

void require_room(Connection& db) {
  require(all_projects(db).size() < limits::projects, ErrorKind::invalid_input, [] {
    return fmt::format("there are {} projects, and no more are allowed; remove one",
                       limits::projects);
  });
}

std::vector<Project> Store::projects() {
  return impl_->read([](Connection& db) { return all_projects(db); });
}

Project Store::project(Id project) {
  return impl_->read([&](Connection& db) { return find_project(db, project); });
}

Project Store::add_project(const std::string& name, const std::string& backbone,
                           const std::string& working_size, const Settings& settings) {
  check_project(
      {.name = name, .backbone = backbone, .working_size = working_size, .settings = settings});
  return impl_->write([&](Connection& db) {
    require_room(db);
    return find_project(db, insert_project(db, {.name = name,
                                                .created_at = utc_now(),
                                                .backbone = backbone,
                                                .working_size = working_size,
                                                .settings = settings}));
  });
}

Project Store::rename_project(Id project, const std::string& name) {
  check_name(name, limits::project_name, "the name of a project");
  return impl_->write([&](Connection& db) {
    tell(db, "UPDATE projects SET name = ? WHERE id = ?", name, project);
    return find_project(db, project);
  });
}

Project Store::change_settings(Id project, const Settings& settings) {
  check_settings(settings);
  return impl_->write([&](Connection& db) {
    require_same_scorer(find_project(db, project), settings);
    tell(db,
         "UPDATE projects SET score = ?, k = ?, alpha = ?, simultaneous = ?, use_corrections = ?, "
         "mm_per_pixel = ? WHERE id = ?",
         settings.score, settings.k, settings.alpha, settings.simultaneous,
         settings.use_corrections, settings.mm_per_pixel, project);
    return find_project(db, project);
  });
}

void Store::remove_project(Id project) {
  impl_->write([&](Connection& db) {
    static_cast<void>(find_project(db, project));
    for (const ImageRecord& image : images_of(db, project)) {
      impl_->unneeded.push_back(image.sha256);
    }
    tell(db, "DELETE FROM projects WHERE id = ?", project);
  });
}

}  // namespace caos::studio
