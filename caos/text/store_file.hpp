#pragma once

#include <map>
#include <string>
#include <vector>

#include "caos/io/sqlite.hpp"

// What the stores have in common; not for users of the library.
namespace caos::text {

using StoreMeta = std::map<std::string, std::string>;

/// What a kind of store holds, in the words of errors, and its one table.
struct StoreLayout {
  const char* name;          ///< "score store"
  const char* content;       ///< "scores"
  const char* belongs_to;    ///< what another of it makes another store
  const char* create_table;  ///< in SQL, of a table whose name comes before "meta"
};

/// Where the store with this identity is in a folder: another identity is another file.
[[nodiscard]] std::string store_path(const std::string& folder, const char* prefix,
                                     const StoreMeta& identity);

/// A file of what a model said before, in SQLite. What is committed is safe on the disk.
class StoreFile {
 public:
  /// Opens the file, and makes it where it is missing; an empty path is a store in memory. Throws
  /// `bad_format` if it is damaged, or belongs to another identity. `notes` are only for people.
  StoreFile(std::string path, const StoreLayout& layout, const StoreMeta& identity,
            const StoreMeta& notes);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] io::sqlite::Connection& connection() { return connection_; }

  /// Throws `bad_format` with the file and the remedy.
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  [[nodiscard]] std::vector<std::string> column(const char* sql);
  void create_if_empty(const StoreMeta& content);
  void check_form();
  void check_identity(const StoreMeta& identity);

  std::string path_;
  StoreLayout layout_;
  std::string remedy_;
  io::sqlite::Connection connection_;
};

}  // namespace caos::text
