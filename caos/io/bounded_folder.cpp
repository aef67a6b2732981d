#include "caos/io/bounded_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace caos::io {
namespace {

namespace fs = std::filesystem;

struct Entry {
  fs::file_time_type used_at{};
  std::string path{};
  std::uint64_t bytes = 0;
};

bool is_hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool is_shelf(std::string_view name) {
  return name.size() == 2 && is_hexadecimal(name[0]) && is_hexadecimal(name[1]);
}

/// What a writer that was killed may have left (`write_whole`).
bool is_abandoned(std::string_view name) {
  return name.starts_with(".caos-") && name.ends_with(".tmp");
}

bool is_entry(std::string_view name, std::string_view shelf, std::string_view ending) {
  return (name.starts_with(shelf) && name.ends_with(ending)) || is_abandoned(name);
}

void add_files(const fs::path& shelf, std::string_view ending, std::vector<Entry>& entries) {
  std::error_code error;
  for (fs::directory_iterator file(shelf, error), end; !error && file != end;
       file.increment(error)) {
    const std::string name = file->path().filename().string();
    if (!is_entry(name, shelf.filename().string(), ending)) continue;
    std::error_code gone;  // others may delete it while we look
    const fs::file_status status = file->symlink_status(gone);
    if (gone || !fs::is_regular_file(status)) continue;
    const std::uint64_t bytes = file->file_size(gone);
    const fs::file_time_type used_at = gone ? fs::file_time_type() : file->last_write_time(gone);
    if (!gone) entries.push_back({used_at, file->path().string(), bytes});
  }
}

std::vector<Entry> entries_of(const std::string& folder, std::string_view ending) {
  std::vector<Entry> entries;
  std::error_code error;
  for (fs::directory_iterator shelf(folder, error), end; !error && shelf != end;
       shelf.increment(error)) {
    std::error_code gone;
    const bool ours = is_shelf(shelf->path().filename().string()) &&
                      fs::is_directory(shelf->symlink_status(gone)) && !gone;
    if (ours) add_files(shelf->path(), ending, entries);
  }
  return entries;
}

}  // namespace

void BoundedFolder::touch(const std::string& file) const {
  std::error_code ignored;  // a folder that only can be read
  fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);
}

bool BoundedFolder::must_look() const {
  // Other processes write, too.
  return !bytes_ || *bytes_ > most_bytes_ || added_ > most_bytes_ / 8;
}

void BoundedFolder::added(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes_) *bytes_ += bytes;
  added_ += bytes;
  if (must_look()) shrink();
}

/// To a tenth below the size, so that not every file that is written needs a look.
void BoundedFolder::shrink() {
  std::vector<Entry> entries = entries_of(path_, ending_);
  std::uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.bytes;
  if (total > most_bytes_) {
    std::ranges::sort(entries, {}, [](const Entry& e) { return std::tie(e.used_at, e.path); });
    for (const Entry& entry : entries) {
      if (total <= most_bytes_ - most_bytes_ / 10) break;
      std::error_code ignored;
      fs::remove(entry.path, ignored);
      if (!ignored) total -= entry.bytes;
    }
  }
  bytes_ = total;
  added_ = 0;
}

}  // namespace caos::io
