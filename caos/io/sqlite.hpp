#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

// What the library needs of SQLite; not for its users.
namespace caos::io::sqlite {

/// What errors say of a database.
struct Meaning {
  std::string what = "database";                     ///< what the file should be
  std::string remedy = "put a backup in its place";  ///< if it is damaged
};

/// An open database. For one thread at a time. All failures are an Error that names it: bad_format
/// if the file is damaged or no database, else backend.
class Connection {
 public:
  /// Opens a file, and makes an empty one where there is none. Without a path it is in memory.
  explicit Connection(const std::string& path, Meaning meaning = {});

  [[nodiscard]] sqlite3* handle() const { return handle_.get(); }

  /// Runs statements that take and return nothing.
  void execute(const char* sql);

  /// Throws unless `code`, which SQLite answered, is a success.
  void check(int code) const;

  /// The number of the row that was inserted last.
  [[nodiscard]] std::int64_t last_row() const;

  /// How many rows the last statement changed.
  [[nodiscard]] std::int64_t changes() const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };

  std::string name_;
  Meaning meaning_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// A statement that is used again and again. Must not outlive its connection.
class Statement {
 public:
  Statement(Connection& connection, std::string_view sql);

  [[nodiscard]] sqlite3_stmt* handle() const { return handle_.get(); }
  [[nodiscard]] const Connection& connection() const { return connection_; }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const;
  };

  Connection& connection_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

/// One use of a statement. Parameters count from 1 and must outlive it, columns count from 0.
class Query {
 public:
  explicit Query(Statement& statement) : statement_(statement) {}
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  ~Query();

  Query& bind_text(int parameter, const std::string& text);
  Query& bind_blob(int parameter, const std::string& bytes);
  Query& bind_integer(int parameter, std::int64_t value);
  Query& bind_real(int parameter, double value);
  Query& bind_null(int parameter);

  /// Goes to the next row, the first one at first; false if there is none.
  bool next();

  /// The bytes of a text or blob in this row.
  [[nodiscard]] std::string bytes(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] bool is_null(int column) const;

 private:
  Statement& statement_;
};

/// What happens until `commit`, whole or not at all.
class Transaction {
 public:
  enum class Kind { reading, writing };

  /// Waits while another process writes.
  Transaction(Connection& connection, Kind kind);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  void commit();

 private:
  Connection& connection_;
  bool open_ = true;
};

}  // namespace caos::io::sqlite
