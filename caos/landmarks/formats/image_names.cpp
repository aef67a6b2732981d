#include "caos/landmarks/formats/image_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/lower_case.hpp"
#include "caos/io/printable.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

namespace fs = std::filesystem;
using io::lower_case;
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
  for (std::string& part : parts) part = std::string(trim(part));
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

/// Without the extension, where it is one of images or `any`.
std::string stem_of(const std::string& name, bool any) {
  const std::size_t dot = name.rfind('.');
  const bool cut = dot != std::string::npos && dot > 0 && (any || has_image_extension(name));
  return cut ? name.substr(0, dot) : name;
}

/// The one that the name means among several entries; nothing where that is not sure.
std::optional<std::string> only(const std::map<std::string, std::vector<std::string>>& entries,
                                const std::string& key) {
  const auto found = entries.find(key);
  if (found == entries.end() || found->second.size() != 1) return std::nullopt;
  return found->second[0];
}

/// Where the name of the instance begins, with its #; the end where there is none.
std::size_t instance_at(const std::string& image) {
  return std::min(image.rfind('#'), image.size());
}

}  // namespace

bool has_image_extension(std::string_view name) {
  static constexpr std::array<std::string_view, 7> known = {".jpg",  ".jpeg", ".png", ".webp",
                                                            ".tiff", ".tif",  ".bmp"};
  const std::size_t dot = name.rfind('.');
  // A name that begins with the dot is all name, as of a hidden file.
  if (dot == std::string_view::npos || dot == name.find_last_of("/\\") + 1) return false;
  const std::string lower = lower_case(name.substr(dot));
  return std::ranges::find(known, lower) != known.end();
}

std::string last_part(const std::string& path) { return path.substr(path.find_last_of("/\\") + 1); }

const ImageFolder::Listing& ImageFolder::listing(const std::string& folder) {
  const auto [place, is_new] = listings_.try_emplace(folder);
  Listing& result = place->second;
  if (!is_new) return result;
  std::error_code failure;
  for (fs::directory_iterator i(folder, failure), end; !failure && i != end; i.increment(failure)) {
    const std::string entry = i->path().filename().string();
    result.by_name[lower_case(entry)].push_back(entry);
    if (has_image_extension(entry))
      result.by_stem[lower_case(stem_of(entry, true))].push_back(entry);
  }
  return result;
}

std::optional<std::string> ImageFolder::walk(const std::vector<std::string>& parts,
                                             std::size_t from, bool any_extension) {
  fs::path path = folder_;
  for (std::size_t i = from; i < parts.size(); ++i) {
    const Listing& entries = listing(path.string());
    const bool is_file = i + 1 == parts.size();
    const auto entry = any_extension && is_file
                           ? only(entries.by_stem, lower_case(stem_of(parts[i], false)))
                           : only(entries.by_name, lower_case(parts[i]));
    if (!entry) return std::nullopt;
    path /= *entry;
  }
  std::error_code failure;
  return fs::is_regular_file(path, failure) ? std::optional(path.string()) : std::nullopt;
}

std::optional<std::string> ImageFolder::elsewhere(const std::string& image) {
  const std::vector<std::string> parts = parts_of(image);
  for (std::size_t from = 0; from < parts.size(); ++from) {
    if (auto path = exactly(folder_, joined(parts, from))) return path;
  }
  for (const bool any_extension : {false, true}) {
    for (std::size_t from = 0; from < parts.size(); ++from) {
      if (auto path = walk(parts, from, any_extension)) return path;
    }
  }
  return std::nullopt;
}

std::optional<std::string> ImageFolder::find(const std::string& image) {
  if (folder_.empty() || image.empty()) return std::nullopt;
  if (auto path = exactly(folder_, image)) return path;
  if (auto path = elsewhere(image)) return path;
  const std::string file = image.substr(0, instance_at(image));
  return file == image ? std::nullopt : find(file);
}

ImageIndex::ImageIndex(std::span<const std::string> images) {
  for (std::size_t i = 0; i < images.size(); ++i) {
    const std::string last = last_part(images[i]);
    exact_[images[i]].push_back(i);
    last_parts_[last].push_back(i);
    lower_[lower_case(last)].push_back(i);
    stems_[lower_case(stem_of(last, false))].push_back(i);
  }
}

std::optional<std::size_t> ImageIndex::find(const std::string& image) const {
  const std::string last(trim(last_part(image)));
  const std::string lower = lower_case(last);
  const std::string stem = lower_case(stem_of(last, false));
  for (const auto& [places, key] : {std::pair(&exact_, &image), std::pair(&last_parts_, &last),
                                    std::pair(&lower_, &lower), std::pair(&stems_, &stem)}) {
    const auto found = places->find(*key);
    if (found == places->end()) continue;
    return found->second.size() == 1 ? std::optional(found->second[0]) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> find_image(const std::string& folder, const std::string& image) {
  return ImageFolder(folder).find(image);
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
  ImageFolder images(folder);
  std::vector<Annotation> kept;
  for (Annotation& annotation : table.annotations) {
    const auto path = images.find(annotation.image);
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
