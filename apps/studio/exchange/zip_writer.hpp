#pragma once

#include <memory>
#include <span>
#include <string>

#include "caos/landmarks/formats/landmark_text.hpp"

struct zip;

namespace caos::studio {

/// A zip archive in the making, at a path. Equal content gives equal bytes: entries have no time.
class ZipWriter {
 public:
  /// Throws `backend` where no file can be made.
  explicit ZipWriter(const std::string& path);

  /// Adds an entry, compressed.
  void add_text(const std::string& name, const std::string& text);

  /// Adds a file as it is. It is read by `finish`.
  void add_file(const std::string& name, const std::string& path);

  /// Writes everything; without it, no file remains. Texts must still be there.
  void finish();

 private:
  struct Discard {
    void operator()(zip* archive) const;
  };

  std::unique_ptr<zip, Discard> archive_;
  std::string path_;
};

/// The bytes of a zip archive of these files.
[[nodiscard]] std::string zip_of_texts(std::span<const landmarks::NamedText> files);

}  // namespace caos::studio
