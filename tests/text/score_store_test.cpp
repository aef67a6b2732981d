#include "caos/text/score_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <limits>
#include <thread>

#include "tests/support/expect_error.hpp"
#include "tests/support/hashed_model.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::text {
namespace {

using test::expect_error;
using test::HashedModel;
using test::TempDir;
using testing::Each;
using testing::Optional;
using testing::SizeIs;

constexpr double infinity = std::numeric_limits<double>::infinity();

const Question question{.labels = LabelSpace({"yes", "no", "maybe"})};
const HashedModel model(3);
const std::vector<std::string> texts = {"", "a", "A", "a ", std::string("a\0", 2), "\xff", "Größe"};
const LabeledText reference{"a", 1};

std::vector<ScoredText> scored_by(const HashedModel& by, const LabeledText& of,
                                  std::span<const std::string> asked) {
  std::vector<ScoredText> result;
  for (const std::string& text : asked) result.push_back(by.likelihoods(of, text));
  return result;
}

void fill(ScoreStore& store) { store.add(reference, texts, scored_by(model, reference, texts)); }

void expect_filled(const ScoreStore& store) {
  const auto found = store.find(reference, texts);
  ASSERT_EQ(found.size(), texts.size());
  for (std::size_t t = 0; t < texts.size(); ++t) {
    EXPECT_THAT(found[t], Optional(model.likelihoods(reference, texts[t]))) << t;
  }
}

/// A folder with a filled store, and the name of its file.
struct FilledFolder {
  FilledFolder() { fill(*std::make_unique<ScoreStore>(open())); }
  [[nodiscard]] ScoreStore open() const { return ScoreStore::open(folder / "s", model, question); }
  [[nodiscard]] std::string path() const { return open().path(); }

  TempDir folder;
};

std::string content_of(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

void overwrite(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

TEST(ScoreStore, KeepsWhatAddReturnedFrom) {
  const FilledFolder filled;
  const ScoreStore store = filled.open();
  expect_filled(store);
  EXPECT_EQ(store.size(), texts.size());
  EXPECT_TRUE(std::filesystem::is_regular_file(store.path()));
}

TEST(ScoreStore, ExistsOnceItWasOpened) {
  const TempDir folder;
  const std::string place = folder / "scores";
  EXPECT_FALSE(ScoreStore::exists(place, model, question));
  EXPECT_FALSE(std::filesystem::exists(place));
  static_cast<void>(ScoreStore::open(place, model, question));
  EXPECT_TRUE(ScoreStore::exists(place, model, question));
  Question other = question;
  other.labels = LabelSpace({"x", "y"});
  EXPECT_FALSE(ScoreStore::exists(place, model, other));
}

TEST(ScoreStore, KeepsTheSameInMemory) {
  ScoreStore store = ScoreStore::in_memory(model, question);
  EXPECT_EQ(store.path(), "");
  fill(store);
  expect_filled(store);
  EXPECT_THAT(ScoreStore::in_memory(model, question), SizeIs(0));
}

TEST(ScoreStore, FindsNothingThatWasNotAdded) {
  ScoreStore store = ScoreStore::in_memory(model, question);
  fill(store);
  const std::vector<std::string> others = {"b", "aa", "size"};
  EXPECT_THAT(store.find(reference, others), Each(std::nullopt));
  EXPECT_THAT(store.find({"a", 0}, texts), Each(std::nullopt));
  EXPECT_THAT(store.find({"b", 1}, texts), Each(std::nullopt));
  EXPECT_THAT(store.find(reference, {}), SizeIs(0));
}

TEST(ScoreStore, KeepsImpossibleLabelsAndForgetsTokensEvaluated) {
  ScoreStore store = ScoreStore::in_memory(model, question);
  ScoredText scored{.labels = {{-infinity, 1}, {-0.0, 4294967295U}, {-5e-324, 7}},
                    .shortened = true,
                    .tokens = 12};
  store.add(reference, {&texts[0], 1}, {&scored, 1});
  scored.tokens = 0;
  EXPECT_THAT(store.find(reference, {&texts[0], 1})[0], Optional(scored));
}

TEST(ScoreStore, LeavesWhatIsThereAsItIs) {
  ScoreStore store = ScoreStore::in_memory(model, question);
  fill(store);
  store.add(reference, texts, scored_by(model, {"other", 2}, texts));
  expect_filled(store);
  EXPECT_EQ(store.size(), texts.size());
}

TEST(ScoreStore, KeepsOtherModelsTemplatesAndLabelsApart) {
  const FilledFolder filled;
  const HashedModel other_model(3, {.identity = "hashed:2"});
  Question other_template = question;
  other_template.prompt =
      PromptTemplate::parse("{reference_text} {reference_label} {text}", "a template");
  const Question other_labels{.labels = LabelSpace({"yes", "no", "perhaps"})};
  const Question other_order{.labels = LabelSpace({"no", "yes", "maybe"})};
  const Question other_count{.labels = LabelSpace({"yes", "no"})};
  const Question merged{.labels = LabelSpace({"yes", "no\",\"maybe"})};

  std::vector<std::string> paths = {filled.path()};
  const auto expect_empty = [&](const LanguageModel& by, const Question& asked) {
    const ScoreStore store = ScoreStore::open(filled.folder / "s", by, asked);
    EXPECT_EQ(store.size(), 0U);
    EXPECT_THAT(paths, testing::Not(testing::Contains(store.path())));
    paths.push_back(store.path());
  };
  expect_empty(other_model, question);
  expect_empty(model, other_template);
  for (const Question* asked : {&other_labels, &other_order, &other_count, &merged}) {
    expect_empty(model, *asked);
  }
  expect_filled(filled.open());
}

TEST(ScoreStore, RefusesAStoreOfAnotherModelUnderItsName) {
  const FilledFolder filled;
  const HashedModel other(3, {.identity = "hashed:2"});
  const std::string path = ScoreStore::open(filled.folder / "s", other, question).path();
  std::filesystem::rename(filled.path(), path);
  expect_error([&] { (void)ScoreStore::open(filled.folder / "s", other, question); },
               ErrorKind::bad_format, {path, "another model", "model_identity"});
}

TEST(ScoreStore, RefusesFilesThatAreNoScoreStore) {
  const FilledFolder filled;
  const std::string path = filled.path();
  overwrite(path, "This is a letter, and long enough to be taken for something else." +
                      std::string(2000, 'x'));
  expect_error([&] { (void)filled.open(); }, ErrorKind::bad_format, {path});
}

TEST(ScoreStore, NoticesATruncatedFile) {
  const FilledFolder filled;
  const std::string path = filled.path();
  const std::string content = content_of(path);
  // All lengths but 0: an empty file is what a program leaves that ends right after making it.
  for (std::size_t length = 1; length < content.size(); length += 509) {
    SCOPED_TRACE(length);
    overwrite(path, content.substr(0, length));
    expect_error([&] { (void)filled.open(); }, ErrorKind::bad_format, {path});
  }
}

TEST(ScoreStore, StartsFromAnEmptyFile) {
  const FilledFolder filled;
  overwrite(filled.path(), "");
  EXPECT_EQ(filled.open().size(), 0U);
}

TEST(ScoreStore, NeverReturnsWhatADamagedByteMadeOfIt) {
  const FilledFolder filled;
  const std::string path = filled.path();
  const std::string content = content_of(path);
  std::size_t refused = 0;
  for (std::size_t b = 0; b < content.size(); b += 13) {
    std::string damaged = content;
    damaged[b] = static_cast<char>(damaged[b] ^ 0x41);
    overwrite(path, damaged);
    try {
      const auto found = filled.open().find(reference, texts);
      for (std::size_t t = 0; t < texts.size(); ++t) {
        // A key that is damaged is a pair that is not there.
        if (!found[t]) continue;
        EXPECT_EQ(*found[t], model.likelihoods(reference, texts[t])) << b;
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_format) << b << ": " << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 10U);
}

TEST(ScoreStore, RefusesLikelihoodsThatCannotBe) {
  ScoreStore store = ScoreStore::in_memory(model, question);
  std::vector<ScoredText> scored = scored_by(model, reference, texts);
  const auto expect_refused = [&](ErrorKind kind, const std::string& why) {
    expect_error([&] { store.add(reference, texts, scored); }, kind, {why});
    scored = scored_by(model, reference, texts);
  };
  scored[2].labels[1].log_likelihood = std::numeric_limits<double>::quiet_NaN();
  expect_refused(ErrorKind::bad_format, "text 2 of 7");
  scored[6].labels[2].log_likelihood = infinity;
  expect_refused(ErrorKind::bad_format, "label 2 is inf");
  scored[0].labels[0].tokens = 0;
  expect_refused(ErrorKind::bad_format, "no tokens");
  scored[0].labels.pop_back();
  expect_refused(ErrorKind::bad_format, "2 labels instead of 3");
  scored.pop_back();
  expect_refused(ErrorKind::invalid_input, "6 texts");
  EXPECT_EQ(store.size(), 0U);
}

TEST(ScoreStore, SaysThatTheFolderCannotBeMade) {
  const TempDir folder;
  const std::string file = folder.write("file", "");
  expect_error([&] { (void)ScoreStore::open(file + "/s", model, question); }, ErrorKind::not_found,
               {file, "cannot be made a folder"});
}

/// For as long as it lives, the rights of a user who is not root, who may do everything.
class OrdinaryUser {
 public:
  OrdinaryUser() : is_ordinary_(::geteuid() != 0 || ::seteuid(65534) == 0) {}
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;
  ~OrdinaryUser() {
    if (::getuid() == 0 && ::seteuid(0) != 0) std::abort();
  }
  explicit operator bool() const { return is_ordinary_; }

 private:
  bool is_ordinary_;
};

TEST(ScoreStore, ReadsWhereNothingCanBeWritten) {
  using std::filesystem::perms;
  FilledFolder filled;
  const std::string path = filled.path();
  std::filesystem::permissions(filled.folder / ".", perms(0755));
  std::filesystem::permissions(filled.folder / "s", perms(0555));
  std::filesystem::permissions(path, perms(0444));
  {
    const OrdinaryUser user;
    ASSERT_TRUE(user);
    ScoreStore store = filled.open();
    expect_filled(store);
    expect_error(
        [&] {
          store.add({"b", 0}, texts, scored_by(model, {"b", 0}, texts));
        },
        ErrorKind::backend, {path, "writable"});
    expect_filled(store);
    const HashedModel other(3, {.identity = "hashed:2"});
    expect_error([&] { (void)ScoreStore::open(filled.folder / "s", other, question); },
                 ErrorKind::backend, {"scores-", "writable"});
  }
  std::filesystem::permissions(filled.folder / "s", perms(0755));
}

/// For as long as it lives, no file can grow beyond this, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &saved_);
    const rlimit limit{bytes, saved_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &saved_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit saved_{};
  void (*handler_)(int) = nullptr;
};

TEST(ScoreStore, LosesNothingWhenTheDiskIsFull) {
  const FilledFolder filled;
  ScoreStore store = filled.open();
  std::vector<std::string> many(2000);
  for (std::size_t t = 0; t < many.size(); ++t) many[t] = std::to_string(t);
  const auto scored = scored_by(model, reference, many);
  {
    const FullDisk full(32768);
    expect_error([&] { store.add(reference, many, scored); }, ErrorKind::backend,
                 {store.path(), "disk"});
    expect_filled(store);
    EXPECT_EQ(store.size(), texts.size());
  }
  store.add(reference, many, scored);
  EXPECT_EQ(filled.open().size(), texts.size() + many.size());
}

TEST(ScoreStore, ServesThreadsAndOtherOpenersAtOnce) {
  const TempDir folder;
  ScoreStore shared = ScoreStore::open(folder / "s", model, question);
  const auto work = [&](ScoreStore& store, std::size_t first) {
    for (std::size_t i = first; i < first + 12; ++i) {
      const LabeledText own{std::to_string(i), i % 3};
      store.add(own, texts, scored_by(model, own, texts));
      EXPECT_THAT(store.find(own, texts)[3], Optional(model.likelihoods(own, texts[3])));
    }
  };
  {
    std::vector<std::jthread> threads;
    for (const std::size_t first : {0U, 6U, 12U}) {
      threads.emplace_back([&, first] { work(shared, first); });
      threads.emplace_back([&, first] {
        ScoreStore own = ScoreStore::open(folder / "s", model, question);
        work(own, first);
      });
    }
  }
  EXPECT_EQ(shared.size(), 24 * texts.size());
  for (std::size_t i = 0; i < 24; ++i) {
    const LabeledText own{std::to_string(i), i % 3};
    const auto found = shared.find(own, texts);
    for (std::size_t t = 0; t < texts.size(); ++t) {
      EXPECT_THAT(found[t], Optional(model.likelihoods(own, texts[t])));
    }
  }
}

TEST(ScoreStore, HoldsNoTexts) {
  const TempDir folder;
  const std::string secret = "a sentence that must stay private";
  const ScoredText scored = model.likelihoods({secret, 0}, secret);
  ScoreStore store = ScoreStore::open(folder / "s", model, question);
  store.add({secret, 0}, {&secret, 1}, {&scored, 1});
  EXPECT_THAT(content_of(store.path()), testing::Not(testing::HasSubstr("private")));
}

}  // namespace
}  // namespace caos::text
