#include "apps/studio/exchange/zip_reader.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <utility>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"

namespace caos::studio {
namespace {

/// Deflate makes at most 1032 bytes of one.
constexpr zip_uint64_t most_unpacked = 1032;

[[noreturn]] void refuse_archive(const std::string& name, zip_error_t* error) {
  const std::string why = zip_error_strerror(error);
  zip_error_fini(error);
  io::refuse(name, fmt::format("not a complete zip archive: {}", why));
}

ZipReader::Entry entry_of(zip_t* archive, std::uint64_t index, const ZipReader& reader) {
  constexpr zip_uint64_t needed =
      ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
  zip_stat_t stat;
  if (zip_stat_index(archive, index, ZIP_FL_ENC_RAW, &stat) != 0 ||
      (stat.valid & needed) != needed) {
    reader.refuse(fmt::format("entry {} is damaged", index));
  }
  const std::string name = stat.name;
  const bool encrypted =
      (stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE;
  if (encrypted) reader.refuse(fmt::format("'{}' is encrypted", io::printable(name)));
  if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) {
    reader.refuse(fmt::format("'{}' is compressed in an unknown way", io::printable(name)));
  }
  // Room is made for what an entry says before it is unpacked, so it must be possible.
  const bool possible = stat.comp_method == ZIP_CM_STORE
                            ? stat.size == stat.comp_size
                            : stat.size / most_unpacked <= stat.comp_size;
  if (!possible) {
    reader.refuse(fmt::format("'{}' says to be larger than it can be", io::printable(name)));
  }
  return {.name = name,
          .index = index,
          .size = stat.size,
          .packed_size = stat.comp_size,
          .is_stored = stat.comp_method == ZIP_CM_STORE};
}

}  // namespace

void ZipReader::Discard::operator()(zip* archive) const { zip_discard(archive); }

ZipReader::ZipReader(zip* archive, std::string name, std::size_t max_entries)
    : archive_(archive), name_(std::move(name)) {
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  if (std::cmp_greater(count, max_entries)) {
    refuse(fmt::format("has {} entries; at most {} are taken", count, max_entries));
  }
  for (zip_int64_t i = 0; i < count; ++i) {
    entries_.push_back(entry_of(archive, static_cast<std::uint64_t>(i), *this));
  }
}

ZipReader ZipReader::of_file(const std::string& path, const std::string& name,
                             std::size_t max_entries) {
  int code = 0;
  zip_t* const archive = zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code);
  if (archive != nullptr) return {archive, name, max_entries};
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  refuse_archive(name, &error);
}

ZipReader ZipReader::of_bytes(std::span<const std::byte> bytes, const std::string& name,
                              std::size_t max_entries) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  if (source == nullptr) refuse_archive(name, &error);
  zip_t* const archive = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
  if (archive != nullptr) return {archive, name, max_entries};
  zip_source_free(source);
  refuse_archive(name, &error);
}

std::vector<std::byte> ZipReader::read(const Entry& entry) const {
  const auto refuse_entry = [&] {
    refuse(fmt::format("'{}' is damaged", io::printable(entry.name)));
  };
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(
      zip_fopen_index(archive_.get(), entry.index, 0), zip_fclose);
  if (!file) refuse_entry();
  std::vector<std::byte> bytes(entry.size);
  if (!std::cmp_equal(zip_fread(file.get(), bytes.data(), bytes.size()), bytes.size())) {
    refuse_entry();
  }
  // Only at the end the checksum is looked at, and seen whether there is more than was said.
  std::byte more{};
  if (zip_fread(file.get(), &more, 1) != 0) refuse_entry();
  return bytes;
}

void ZipReader::refuse(const std::string& what) const { io::refuse(name_, what); }

}  // namespace caos::studio
