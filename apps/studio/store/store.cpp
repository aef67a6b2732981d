#include "apps/studio/store/store.hpp"

#include <filesystem>

#include "apps/studio/store/migrations.hpp"
#include "apps/studio/store/rows.hpp"
#include "apps/studio/store/store_impl.hpp"
#include "caos/io/folder.hpp"

namespace caos::studio {
namespace {

std::string made_folder(const std::string& path) {
  io::make_folder(path);
  return path;
}

/// What was on its way when the last process ended is of no use to this one.
void make_empty(const std::string& folder) {
  std::filesystem::remove_all(folder);
  io::make_folder(folder);
}

std::string database_in(const std::string& folder) { return folder + "/studio.sqlite"; }

}  // namespace

Store::Impl::Impl(const std::string& path)
    : folder(made_folder(path)),
      folder_lock(folder),
      files(folder + "/images"),
      db(database_in(folder), {"studio database", "restore the folder from a backup"}) {
  db.execute("PRAGMA journal_mode = WAL");
  db.execute("PRAGMA synchronous = FULL");  // a commit is on the disk when it returns
  db.execute("PRAGMA foreign_keys = ON");
  migrate(db, database_in(folder));
  sync_folder(folder);
  files.remove_unless([this](const std::string& sha256) { return has_file(db, sha256); });
  make_empty(folder + "/tmp");
  io::make_folder(folder + "/cache");
}

void Store::Impl::remove_file_unless_needed(const std::string& sha256) {
  const std::lock_guard lock(mutex);
  if (!has_file(db, sha256)) files.remove(sha256);
}

Store::Store(const std::string& folder) : impl_(std::make_unique<Impl>(folder)) {}
Store::~Store() = default;

const std::string& Store::folder() const { return impl_->folder; }

}  // namespace caos::studio
