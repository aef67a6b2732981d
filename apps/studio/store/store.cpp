#include "apps/studio/store/store.hpp"

#include <filesystem>
#include <utility>

#include "apps/studio/store/database/migrations.hpp"
#include "apps/studio/store/database/rows.hpp"
#include "apps/studio/store/images/image_intake.hpp"
#include "apps/studio/store/store_impl.hpp"
#include "caos/error.hpp"
#include "caos/io/folder.hpp"

namespace caos::studio {
namespace {

/// A new folder must outlive a crash as much as what is in it.
std::string made_folder(const std::string& path) {
  if (io::is_folder(path)) return path;
  io::make_folder(path);
  // Images of patients are private, whatever the umask.
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  sync_folder(path + "/..");
  return path;
}

/// What was on its way when the last process ended is of no use to this one.
void make_empty(const std::string& folder) {
  std::filesystem::remove_all(folder);
  io::make_folder(folder);
}

std::string database_in(const std::string& folder) { return folder + "/studio.sqlite"; }

/// Gives back what it took, whatever happens.
class Turn {
 public:
  explicit Turn(std::counting_semaphore<>& semaphore) : semaphore_(semaphore) {
    semaphore_.acquire();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { semaphore_.release(); }

 private:
  std::counting_semaphore<>& semaphore_;
};

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

vision::ImageInfo Store::Impl::inspect(std::span<const std::byte> bytes, const std::string& name) {
  const Turn turn(decoding_);
  return inspect_image(bytes, name);
}

void Store::Impl::remove_unneeded_files() noexcept {
  try {
    for (const std::string& sha256 : std::exchange(unneeded, {})) {
      if (!expected_.contains(sha256) && !has_file(db, sha256)) files.remove(sha256);
    }
  } catch (const Error&) {
    // They go when the store is opened next.
  }
}

void Store::Impl::ExpectedFiles::put(const std::string& sha256, std::span<const std::byte> bytes) {
  {
    const std::lock_guard lock(impl_.mutex);
    impl_.expected_.insert(sha256);
    hashes_.push_back(sha256);
  }
  impl_.files.put(sha256, bytes);
}

Store::Impl::ExpectedFiles::~ExpectedFiles() {
  const std::lock_guard lock(impl_.mutex);
  for (const std::string& sha256 : hashes_) impl_.expected_.erase(impl_.expected_.find(sha256));
  impl_.unneeded.insert(impl_.unneeded.end(), hashes_.begin(), hashes_.end());
  if (impl_.depth_ == 0) impl_.remove_unneeded_files();
}

Store::Impl::Unit::Unit(Impl& impl) : impl_(impl), is_outer_(impl.depth_ == 0) {
  require(is_outer_ || !impl.is_broken_, ErrorKind::backend,
          "an earlier part of this change failed on the disk, and all of it was taken back");
  impl.db.execute(is_outer_ ? "BEGIN IMMEDIATE" : "SAVEPOINT part");
  ++impl.depth_;
}

void Store::Impl::Unit::commit() {
  require(!impl_.is_broken_, ErrorKind::backend,
          "a part of this change failed on the disk, and all of it was taken back");
  impl_.db.execute(is_outer_ ? "COMMIT" : "RELEASE part");
  is_open_ = false;
}

void Store::Impl::Unit::roll_back() {
  try {
    impl_.db.execute(is_outer_ ? "ROLLBACK" : "ROLLBACK TO part; RELEASE part");
  } catch (const Error&) {
    impl_.is_broken_ = true;  // rolled back by itself, all of it
  }
}

Store::Impl::Unit::~Unit() {
  if (is_open_) roll_back();
  --impl_.depth_;
  if (!is_outer_) return;
  impl_.is_broken_ = false;
  impl_.remove_unneeded_files();
}

Store::Store(const std::string& folder) : impl_(std::make_unique<Impl>(folder)) {}
Store::~Store() = default;

const std::string& Store::folder() const { return impl_->folder; }

void Store::together(const std::function<void()>& action) {
  impl_->write([&](io::sqlite::Connection&) { action(); });
}

}  // namespace caos::studio
