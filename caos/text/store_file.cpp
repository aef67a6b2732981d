#include "caos/text/store_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "caos/error.hpp"
#include "caos/text/score_cell.hpp"

namespace caos::text {
namespace {

namespace sqlite = io::sqlite;

constexpr const char* create_meta =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID";

/// The length of a file; 0 of one that is not there.
std::uintmax_t size_of(const std::string& path) {
  std::error_code failure;
  const std::uintmax_t size = std::filesystem::file_size(path, failure);
  return failure ? 0 : size;
}

}  // namespace

std::string store_path(const std::string& folder, const char* prefix, const StoreMeta& identity) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : identity) parts.insert(parts.end(), {key, value});
  return (std::filesystem::path(folder) / fmt::format("{}-{}.sqlite", prefix, key_of(parts)))
      .string();
}

StoreFile::StoreFile(std::string path, const StoreLayout& layout, const StoreMeta& identity,
                     const StoreMeta& notes)
    : path_(std::move(path)),
      layout_(layout),
      remedy_(fmt::format("move it away to compute its {} again", layout.content)),
      connection_(path_, {layout.name, remedy_.c_str()}) {
  // A commit is on the disk when it returns, the end of its journal too.
  connection_.execute("PRAGMA synchronous = EXTRA");
  StoreMeta content = identity;
  content.insert(notes.begin(), notes.end());
  create_if_empty(content);
  check_form();
  check_identity(identity);
}

void StoreFile::refuse(const std::string& what) const {
  throw Error(ErrorKind::bad_format, fmt::format("{}: {}; {}", path_, what, remedy_));
}

/// The first column of all rows.
std::vector<std::string> StoreFile::column(const char* sql) {
  sqlite::Statement statement(connection_, sql);
  sqlite::Query query(statement);
  std::vector<std::string> values;
  while (query.next()) values.push_back(query.bytes(0));
  return values;
}

void StoreFile::create_if_empty(const StoreMeta& content) {
  const char* const all = "SELECT name FROM sqlite_master";
  // Asked without a lock first, so that a store that is there can be read where nothing can be
  // written.
  if (!column(all).empty()) return;
  sqlite::Transaction transaction(connection_, sqlite::Transaction::Kind::writing);
  if (!column(all).empty()) return;  // another process was faster
  // SQLite takes the first bytes of a page for nothing at all.
  if (size_of(path_) != 0) refuse(fmt::format("damaged, or not a {}", layout_.name));
  connection_.execute(create_meta);
  connection_.execute(layout_.create_table);
  sqlite::Statement insert(connection_, "INSERT INTO meta VALUES(?, ?)");
  for (const auto& [key, value] : content) {
    sqlite::Query(insert).bind_text(1, key).bind_text(2, value).next();
  }
  transaction.commit();
}

void StoreFile::check_form() {
  // No other process writes until this has been read.
  const sqlite::Transaction transaction(connection_, sqlite::Transaction::Kind::reading);
  const std::vector<std::string> tables = column("SELECT sql FROM sqlite_master ORDER BY name");
  if (tables != std::vector<std::string>{layout_.create_table, create_meta}) {
    refuse(fmt::format("not a {} that this version of caos knows", layout_.name));
  }
  const auto pages =
      column("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
  // SQLite takes what is missing of the last page for zeros.
  if (!path_.empty() && pages != std::vector{std::to_string(size_of(path_))}) {
    refuse("is damaged (its length is not what it should be)");
  }
  const std::vector<std::string> found = column("PRAGMA quick_check(1)");
  if (found != std::vector<std::string>{"ok"}) {
    refuse(fmt::format("is damaged ({})", found.empty() ? "unreadable" : found[0]));
  }
}

void StoreFile::check_identity(const StoreMeta& identity) {
  sqlite::Statement statement(connection_, "SELECT value FROM meta WHERE key = ?");
  for (const auto& [key, expected] : identity) {
    sqlite::Query query(statement);
    const bool is_there = query.bind_text(1, key).next();
    if (!is_there || query.bytes(0) != expected) {
      refuse(fmt::format("holds {} of another {} ('{}' differs)", layout_.content,
                         layout_.belongs_to, key));
    }
  }
}

}  // namespace caos::text
