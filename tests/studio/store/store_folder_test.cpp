#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "apps/studio/store/database/ask.hpp"
#include "apps/studio/store/database/migrations.hpp"
#include "caos/io/sqlite.hpp"
#include "tests/studio/store/store_fixture.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

namespace fs = std::filesystem;
using caos::test::expect_error;
using caos::test::TempDir;
using io::sqlite::Connection;
using test::StoreFixture;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// A process of its own that runs `action` and then waits to be killed.
class Child {
 public:
  template <typename Action>
  explicit Child(Action&& action) {
    int ends[2] = {};
    if (::pipe(ends) != 0) throw std::runtime_error("pipe failed");
    pid_ = ::fork();
    if (pid_ == 0) {
      action();
      static_cast<void>(!::write(ends[1], "x", 1));
      for (;;) ::pause();
    }
    ::close(ends[1]);
    char letter = 0;
    is_ready = ::read(ends[0], &letter, 1) == 1;
    ::close(ends[0]);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { kill(); }

  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

  bool is_ready = false;

 private:
  pid_t pid_ = 0;
};

TEST(StoreFolder, IsMadeWithAllThatItNeeds) {
  const TempDir folder;
  const Store store(folder / "new/data");
  for (const char* name : {"studio.sqlite", "images", "cache", "tmp", "lock"}) {
    EXPECT_TRUE(fs::exists(store.folder() + "/" + name)) << name;
  }
}

TEST(StoreFolder, IsTheOwnersAlone) {
  const TempDir folder;
  const Store store(folder / "data");
  EXPECT_EQ(fs::status(store.folder()).permissions(), fs::perms::owner_all);
}

TEST(StoreFolder, WhatCannotBeAFolderIsAnError) {
  const TempDir folder;
  folder.write("file", "x");
  EXPECT_THROW(Store(folder / "file/data"), Error);
}

TEST(StoreFolder, TemporaryFilesOfTheLastProcessGo) {
  StoreFixture store;
  std::ofstream(store.path() + "/tmp/half") << "x";
  store.reopen();
  EXPECT_TRUE(fs::is_empty(store.path() + "/tmp"));
}

TEST(StoreFolder, OneStoreAtATimeUsesIt) {
  StoreFixture store;
  expect_error([&] { Store second(store.path()); }, ErrorKind::invalid_input,
               {store.path(), "in use by another"});
}

TEST(StoreFolder, OneProcessAtATimeUsesItAndNoneThatWasKilled) {
  const TempDir folder;
  const std::string path = folder / "data";
  std::unique_ptr<Store> theirs;
  Child child([&] {
    theirs = std::make_unique<Store>(path);
    theirs->add_project("theirs", "builtin", "", {});
  });
  ASSERT_TRUE(child.is_ready);
  expect_error([&] { Store ours(path); }, ErrorKind::invalid_input, {"in use by another"});
  child.kill();
  EXPECT_THAT(Store(path).projects(), ElementsAre(testing::Field(&Project::name, "theirs")));
}

TEST(StoreFolder, CommitsAreOnTheDisk) {
  StoreFixture store;
  store.close();
  Connection db(store.path() + "/studio.sqlite");
  Ask ask(db, "PRAGMA journal_mode");
  ASSERT_TRUE(ask.next());
  EXPECT_EQ(ask.text(0), "wal");
}

TEST(StoreFolder, ADamagedDatabaseIsToldFromAnEmptyOne) {
  StoreFixture store;
  store.close();
  std::ofstream(store.path() + "/studio.sqlite", std::ios::trunc) << std::string(8192, 'x');
  expect_error([&] { store.reopen(); }, ErrorKind::bad_format, {"studio.sqlite", "backup"});
}

TEST(StoreFolder, ANewerSchemaIsRefused) {
  StoreFixture store;
  store.close();
  {
    Connection db(store.path() + "/studio.sqlite");
    db.execute("PRAGMA user_version = 999");
  }
  expect_error([&] { store.reopen(); }, ErrorKind::invalid_input, {"newer version", "999"});
}

TEST(StoreFolder, AForeignDatabaseIsRefused) {
  const TempDir folder;
  fs::create_directory(folder / "data");
  {
    Connection db(folder / "data/studio.sqlite");
    db.execute("CREATE TABLE music(title TEXT)");
  }
  expect_error([&] { Store store(folder / "data"); }, ErrorKind::bad_format, {"something else"});
}

/// A folder as the first version left it: one project, one landmark, one labeled image.
void make_version_1(const std::string& folder) {
  fs::create_directories(folder);
  Connection db(folder + "/studio.sqlite");
  db.execute(R"(
CREATE TABLE projects(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
  created_at TEXT NOT NULL, backbone TEXT NOT NULL, working_size TEXT NOT NULL, score TEXT NOT NULL,
  k INTEGER NOT NULL, alpha TEXT NOT NULL, simultaneous INTEGER NOT NULL,
  use_corrections INTEGER NOT NULL, sampling TEXT NOT NULL DEFAULT 'none',
  sample_size INTEGER NOT NULL DEFAULT 0, sample_seed INTEGER NOT NULL DEFAULT 0,
  drawn_at TEXT NOT NULL DEFAULT '', scheme_revision INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE landmarks(id INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE, position INTEGER,
  name TEXT NOT NULL, color TEXT NOT NULL, pair TEXT) STRICT;
CREATE UNIQUE INDEX landmark_names ON landmarks(project, name) WHERE position IS NOT NULL;
CREATE TABLE images(id INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE, name TEXT NOT NULL,
  sha256 TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, added_at TEXT NOT NULL,
  place INTEGER, seen_at TEXT NOT NULL DEFAULT '', UNIQUE(project, name), UNIQUE(project, sha256))
  STRICT;
CREATE INDEX image_files ON images(sha256);
CREATE TABLE readings(image INTEGER NOT NULL REFERENCES images(id) ON DELETE CASCADE,
  reading INTEGER NOT NULL, revision INTEGER NOT NULL, changed_by TEXT NOT NULL,
  changed_at TEXT NOT NULL, PRIMARY KEY(image, reading)) STRICT, WITHOUT ROWID;
CREATE TABLE points(image INTEGER NOT NULL REFERENCES images(id) ON DELETE CASCADE,
  reading INTEGER NOT NULL, landmark INTEGER NOT NULL REFERENCES landmarks(id) ON DELETE CASCADE,
  state TEXT NOT NULL, x REAL, y REAL, annotator TEXT NOT NULL, at TEXT NOT NULL,
  source TEXT NOT NULL, PRIMARY KEY(image, reading, landmark)) STRICT, WITHOUT ROWID;
CREATE INDEX point_landmarks ON points(landmark);
CREATE TABLE history(id INTEGER PRIMARY KEY AUTOINCREMENT,
  image INTEGER NOT NULL REFERENCES images(id) ON DELETE CASCADE, reading INTEGER NOT NULL,
  revision INTEGER NOT NULL, landmark INTEGER NOT NULL REFERENCES landmarks(id) ON DELETE CASCADE,
  state TEXT, x REAL, y REAL, annotator TEXT NOT NULL, at TEXT NOT NULL, source TEXT NOT NULL,
  change TEXT NOT NULL) STRICT;
CREATE INDEX history_changes ON history(image, reading, change);
CREATE INDEX history_landmarks ON history(landmark);
INSERT INTO projects VALUES(1, 'old', '2025-01-01T00:00:00.000Z', 'builtin', '', 'cosine', 3, '0.1',
  0, 0, 'random', 1, -1, '2025-01-02T00:00:00.000Z', 1);
INSERT INTO landmarks VALUES(1, 1, 0, 'nose', '#0072b2', NULL);
INSERT INTO images VALUES(1, 1, 'a.png', printf('%064d', 0), 40, 30, '2025-01-01T00:00:00.000Z', 0,
  '');
INSERT INTO readings VALUES(1, 1, 1, 'Ada', '2025-01-03T00:00:00.000Z');
INSERT INTO points VALUES(1, 1, 1, 'visible', 1.5, 2.5, 'Ada', '2025-01-03T00:00:00.000Z', 'blind');
INSERT INTO history VALUES(1, 1, 1, 1, 1, 'visible', 1.5, 2.5, 'Ada', '2025-01-03T00:00:00.000Z',
  'blind', 'c1');
PRAGMA user_version = 1;
)");
}

TEST(StoreFolder, ADatabaseOfTheFirstVersionIsBroughtUpToDate) {
  const TempDir folder;
  make_version_1(folder / "data");
  {
    Store store(folder / "data");
    const Project project = store.project(1);
    EXPECT_EQ(project.name, "old");
    EXPECT_EQ(project.sampling.seed, ~std::uint64_t{0});
    EXPECT_FALSE(project.settings.mm_per_pixel);
    EXPECT_EQ(project.working_size, "");
    EXPECT_EQ(project.precision, "float32");
    EXPECT_EQ(store.add_project("new", "builtin", "512", {}).precision, "float16");
    const ImageRecord image = store.image(1, 1);
    EXPECT_TRUE(image.complete);
    EXPECT_FALSE(image.subject);
    EXPECT_EQ(store.reading(1, 1).points.at(0).x, 1.5);
    EXPECT_THAT(store.history(1, 1), SizeIs(1));
    EXPECT_EQ(store.change_image(1, 1, std::nullopt, 0.5).mm_per_pixel, 0.5);
    EXPECT_EQ(store.num_images(1), 1U);
    store.remove_image(1, 1);
    EXPECT_EQ(store.num_images(1), 0U);
    EXPECT_TRUE(store.acceptances(1).empty());
    EXPECT_EQ(store.measures(1), Measures{});
  }
  Connection db(folder / "data/studio.sqlite");
  Ask ask(db, "PRAGMA user_version");
  ASSERT_TRUE(ask.next());
  EXPECT_EQ(ask.integer(0), schema_version());
}

TEST(StoreFolder, AnOldProjectKeepsWhatItsGuaranteeDependsOnAsFarAsItIsKnown) {
  const TempDir folder;
  make_version_1(folder / "data");
  {
    Connection db(folder / "data/studio.sqlite");
    db.execute(R"(
UPDATE projects SET sample_size = 3;
INSERT INTO images VALUES(2, 1, 'b.png', printf('%064d', 1), 40, 30, '2025-01-01T00:00:00.000Z', 4,
  '2025-02-01T00:00:00.000Z'), (3, 1, 'c.png', printf('%064d', 2), 40, 30,
  '2025-01-01T00:00:00.000Z', 3, '2025-01-01T12:00:00.000Z');
)");
  }
  const Project project = Store(folder / "data").project(1);
  EXPECT_EQ(project.sampling.largest, 3U);
  EXPECT_FALSE(project.sampling.seed_given);
  EXPECT_THAT(project.sampling.looks, IsEmpty());
  EXPECT_EQ(project.integrity.removed, 2U);
  EXPECT_EQ(project.integrity.results_seen_at, "2025-01-01T12:00:00.000Z");  // before the draw
  EXPECT_TRUE(project.sampling.after_results);
  EXPECT_EQ(project.sampling.units, 5U);
}

TEST(StoreFolder, AnOldProjectWhosePointsWereChangedAfterResultsIsKnown) {
  const TempDir folder;
  make_version_1(folder / "data");
  {
    Connection db(folder / "data/studio.sqlite");
    db.execute(R"(
INSERT INTO images VALUES(2, 1, 'b.png', printf('%064d', 1), 40, 30, '2025-01-01T00:00:00.000Z', 1,
  '2025-02-01T00:00:00.000Z');
INSERT INTO history VALUES(2, 1, 1, 2, 1, 'visible', 2.5, 2.5, 'Ada', '2025-02-02T00:00:00.000Z',
  'blind', 'c2');
)");
  }
  const Project project = Store(folder / "data").project(1);
  EXPECT_EQ(project.integrity.results_seen_at, "2025-02-01T00:00:00.000Z");
  EXPECT_FALSE(project.sampling.after_results);
  EXPECT_EQ(project.integrity.relabeled_at, "2025-02-02T00:00:00.000Z");
  EXPECT_EQ(project.integrity.restored_at, "");
}

TEST(StoreFolder, AMigratedDatabaseHasTheSchemaOfANewOne) {
  const auto schema = [](const std::string& folder) {
    { Store store(folder); }
    Connection db(folder + "/studio.sqlite");
    Ask ask(db,
            "SELECT m.name, t.name, t.type FROM sqlite_master m, pragma_table_info(m.name) t "
            "ORDER BY m.name, t.cid");
    std::vector<std::string> columns;
    while (ask.next()) columns.push_back(ask.text(0) + "." + ask.text(1) + " " + ask.text(2));
    return columns;
  };
  const TempDir folder;
  make_version_1(folder / "old");
  EXPECT_EQ(schema(folder / "old"), schema(folder / "new"));
}

}  // namespace
}  // namespace caos::studio
