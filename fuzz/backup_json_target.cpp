#include "apps/studio/exchange/backup_json.hpp"
#include "fuzz/studio_store.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

FUZZ_TARGET(backup_json, input) {
  const studio::ProjectSnapshot snapshot = studio::parse_backup_json(text_of(input));
  demand(studio::parse_backup_json(studio::backup_json(snapshot)) == snapshot,
         "the project is the same when written and read");
  studio::Store& store = empty_store();
  const studio::Id project =
      store.restore(snapshot, [](const std::string&) { return small_png(); }).id;
  (void)store.snapshot(project);
  store.remove_project(project);
}

}  // namespace
}  // namespace caos::fuzz
