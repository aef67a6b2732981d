#include "apps/studio/exchange/zip_writer.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <utility>

#include "caos/error.hpp"

namespace caos::studio {
namespace {

[[noreturn]] void fail(const std::string& what, zip_error_t* error) {
  const Error failure(ErrorKind::backend, fmt::format("{}: {}", what, zip_error_strerror(error)));
  zip_error_fini(error);
  throw failure;
}

/// The first moment that zip archives know, so that bytes do not depend on the clock.
void add_entry(zip_t* archive, const std::string& name, zip_source_t* source, bool compress) {
  constexpr zip_uint16_t first_day = 0x21;
  const zip_int64_t index =
      source == nullptr ? -1 : zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    fail("a zip archive cannot be made", zip_get_error(archive));
  }
  const auto entry = static_cast<zip_uint64_t>(index);
  zip_set_file_compression(archive, entry, compress ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
  zip_file_set_dostime(archive, entry, 0, first_day, 0);
}

void add_text_entry(zip_t* archive, const std::string& name, const std::string& text) {
  add_entry(archive, name, zip_source_buffer(archive, text.data(), text.size(), 0), true);
}

/// libzip writes none: the record at the end of an archive, which says that nothing is before it.
std::string empty_archive() {
  constexpr std::size_t num_zeros = 18;
  return "PK\5\6" + std::string(num_zeros, '\0');
}

struct FreeSource {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Source = std::unique_ptr<zip_source_t, FreeSource>;

Source memory_source() {
  zip_error_t error;
  zip_error_init(&error);
  Source source(zip_source_buffer_create(nullptr, 0, 0, &error));
  if (!source) fail("a zip archive cannot be made", &error);
  return source;
}

zip_t* open_in_memory(zip_source_t* source) {
  zip_error_t error;
  zip_error_init(&error);
  zip_t* const archive = zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error);
  if (archive == nullptr) fail("a zip archive cannot be made", &error);
  zip_source_keep(source);  // the archive owns one, we the other
  return archive;
}

std::string bytes_of(zip_source_t* source) {
  zip_stat_t stat;
  zip_stat_init(&stat);
  require(zip_source_stat(source, &stat) == 0 && zip_source_open(source) == 0, ErrorKind::backend,
          "a zip archive cannot be read back");
  std::string bytes(stat.size, '\0');
  const zip_int64_t count = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  require(std::cmp_equal(count, bytes.size()), ErrorKind::backend,
          "a zip archive cannot be read back");
  return bytes;
}

}  // namespace

void ZipWriter::Discard::operator()(zip* archive) const { zip_discard(archive); }

ZipWriter::ZipWriter(const std::string& path) : path_(path) {
  int code = 0;
  archive_.reset(zip_open(path.c_str(), ZIP_CREATE | ZIP_EXCL, &code));
  if (archive_) return;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  fail(path, &error);
}

void ZipWriter::add_text(const std::string& name, const std::string& text) {
  add_text_entry(archive_.get(), name, text);
}

void ZipWriter::add_file(const std::string& name, const std::string& path) {
  add_entry(archive_.get(), name, zip_source_file(archive_.get(), path.c_str(), 0, -1), false);
}

void ZipWriter::finish() {
  if (zip_close(archive_.get()) != 0) fail(path_, zip_get_error(archive_.get()));
  archive_.release();
}

std::string zip_of_texts(std::span<const landmarks::NamedText> files) {
  if (files.empty()) return empty_archive();
  const Source source = memory_source();
  std::unique_ptr<zip_t, void (*)(zip_t*)> archive(open_in_memory(source.get()), zip_discard);
  for (const landmarks::NamedText& file : files) {
    add_text_entry(archive.get(), file.name, file.text);
  }
  if (zip_close(archive.get()) != 0) {
    fail("a zip archive cannot be made", zip_get_error(archive.get()));
  }
  archive.release();
  return bytes_of(source.get());
}

}  // namespace caos::studio
