#include "caos/landmarks/formats/image_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"

namespace caos::landmarks {
namespace {

namespace fs = std::filesystem;
using io::printable;

std::optional<std::string> exactly(const std::string& folder, const std::string& image) {
  const fs::path path = fs::path(folder) / image;
  std::error_code failure;
  const auto whole = [&](const fs::path& p) { return fs::absolute(p, failure).lexically_normal(); };
  const fs::path within = whole(path).lexically_relative(whole(fs::path(folder) / ""));
  const bool inside = !within.empty() && *within.begin() != "..";
  if (!inside || !fs::is_regular_file(path, failure)) return std::nullopt;
  return path.string();
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

/// The parts of a path of any system, without a drive; nothing where it climbs.
std::vector<std::string> parts_of(const std::string& image) {
  std::vector<std::string> parts(1);
  for (const char c : image) {
    if (c == '/' || c == '\\') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  std::erase_if(parts, [](const std::string& part) {
    return part.empty() || part == "." || (part.size() == 2 && part[1] == ':');
  });
  const bool climbs = std::ranges::find(parts, "..") != parts.end();
  return climbs ? std::vector<std::string>() : parts;
}

std::string joined(const std::vector<std::string>& parts, std::size_t from) {
  std::string path;
  for (std::size_t i = from; i < parts.size(); ++i) path += (i > from ? "/" : "") + parts[i];
  return path;
}

/// The one entry of a folder that has this name in some letter case.
std::optional<std::string> entry_like(const fs::path& folder, const std::string& name) {
  const std::string wanted = lower_case(name);
  std::optional<std::string> found;
  std::error_code failure;
  for (fs::directory_iterator i(folder, failure), end; !failure && i != end; i.increment(failure)) {
    const std::string entry = i->path().filename().string();
    if (lower_case(entry) != wanted) continue;
    if (found) return std::nullopt;
    found = entry;
  }
  return found;
}

std::optional<std::string> in_any_case(const std::string& folder,
                                       const std::vector<std::string>& parts, std::size_t from) {
  fs::path path = folder;
  for (std::size_t i = from; i < parts.size(); ++i) {
    const auto entry = entry_like(path, parts[i]);
    if (!entry) return std::nullopt;
    path /= *entry;
  }
  std::error_code failure;
  return fs::is_regular_file(path, failure) ? std::optional(path.string()) : std::nullopt;
}

std::optional<std::string> elsewhere(const std::string& folder, const std::string& image) {
  const std::vector<std::string> parts = parts_of(image);
  for (std::size_t from = 0; from < parts.size(); ++from) {
    if (auto path = exactly(folder, joined(parts, from))) return path;
  }
  for (std::size_t from = 0; from < parts.size(); ++from) {
    if (auto path = in_any_case(folder, parts, from)) return path;
  }
  return std::nullopt;
}

/// Where the name of the instance begins, with its #; the end where there is none.
std::size_t instance_at(const std::string& image) {
  return std::min(image.rfind('#'), image.size());
}

}  // namespace

std::optional<std::string> find_image(const std::string& folder, const std::string& image) {
  if (folder.empty() || image.empty()) return std::nullopt;
  if (auto path = exactly(folder, image)) return path;
  if (auto path = elsewhere(folder, image)) return path;
  const std::string file = image.substr(0, instance_at(image));
  return file == image ? std::nullopt : find_image(folder, file);
}

void refuse_missing_image(const std::string& file, const std::string& image,
                          const std::string& folder, std::size_t num_more) {
  throw Error(ErrorKind::not_found,
              fmt::format("{}: names the image '{}', which is not in {}{}; check --images and "
                          "--image-extension, or leave such images out with --missing-images skip",
                          file, printable(image), folder,
                          num_more > 0 ? fmt::format(" (and {} more)", num_more) : ""));
}

MatchedImages match_images(LandmarkTable& table, const std::string& folder, const std::string& file,
                           MissingImages missing) {
  MatchedImages result;
  std::vector<Annotation> kept;
  for (Annotation& annotation : table.annotations) {
    const auto path = find_image(folder, annotation.image);
    if (!path) {
      result.skipped.push_back(annotation.image);
      continue;
    }
    if (!exactly(folder, annotation.image)) {
      const std::size_t at = instance_at(annotation.image);
      std::string name = fs::path(*path).lexically_relative(folder).generic_string();
      const bool whole = name == annotation.image.substr(0, at);
      if (!whole) ++result.num_renamed;
      const bool has_instance = at < annotation.image.size() && !path->ends_with(annotation.image);
      annotation.image = name + (has_instance ? annotation.image.substr(at) : "");
    }
    kept.push_back(std::move(annotation));
  }
  if (missing == MissingImages::refuse && !result.skipped.empty()) {
    refuse_missing_image(file, result.skipped[0], folder, result.skipped.size() - 1);
  }
  table.annotations = std::move(kept);
  check_table(table);
  return result;
}

}  // namespace caos::landmarks
