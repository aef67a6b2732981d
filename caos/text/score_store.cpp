#include "caos/text/score_store.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/sqlite.hpp"
#include "caos/text/score_cell.hpp"
#include "caos/version.hpp"

namespace caos::text {
namespace {

namespace sqlite = io::sqlite;
using Meta = std::map<std::string, std::string>;

constexpr const char* create_meta =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID";
constexpr const char* create_cells =
    "CREATE TABLE cells(reference TEXT NOT NULL, text TEXT NOT NULL, likelihoods BLOB NOT NULL, "
    "PRIMARY KEY(reference, text)) WITHOUT ROWID";

/// What makes it another store if it differs.
Meta identity_of(const LanguageModel& model, const Question& question) {
  return {{"format", "caos-scores"},
          {"version", "1"},
          {"model_identity", model.identity()},
          {"template", question.prompt.source()},
          {"labels", nlohmann::json(question.labels.names()).dump()}};
}

/// What is good to know of a store.
Meta notes_of(const LanguageModel& model) {
  return {{"model", model.description()}, {"written_by", fmt::format("caos {}", version())}};
}

std::string name_of(const Meta& identity) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : identity) parts.insert(parts.end(), {key, value});
  return fmt::format("scores-{}.sqlite", key_of(parts));
}

/// The length of a file; 0 of one that is not there.
std::uintmax_t size_of(const std::string& path) {
  std::error_code failure;
  const std::uintmax_t size = std::filesystem::file_size(path, failure);
  return failure ? 0 : size;
}

std::vector<CellKey> keys_of(const LabeledText& reference, std::span<const std::string> texts) {
  const std::string of_reference = key_of(reference);
  std::vector<CellKey> keys;
  keys.reserve(texts.size());
  for (const std::string& text : texts) keys.push_back({of_reference, key_of(text)});
  return keys;
}

void check_scored(std::span<const ScoredText> scored, std::size_t num_texts,
                  std::size_t num_labels) {
  require(scored.size() == num_texts, ErrorKind::invalid_input, [&] {
    return fmt::format("there are likelihoods of {} texts, but {} texts", scored.size(), num_texts);
  });
  for (std::size_t t = 0; t < num_texts; ++t) {
    const std::string complaint = complaint_about(scored[t], num_labels);
    require(complaint.empty(), ErrorKind::bad_format, [&] {
      return fmt::format("text {} of {} was given likelihoods that cannot be: {}", t, num_texts,
                         complaint);
    });
  }
}

}  // namespace

class ScoreStore::Database {
 public:
  Database(std::string path, const Meta& identity, const Meta& notes, std::size_t num_labels);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::vector<std::optional<ScoredText>> find(std::span<const CellKey> keys);
  void add(std::span<const CellKey> keys, std::span<const ScoredText> scored);
  [[nodiscard]] std::uint64_t size();
  [[nodiscard]] std::size_t num_labels() const { return num_labels_; }

 private:
  /// What is needed of the tables, once they are there.
  struct Cells {
    explicit Cells(sqlite::Connection& connection);

    sqlite::Statement find;
    sqlite::Statement insert;
    sqlite::Statement count;
  };

  [[noreturn]] void refuse(const std::string& what) const;
  [[nodiscard]] std::vector<std::string> column(const char* sql);
  void create_if_empty(const Meta& content);
  void check_form();
  void check_identity(const Meta& identity);
  [[nodiscard]] std::optional<ScoredText> find_one(const CellKey& key);

  std::string path_;
  std::size_t num_labels_;
  std::mutex mutex_;
  sqlite::Connection connection_;
  std::optional<Cells> cells_;
};

ScoreStore::Database::Cells::Cells(sqlite::Connection& connection)
    : find(connection, "SELECT likelihoods FROM cells WHERE reference = ? AND text = ?"),
      insert(connection, "INSERT OR IGNORE INTO cells VALUES(?, ?, ?)"),
      count(connection, "SELECT count(*) FROM cells") {}

ScoreStore::Database::Database(std::string path, const Meta& identity, const Meta& notes,
                               std::size_t num_labels)
    : path_(std::move(path)),
      num_labels_(num_labels),
      connection_(path_, {"score store", "move it away to compute its scores again"}) {
  // A commit is on the disk when it returns, the end of its journal too.
  connection_.execute("PRAGMA synchronous = EXTRA");
  Meta content = identity;
  content.insert(notes.begin(), notes.end());
  create_if_empty(content);
  check_form();
  check_identity(identity);
  cells_.emplace(connection_);
}

void ScoreStore::Database::refuse(const std::string& what) const {
  throw Error(ErrorKind::bad_format,
              fmt::format("{}: {}; move it away to compute its scores again", path_, what));
}

/// The first column of all rows.
std::vector<std::string> ScoreStore::Database::column(const char* sql) {
  sqlite::Statement statement(connection_, sql);
  sqlite::Query query(statement);
  std::vector<std::string> values;
  while (query.next()) values.push_back(query.bytes(0));
  return values;
}

void ScoreStore::Database::create_if_empty(const Meta& content) {
  const char* const all = "SELECT name FROM sqlite_master";
  // Asked without a lock first, so that a store that is there can be read where nothing can be
  // written.
  if (!column(all).empty()) return;
  sqlite::Transaction transaction(connection_, sqlite::Transaction::Kind::writing);
  if (!column(all).empty()) return;  // another process was faster
  // SQLite takes the first bytes of a page for nothing at all.
  if (size_of(path_) != 0) refuse("is damaged or no score store");
  connection_.execute(create_meta);
  connection_.execute(create_cells);
  sqlite::Statement insert(connection_, "INSERT INTO meta VALUES(?, ?)");
  for (const auto& [key, value] : content) {
    sqlite::Query(insert).bind_text(1, key).bind_text(2, value).next();
  }
  transaction.commit();
}

void ScoreStore::Database::check_form() {
  // Nobody else writes until this has been read.
  const sqlite::Transaction transaction(connection_, sqlite::Transaction::Kind::reading);
  const std::vector<std::string> tables = column("SELECT sql FROM sqlite_master ORDER BY name");
  if (tables != std::vector<std::string>{create_cells, create_meta}) {
    refuse("is no score store that this version of caos knows");
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

void ScoreStore::Database::check_identity(const Meta& identity) {
  sqlite::Statement statement(connection_, "SELECT value FROM meta WHERE key = ?");
  for (const auto& [key, expected] : identity) {
    sqlite::Query query(statement);
    const bool is_there = query.bind_text(1, key).next();
    if (!is_there || query.bytes(0) != expected) {
      refuse(fmt::format("holds scores of another model, template or labels ('{}' differs)", key));
    }
  }
}

std::optional<ScoredText> ScoreStore::Database::find_one(const CellKey& key) {
  sqlite::Query query(cells_->find);
  if (!query.bind_text(1, key.reference).bind_text(2, key.text).next()) return std::nullopt;
  std::optional<ScoredText> scored = unpack_cell(key, query.bytes(0), num_labels_);
  if (!scored) refuse(fmt::format("the likelihoods of text {} are damaged", key.text));
  return scored;
}

std::vector<std::optional<ScoredText>> ScoreStore::Database::find(std::span<const CellKey> keys) {
  std::vector<std::optional<ScoredText>> found;
  found.reserve(keys.size());
  const std::lock_guard lock(mutex_);
  // One lock of the file for all of them.
  sqlite::Transaction transaction(connection_, sqlite::Transaction::Kind::reading);
  for (const CellKey& key : keys) found.push_back(find_one(key));
  return found;
}

void ScoreStore::Database::add(std::span<const CellKey> keys, std::span<const ScoredText> scored) {
  const std::lock_guard lock(mutex_);
  sqlite::Transaction transaction(connection_, sqlite::Transaction::Kind::writing);
  for (std::size_t t = 0; t < keys.size(); ++t) {
    const std::string cell = pack_cell(keys[t], scored[t]);
    sqlite::Query query(cells_->insert);
    query.bind_text(1, keys[t].reference).bind_text(2, keys[t].text).bind_blob(3, cell).next();
  }
  transaction.commit();
}

std::uint64_t ScoreStore::Database::size() {
  const std::lock_guard lock(mutex_);
  sqlite::Query query(cells_->count);
  query.next();
  return static_cast<std::uint64_t>(query.integer(0));
}

ScoreStore::ScoreStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}
ScoreStore::ScoreStore(ScoreStore&&) noexcept = default;
ScoreStore& ScoreStore::operator=(ScoreStore&&) noexcept = default;
ScoreStore::~ScoreStore() = default;

ScoreStore ScoreStore::in_memory(const LanguageModel& model, const Question& question) {
  return ScoreStore(std::make_unique<Database>("", identity_of(model, question), notes_of(model),
                                               question.labels.size()));
}

ScoreStore ScoreStore::open(const std::string& folder, const LanguageModel& model,
                            const Question& question) {
  io::make_folder(folder);
  const Meta identity = identity_of(model, question);
  const std::string path = (std::filesystem::path(folder) / name_of(identity)).string();
  return ScoreStore(
      std::make_unique<Database>(path, identity, notes_of(model), question.labels.size()));
}

bool ScoreStore::exists(const std::string& folder, const LanguageModel& model,
                        const Question& question) {
  std::error_code ignored;
  return std::filesystem::exists(
      std::filesystem::path(folder) / name_of(identity_of(model, question)), ignored);
}

const std::string& ScoreStore::path() const { return database_->path(); }

std::vector<std::optional<ScoredText>> ScoreStore::find(const LabeledText& reference,
                                                        std::span<const std::string> texts) const {
  return database_->find(keys_of(reference, texts));
}

void ScoreStore::add(const LabeledText& reference, std::span<const std::string> texts,
                     std::span<const ScoredText> scored) {
  check_scored(scored, texts.size(), database_->num_labels());
  if (!texts.empty()) database_->add(keys_of(reference, texts), scored);
}

std::uint64_t ScoreStore::size() const { return database_->size(); }

}  // namespace caos::text
