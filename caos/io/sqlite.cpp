#include "caos/io/sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <string_view>
#include <system_error>
#include <utility>

#include "caos/error.hpp"

namespace caos::io::sqlite {
namespace {

/// Other processes lock the file for one commit; a longer wait means that one is stuck.
constexpr int patience_ms = 120'000;

std::string reason(sqlite3* handle, int code) {
  std::string text = handle == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle);
  const int kind = code & 0xff;
  const int system = handle == nullptr ? 0 : sqlite3_system_errno(handle);
  // Elsewhere the number is left over from an earlier call.
  if (system != 0 && (kind == SQLITE_CANTOPEN || kind == SQLITE_IOERR)) {
    text += fmt::format(": {}", std::generic_category().message(system));
  }
  return text;
}

[[noreturn]] void fail(const std::string& name, const Meaning& meaning, int code,
                       const std::string& why) {
  const auto backend = [&](std::string_view what) {
    return Error(ErrorKind::backend, fmt::format("{}: {} ({})", name, what, why));
  };
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      throw Error(ErrorKind::bad_format, fmt::format("{}: damaged, or not a {} ({}); {}", name,
                                                     meaning.what, why, meaning.remedy));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw backend(
          fmt::format("another process has kept it locked for {} seconds", patience_ms / 1000));
    case SQLITE_READONLY:
      throw backend("cannot be written; the file and its folder must be writable");
    case SQLITE_FULL:
      throw backend("cannot be written; is the disk full?");
    case SQLITE_CANTOPEN:
      throw backend("it or its journal cannot be opened or made; is the folder writable?");
    case SQLITE_IOERR:
      throw backend("cannot be read or written; is the disk full or gone?");
    default:
      throw backend("SQLite failed");
  }
}

}  // namespace

void Connection::Close::operator()(sqlite3* handle) const { sqlite3_close(handle); }

Connection::Connection(const std::string& path, Meaning meaning)
    : name_(path.empty() ? meaning.what + " in memory" : path), meaning_(std::move(meaning)) {
  sqlite3* handle = nullptr;
  const std::string file = path.empty() ? ":memory:" : path;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);  // also where opening failed
  check(code);
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, patience_ms);
  // The file may come from anywhere.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
}

void Connection::execute(const char* sql) {
  check(sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr));
}

void Connection::check(int code) const {
  const bool fine = code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE;
  if (!fine) fail(name_, meaning_, code, reason(handle(), code));
}

std::int64_t Connection::last_row() const { return sqlite3_last_insert_rowid(handle()); }

std::int64_t Connection::changes() const { return sqlite3_changes64(handle()); }

void Statement::Finalize::operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }

Statement::Statement(Connection& connection, std::string_view sql) : connection_(connection) {
  sqlite3_stmt* handle = nullptr;
  connection.check(sqlite3_prepare_v2(connection.handle(), sql.data(), static_cast<int>(sql.size()),
                                      &handle, nullptr));
  handle_.reset(handle);
}

Query::~Query() {
  sqlite3_reset(statement_.handle());
  sqlite3_clear_bindings(statement_.handle());
}

// No destructor for the bytes, since they outlive the query.
Query& Query::bind_text(int parameter, const std::string& text) {
  statement_.connection().check(sqlite3_bind_text64(statement_.handle(), parameter, text.data(),
                                                    text.size(), nullptr, SQLITE_UTF8));
  return *this;
}

Query& Query::bind_blob(int parameter, const std::string& bytes) {
  statement_.connection().check(
      sqlite3_bind_blob64(statement_.handle(), parameter, bytes.data(), bytes.size(), nullptr));
  return *this;
}

Query& Query::bind_integer(int parameter, std::int64_t value) {
  statement_.connection().check(sqlite3_bind_int64(statement_.handle(), parameter, value));
  return *this;
}

Query& Query::bind_real(int parameter, double value) {
  statement_.connection().check(sqlite3_bind_double(statement_.handle(), parameter, value));
  return *this;
}

Query& Query::bind_null(int parameter) {
  statement_.connection().check(sqlite3_bind_null(statement_.handle(), parameter));
  return *this;
}

bool Query::next() {
  const int code = sqlite3_step(statement_.handle());
  statement_.connection().check(code);
  return code == SQLITE_ROW;
}

std::string Query::bytes(int column) const {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_.handle(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.handle(), column));
  return data == nullptr ? std::string() : std::string(data, size);
}

std::int64_t Query::integer(int column) const {
  return sqlite3_column_int64(statement_.handle(), column);
}

double Query::real(int column) const { return sqlite3_column_double(statement_.handle(), column); }

bool Query::is_null(int column) const {
  return sqlite3_column_type(statement_.handle(), column) == SQLITE_NULL;
}

Transaction::Transaction(Connection& connection, Kind kind) : connection_(connection) {
  // A writer asks for its lock at once: two readers that want to become writers wait for each
  // other.
  connection.execute(kind == Kind::writing ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  // Fails where SQLite has rolled back by itself, which is as good.
  if (open_) sqlite3_exec(connection_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  connection_.execute("COMMIT");
  open_ = false;
}

}  // namespace caos::io::sqlite
