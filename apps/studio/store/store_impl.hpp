#pragma once

#include <mutex>
#include <semaphore>
#include <string>
#include <type_traits>

#include "apps/studio/store/ask.hpp"
#include "apps/studio/store/folder_lock.hpp"
#include "apps/studio/store/image_files.hpp"
#include "apps/studio/store/store.hpp"
#include "caos/io/sqlite.hpp"

namespace caos::studio {

/// One connection behind one lock: a commit waits for the disk anyway, and questions are short.
struct Store::Impl {
  explicit Impl(const std::string& path);

  /// Runs `ask(db)` while nobody else uses the database.
  template <typename Action>
  auto read(Action&& ask) {
    const std::lock_guard lock(mutex);
    return ask(db);
  }

  /// Runs `change(db)`, whole or not at all; what it did is on the disk afterwards.
  template <typename Action>
  auto write(Action&& change) {
    const std::lock_guard lock(mutex);
    io::sqlite::Transaction transaction(db, io::sqlite::Transaction::Kind::writing);
    if constexpr (std::is_void_v<decltype(change(db))>) {
      change(db);
      transaction.commit();
    } else {
      auto result = change(db);
      transaction.commit();
      return result;
    }
  }

  /// Removes the file of an image that is gone, unless another has it.
  void remove_file_unless_needed(const std::string& sha256);

  std::string folder;
  FolderLock folder_lock;
  ImageFiles files;
  std::mutex mutex{};
  io::sqlite::Connection db;
  /// Decoded images are large: few at once.
  std::counting_semaphore<> decoding{2};
};

}  // namespace caos::studio
