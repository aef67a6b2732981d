#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

// Shared by the readers of several files; not for users of the library.
namespace caos::landmarks {

/// What readers say of several files: once, where they say the same of many.
class JoinedNotes {
 public:
  using Note = std::function<void(const std::string&)>;

  /// `whole` is what the files are called together; `note` may be empty.
  JoinedNotes(std::string whole, Note note) : whole_(std::move(whole)), note_(std::move(note)) {}

  /// For the reader of one file. It refers to this object.
  [[nodiscard]] Note of(const std::string& file);

  /// Passes all of it on, in the order in which it was said first.
  void tell() const;

 private:
  struct Said {
    std::string what;  ///< without the name of the file
    std::string file;  ///< the first of which it was said
    std::size_t count = 1;
  };

  void add(const std::string& file, const std::string& text);

  std::string whole_;
  Note note_;
  std::vector<Said> said_{};
};

}  // namespace caos::landmarks
