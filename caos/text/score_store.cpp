#include "caos/text/score_store.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/folder.hpp"
#include "caos/text/score_cell.hpp"
#include "caos/text/store_file.hpp"
#include "caos/version.hpp"

namespace caos::text {
namespace {

namespace sqlite = io::sqlite;

constexpr StoreLayout layout = {
    .name = "score store",
    .content = "scores",
    .belongs_to = "model, template or labels",
    .create_table =
        "CREATE TABLE cells(reference TEXT NOT NULL, text TEXT NOT NULL, likelihoods BLOB NOT "
        "NULL, PRIMARY KEY(reference, text)) WITHOUT ROWID"};

/// What makes it another store if it differs.
StoreMeta identity_of(const LanguageModel& model, const Question& question) {
  return {{"format", "caos-scores"},
          {"version", "1"},
          {"model_identity", model.identity()},
          {"template", question.prompt.source()},
          {"labels", nlohmann::json(question.labels.names()).dump()}};
}

/// What is good to know of a store.
StoreMeta notes_of(const LanguageModel& model) {
  return {{"model", model.description()}, {"written_by", fmt::format("caos {}", version())}};
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
  Database(std::string path, const StoreMeta& identity, const StoreMeta& notes,
           std::size_t num_labels)
      : file_(std::move(path), layout, identity, notes),
        cells_(file_.connection()),
        num_labels_(num_labels) {}

  [[nodiscard]] const std::string& path() const { return file_.path(); }
  [[nodiscard]] std::vector<std::optional<ScoredText>> find(std::span<const CellKey> keys);
  void add(std::span<const CellKey> keys, std::span<const ScoredText> scored);
  [[nodiscard]] std::uint64_t size();
  [[nodiscard]] std::size_t num_labels() const { return num_labels_; }

 private:
  struct Cells {
    explicit Cells(sqlite::Connection& connection)
        : find(connection, "SELECT likelihoods FROM cells WHERE reference = ? AND text = ?"),
          insert(connection, "INSERT OR IGNORE INTO cells VALUES(?, ?, ?)"),
          count(connection, "SELECT count(*) FROM cells") {}

    sqlite::Statement find;
    sqlite::Statement insert;
    sqlite::Statement count;
  };

  [[nodiscard]] std::optional<ScoredText> find_one(const CellKey& key);

  std::mutex mutex_;
  StoreFile file_;
  Cells cells_;
  std::size_t num_labels_;
};

std::optional<ScoredText> ScoreStore::Database::find_one(const CellKey& key) {
  sqlite::Query query(cells_.find);
  if (!query.bind_text(1, key.reference).bind_text(2, key.text).next()) return std::nullopt;
  std::optional<ScoredText> scored = unpack_cell(key, query.bytes(0), num_labels_);
  if (!scored) file_.refuse(fmt::format("the likelihoods of text {} are damaged", key.text));
  return scored;
}

std::vector<std::optional<ScoredText>> ScoreStore::Database::find(std::span<const CellKey> keys) {
  std::vector<std::optional<ScoredText>> found;
  found.reserve(keys.size());
  const std::lock_guard lock(mutex_);
  // One lock of the file for all of them.
  sqlite::Transaction transaction(file_.connection(), sqlite::Transaction::Kind::reading);
  for (const CellKey& key : keys) found.push_back(find_one(key));
  return found;
}

void ScoreStore::Database::add(std::span<const CellKey> keys, std::span<const ScoredText> scored) {
  const std::lock_guard lock(mutex_);
  sqlite::Transaction transaction(file_.connection(), sqlite::Transaction::Kind::writing);
  for (std::size_t t = 0; t < keys.size(); ++t) {
    const std::string cell = pack_cell(keys[t], scored[t]);
    sqlite::Query query(cells_.insert);
    query.bind_text(1, keys[t].reference).bind_text(2, keys[t].text).bind_blob(3, cell).next();
  }
  transaction.commit();
}

std::uint64_t ScoreStore::Database::size() {
  const std::lock_guard lock(mutex_);
  sqlite::Query query(cells_.count);
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
  const StoreMeta identity = identity_of(model, question);
  const std::string path = store_path(folder, "scores", identity);
  return ScoreStore(
      std::make_unique<Database>(path, identity, notes_of(model), question.labels.size()));
}

bool ScoreStore::exists(const std::string& folder, const LanguageModel& model,
                        const Question& question) {
  std::error_code ignored;
  return std::filesystem::exists(store_path(folder, "scores", identity_of(model, question)),
                                 ignored);
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
