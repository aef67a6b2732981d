#include "apps/studio/store/database/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "caos/error.hpp"

namespace caos::studio {

FolderLock::FolderLock(const std::string& folder)
    : file_(::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (!file_) throw io::failed(folder + "/lock", "cannot be opened", errno);
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) throw io::failed(folder + "/lock", "cannot be locked", errno);
  throw Error(
      ErrorKind::invalid_input,
      fmt::format("{}: is in use by another caos serve; end that one or give another folder",
                  folder));
}

void sync_folder(const std::string& folder) {
  const io::Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor || ::fsync(descriptor.get()) != 0) {
    throw io::failed(folder, "cannot be synced to the disk", errno);
  }
}

}  // namespace caos::studio
