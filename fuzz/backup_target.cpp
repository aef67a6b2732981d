#include "apps/studio/exchange/backup.hpp"
#include "fuzz/studio_store.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

/// A zip archive: what is taken of it can be given again.
FUZZ_TARGET(backup, input) {
  studio::Store& store = empty_store();
  const studio::Id project = studio::restore_project(store, input).id;
  demand(studio::backup_project(store, project).file.size() > 0, "it has a backup");
  store.remove_project(project);
}

}  // namespace
}  // namespace caos::fuzz
