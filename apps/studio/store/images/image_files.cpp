#include "apps/studio/store/images/image_files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "apps/studio/store/database/folder_lock.hpp"
#include "caos/error.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/sha256.hpp"
#include "caos/io/write_whole.hpp"

namespace caos::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t hash_digits = 64;

/// What `write_whole` leaves behind when it is killed where files cannot be without a name.
bool is_unfinished(const std::string& name) {
  return name.starts_with(".caos-") && name.ends_with(".tmp");
}

bool has_size(const std::string& path, std::size_t size) {
  std::error_code failure;
  return fs::file_size(path, failure) == size && !failure;
}

std::vector<fs::path> folders_in(const std::string& folder) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory() && !entry.is_symlink()) folders.push_back(entry.path());
  }
  return folders;
}

}  // namespace

bool is_sha256(const std::string& text) {
  return text.size() == hash_digits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::string sha256_of(std::span<const std::byte> bytes) { return io::sha256(bytes); }

ImageFiles::ImageFiles(std::string folder) : folder_(std::move(folder)) {
  io::make_folder(folder_);
}

std::string ImageFiles::path_of(const std::string& sha256) const {
  assert(is_sha256(sha256));
  return fmt::format("{}/{}/{}", folder_, sha256.substr(0, 2), sha256);
}

void ImageFiles::put(const std::string& sha256, std::span<const std::byte> bytes) const {
  const std::string path = path_of(sha256);
  if (has_size(path, bytes.size())) return;
  const std::string folder = fs::path(path).parent_path().string();
  if (!io::is_folder(folder)) {
    io::make_folder(folder);
    sync_folder(folder_);
  }
  io::write_whole(path, [&](io::Sink& sink) { sink.write(bytes); });
  ::chmod(path.c_str(), S_IRUSR | S_IRGRP | S_IROTH);  // a hint to people, no more
}

void ImageFiles::remove(const std::string& sha256) const {
  std::error_code ignored;  // what stays is removed when the store is opened next
  fs::remove(path_of(sha256), ignored);
}

void ImageFiles::remove_unless(
    const std::function<bool(const std::string& sha256)>& is_needed) const {
  for (const fs::path& folder : folders_in(folder_)) {
    for (const std::string& name : io::files_in(folder.string())) {
      const bool is_orphan = is_sha256(name) ? !is_needed(name) : is_unfinished(name);
      std::error_code ignored;
      if (is_orphan) fs::remove(folder / name, ignored);
    }
  }
}

}  // namespace caos::studio
