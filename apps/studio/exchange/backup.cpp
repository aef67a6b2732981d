#include "apps/studio/exchange/backup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "apps/studio/exchange/backup_json.hpp"
#include "apps/studio/exchange/download_name.hpp"
#include "apps/studio/exchange/zip_reader.hpp"
#include "apps/studio/exchange/zip_writer.hpp"
#include "apps/studio/store/database/clock.hpp"
#include "apps/studio/store/store_limits.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

constexpr const char* backup_suffix = ".caos-project.zip";
constexpr const char* project_entry = "project.json";
constexpr std::string_view image_folder = "images/";
constexpr const char* archive_name = "the backup";

/// More than this says no project of people.
constexpr std::uint64_t max_json = std::uint64_t{256} << 20;
constexpr std::uint64_t max_image = std::uint64_t{1} << 30;

std::string temporary_path(const Store& store) {
  std::random_device random;
  return fmt::format("{}/tmp/backup-{:08x}{:08x}.zip", store.folder(), random(), random());
}

std::string entry_of(const std::string& sha256) { return std::string(image_folder) + sha256; }

// Restoring.

using Entries = std::unordered_map<std::string, const ZipReader::Entry*>;

Entries entries_of(const ZipReader& archive) {
  Entries entries;
  for (const ZipReader::Entry& entry : archive.entries()) {
    if (!entries.emplace(entry.name, &entry).second) archive.refuse("has two entries of one name");
  }
  return entries;
}

ProjectSnapshot read_project(const ZipReader& archive, const Entries& entries) {
  const auto found = entries.find(project_entry);
  if (found == entries.end()) archive.refuse("has no project.json; not a backup of a project");
  if (found->second->size > max_json) archive.refuse("has a project.json of absurd size");
  const std::vector<std::byte> bytes = archive.read(*found->second);
  return parse_backup_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// Images are kept as they are, so what an archive holds is not larger than it says.
void check_image(const ZipReader& archive, const ZipReader::Entry& entry) {
  if (!entry.is_stored || entry.packed_size != entry.size) {
    archive.refuse("has compressed images; it was altered, restore the file as it was made");
  }
  if (entry.size > max_image) archive.refuse("has an image of absurd size");
}

/// Nothing but the images of the project is there, and all of them are.
void check_images(const ZipReader& archive, const Entries& entries,
                  const ProjectSnapshot& project) {
  for (const ImageSnapshot& image : project.images) {
    const auto found = entries.find(entry_of(image.image.sha256));
    if (found == entries.end()) {
      archive.refuse(fmt::format("lacks the image {}", image.image.name));
    }
    check_image(archive, *found->second);
  }
  if (entries.size() != project.images.size() + 1) {
    archive.refuse("has entries that belong to no image of its project");
  }
}

/// Entries that lie over each other would make more of an archive than it is.
void check_total(const ZipReader& archive, std::uint64_t archive_size) {
  std::uint64_t total = 0;
  for (const ZipReader::Entry& entry : archive.entries()) {
    if (entry.packed_size > archive_size - std::min(total, archive_size)) {
      archive.refuse("has entries that overlap");
    }
    total += entry.packed_size;
  }
}

Project restore(Store& store, const ZipReader& archive, std::uint64_t archive_size,
                const std::optional<std::string>& name) {
  check_total(archive, archive_size);
  const Entries entries = entries_of(archive);
  ProjectSnapshot project = read_project(archive, entries);
  check_images(archive, entries, project);
  if (name) project.project.name = *name;
  try {
    return store.restore(project, [&](const std::string& sha256) {
      return archive.read(*entries.at(entry_of(sha256)));
    });
  } catch (const Error& error) {
    // What is wrong is not what was asked for, but the file.
    if (error.kind() == ErrorKind::invalid_input) archive.refuse(error.what());
    throw;
  }
}

constexpr std::size_t max_entries = limits::images + 1;

}  // namespace

LargeDownload backup_project(Store& store, Id project) {
  ProjectSnapshot snapshot = store.snapshot(project);
  snapshot.made_at = utc_now();
  const std::string json = backup_json(snapshot);
  const std::string path = temporary_path(store);
  ZipWriter archive(path);
  archive.add_text(project_entry, json);
  for (const ImageSnapshot& image : snapshot.images) {
    archive.add_file(entry_of(image.image.sha256), store.path_of(image.image));
  }
  archive.finish();
  return {.name = download_name(snapshot.project.name, backup_suffix),
          .type = "application/zip",
          .file = SpooledFile::take(path)};
}

Project restore_project(Store& store, const std::string& path,
                        const std::optional<std::string>& name) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  require(!error, ErrorKind::not_found, [&] { return fmt::format("{}: cannot be opened", path); });
  return restore(store, ZipReader::of_file(path, archive_name, max_entries), size, name);
}

Project restore_project(Store& store, std::span<const std::byte> bytes,
                        const std::optional<std::string>& name) {
  return restore(store, ZipReader::of_bytes(bytes, archive_name, max_entries), bytes.size(), name);
}

}  // namespace caos::studio
