#include "caos/landmarks/embedding/duplicate_images.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

#include "caos/error.hpp"
#include "caos/io/checksum.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/vision/codecs/probe.hpp"

namespace caos {
namespace {

/// Nothing for what is not an image.
std::optional<std::string> content_of(const std::string& path) {
  try {
    const io::MappedFile file = io::MappedFile::read(path);
    static_cast<void>(vision::probe_image(file.bytes(), path));
    return io::checksum128({file.bytes()});
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::backend) throw;
    return std::nullopt;
  }
}

std::vector<std::uintmax_t> sizes_of(std::span<const std::string> files) {
  std::vector<std::uintmax_t> sizes;
  for (const std::string& file : files) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    sizes.push_back(error ? 0 : size);
  }
  return sizes;
}

}  // namespace

std::vector<DuplicateFile> find_duplicates(std::span<const std::string> files) {
  const std::vector<std::uintmax_t> sizes = sizes_of(files);
  std::map<std::uintmax_t, std::size_t> with_size;
  for (const std::uintmax_t size : sizes) ++with_size[size];
  std::map<std::string, std::size_t> first_with;
  std::vector<DuplicateFile> duplicates;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (with_size[sizes[i]] < 2) continue;
    const std::optional<std::string> content = content_of(files[i]);
    if (!content) continue;
    const auto [found, is_new] = first_with.emplace(*content, i);
    if (!is_new) duplicates.push_back({found->second, i});
  }
  return duplicates;
}

}  // namespace caos
