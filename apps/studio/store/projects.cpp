#include <fmt/format.h>

#include <vector>

#include "apps/studio/store/checks.hpp"
#include "apps/studio/store/database/clock.hpp"
#include "apps/studio/store/database/rows.hpp"
#include "apps/studio/store/sampling/looks.hpp"
#include "apps/studio/store/store_impl.hpp"
#include "apps/studio/store/store_limits.hpp"
#include "caos/error.hpp"
#include "caos/miscoverage.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;

void require_same_scorer(const Project& project, const Settings& settings) {
  const bool is_same = settings.score == project.settings.score &&
                       settings.k == project.settings.k &&
                       settings.target == project.settings.target;
  require(project.sampling.kind == Sampling::Kind::none || is_same, ErrorKind::invalid_input,
          "the score, k and what the guarantee is for are fixed once the sample is drawn, as the "
          "guarantee needs a choice that was made before the labels were seen; make a new project "
          "to try others");
}

/// Whether the target, alpha or `simultaneous`, is another.
bool is_retargeted(const Settings& before, const Settings& after) {
  return before.simultaneous != after.simultaneous ||
         Miscoverage::parse(before.alpha) != Miscoverage::parse(after.alpha);
}

bool costs_guarantee(const Project& project, const Settings& settings) {
  const Integrity& integrity = project.integrity;
  return !integrity.results_seen_at.empty() && integrity.retargeted_at.empty() &&
         is_retargeted(project.settings, settings);
}

bool costs_rescaling(const Project& project, const std::string& working_size) {
  const Integrity& integrity = project.integrity;
  return !integrity.results_seen_at.empty() && integrity.rescaled_at.empty() &&
         project.sampling.kind != Sampling::Kind::none && project.working_size != working_size;
}

/// Planned looks share the new alpha equally.
void share_alpha(Connection& db, const Project& project, const std::string& alpha) {
  Sampling sampling = project.sampling;
  const bool is_same = Miscoverage::parse(alpha) == Miscoverage::parse(project.settings.alpha);
  if (sampling.looks.empty() || is_same) return;
  std::vector<std::size_t> sizes;
  for (const Look& look : sampling.looks) sizes.push_back(look.size);
  sampling.looks = equal_looks(sizes, alpha);
  write_sampling(db, project.id, sampling);
}

void note_retargeted(Connection& db, const Project& project, const Settings& settings) {
  if (!costs_guarantee(project, settings)) return;
  tell(db, "UPDATE projects SET retargeted_at = ? WHERE id = ?", utc_now(), project.id);
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

bool Store::retargeting_costs_guarantee(Id project, const Settings& settings) {
  check_settings(settings);
  return costs_guarantee(this->project(project), settings);
}

Project Store::change_settings(Id project, const Settings& settings, bool confirmed) {
  check_settings(settings);
  return impl_->write([&](Connection& db) {
    const Project before = find_project(db, project);
    require_same_scorer(before, settings);
    require(confirmed || !costs_guarantee(before, settings), ErrorKind::invalid_input,
            retargeting_cost);
    note_retargeted(db, before, settings);
    share_alpha(db, before, settings.alpha);
    tell(db,
         "UPDATE projects SET score = ?, k = ?, alpha = ?, simultaneous = ?, use_corrections = ?, "
         "target = ?, mm_per_pixel = ? WHERE id = ?",
         settings.score, settings.k, settings.alpha, settings.simultaneous,
         settings.use_corrections, settings.target, settings.mm_per_pixel, project);
    return find_project(db, project);
  });
}

bool Store::rescaling_costs_guarantee(Id project, const std::string& working_size) {
  return costs_rescaling(this->project(project), working_size);
}

Project Store::change_working_size(Id project, const std::string& working_size, bool confirmed) {
  return impl_->write([&](Connection& db) {
    Project changed = find_project(db, project);
    if (changed.working_size == working_size) return changed;
    const bool costs = costs_rescaling(changed, working_size);
    changed.working_size = working_size;
    check_project(changed);
    require(confirmed || !costs, ErrorKind::invalid_input, rescaling_cost);
    const std::vector<Audit> audits = audits_of(db, project);
    require(audits.empty() || !audits.back().is_open(), ErrorKind::invalid_input,
            "an audit is open, which judges the regions of this working size; finish or discard it "
            "first");
    if (costs) tell(db, "UPDATE projects SET rescaled_at = ? WHERE id = ?", utc_now(), project);
    tell(db, "UPDATE projects SET working_size = ? WHERE id = ?", working_size, project);
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
