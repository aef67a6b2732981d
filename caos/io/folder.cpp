#include "caos/io/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "caos/error.hpp"

namespace caos::io {
namespace {

namespace fs = std::filesystem;

void require_success(const std::error_code& failure, const std::string& path, const char* what) {
  require(!failure, ErrorKind::not_found,
          [&] { return fmt::format("{}: {}: {}", path, what, failure.message()); });
}

}  // namespace

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) names.push_back(entry->path().filename().string());
  }
  require_success(failure, folder, "cannot be read as a folder");
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  for (fs::recursive_directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    std::error_code ignored;
    if (!entry->is_regular_file(ignored)) continue;
    names.push_back(entry->path().lexically_relative(folder).generic_string());
  }
  require_success(failure, folder, "cannot be read as a folder");
  std::ranges::sort(names);
  return names;
}

void make_folder(const std::string& path) {
  std::error_code failure;
  fs::create_directories(path, failure);
  require_success(failure, path, "cannot be made a folder");
}

}  // namespace caos::io
