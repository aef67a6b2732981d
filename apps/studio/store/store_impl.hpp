#pragma once

#include <cstddef>
#include <mutex>
#include <semaphore>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "apps/studio/store/database/ask.hpp"
#include "apps/studio/store/database/folder_lock.hpp"
#include "apps/studio/store/images/image_files.hpp"
#include "apps/studio/store/store.hpp"
#include "caos/io/sqlite.hpp"
#include "caos/vision/codecs/probe.hpp"

namespace caos::studio {

/// One connection behind one lock: a commit waits for the disk anyway, and questions are short.
struct Store::Impl {
  explicit Impl(const std::string& path);

  /// Runs `ask(db)` with the database locked.
  template <typename Action>
  auto read(Action&& ask) {
    const std::lock_guard lock(mutex);
    return ask(db);
  }

  /// Runs `change(db)`, whole or not at all; what it did is on the disk afterwards, or, within
  /// another change, when that one is.
  template <typename Action>
  auto write(Action&& change) {
    const std::lock_guard lock(mutex);
    Unit unit(*this);
    if constexpr (std::is_void_v<decltype(change(db))>) {
      change(db);
      unit.commit();
    } else {
      auto result = change(db);
      unit.commit();
      return result;
    }
  }

  /// `inspect_image`, for few images at once, as decoded ones are large.
  [[nodiscard]] vision::ImageInfo inspect(std::span<const std::byte> bytes,
                                          const std::string& name);

  std::string folder;
  FolderLock folder_lock;
  ImageFiles files;
  std::recursive_mutex mutex{};
  io::sqlite::Connection db;
  /// Files that a change made unneeded, unless it fails or another row has them: looked at after
  /// the commit.
  std::vector<std::string> unneeded{};

  /// Files whose rows are on their way. Those that have none when this object ends go with it.
  class ExpectedFiles {
   public:
    explicit ExpectedFiles(Impl& impl) : impl_(impl) {}
    ExpectedFiles(const ExpectedFiles&) = delete;
    ExpectedFiles& operator=(const ExpectedFiles&) = delete;
    ~ExpectedFiles();

    void put(const std::string& sha256, std::span<const std::byte> bytes);

   private:
    Impl& impl_;
    std::vector<std::string> hashes_{};
  };

 private:
  /// A transaction, or a part of one that can be taken back alone. Requires the lock.
  class Unit {
   public:
    explicit Unit(Impl& impl);
    Unit(const Unit&) = delete;
    Unit& operator=(const Unit&) = delete;
    ~Unit();

    void commit();

   private:
    void roll_back();

    Impl& impl_;
    bool is_outer_;
    bool is_open_ = true;
  };

  void remove_unneeded_files() noexcept;

  std::multiset<std::string> expected_{};
  std::counting_semaphore<> decoding_{2};
  int depth_ = 0;           // of units
  bool is_broken_ = false;  // SQLite has rolled back more than it was asked to
};

}  // namespace caos::studio
