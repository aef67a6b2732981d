#include "caos/landmarks/formats/image_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/lower_case.hpp"
#include "caos/io/printable.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

namespace fs = std::filesystem;
using io::lower_case;
using io::printable_path;

constexpr std::string_view images_within =
    "; images within a SLEAP file are written by 'caos landmarks convert --extract-images DIR'";

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

/// How many folders in front of the last part two paths share, counted from the last, in any letter
/// case.
std::size_t shared_folders(const std::vector<std::string>& one,
                           const std::vector<std::string>& other) {
  std::size_t count = 0;
  const std::size_t most = std::min(one.size(), other.size()) - 1;
  while (count < most &&
         lower_case(one[one.size() - 2 - count]) == lower_case(other[other.size() - 2 - count])) {
    ++count;
  }
  return count;
}

/// Whether a file is called as the landmark file calls the image, but for an extension of images
/// that it does not say.
bool is_named(const std::string& file, const std::string& image) {
  return file == image || (!has_image_extension(image) && stem_of(file, false) == image);
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

const ImageFolder::Listing& ImageFolder::all_below() {
  if (below_) return *below_;
  below_.emplace();
  for (const std::string& file : io::files_below(folder_)) {
    if (!has_image_extension(file)) continue;
    const std::string last = lower_case(last_part(file));
    below_->by_name[last].push_back(file);
    below_->by_stem[stem_of(last, true)].push_back(file);
  }
  return *below_;
}

std::optional<std::string> ImageFolder::deeper(const std::vector<std::string>& parts,
                                               bool any_extension) {
  const auto& files = any_extension ? all_below().by_stem : all_below().by_name;
  const std::string last = lower_case(parts.back());
  const auto found = files.find(any_extension ? stem_of(last, false) : last);
  if (found == files.end()) return std::nullopt;
  std::vector<std::string> best;
  std::size_t most = 0;
  for (const std::string& file : found->second) {
    const std::size_t shared = shared_folders(parts, parts_of(file));
    if (shared > most) best.clear();
    most = std::max(most, shared);
    if (shared == most) best.push_back(file);
  }
  return best.size() == 1 ? std::optional((fs::path(folder_) / best[0]).string()) : std::nullopt;
}

std::optional<std::string> ImageFolder::elsewhere(const std::string& image) {
  const std::vector<std::string> parts = parts_of(image);
  if (parts.empty()) return std::nullopt;
  for (std::size_t from = 0; from < parts.size(); ++from) {
    if (auto path = exactly(folder_, joined(parts, from))) return path;
  }
  for (const bool any_extension : {false, true}) {
    for (std::size_t from = 0; from < parts.size(); ++from) {
      if (auto path = walk(parts, from, any_extension)) return path;
    }
  }
  for (const bool any_extension : {false, true}) {
    if (auto path = deeper(parts, any_extension)) return path;
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
  throw Error(
      ErrorKind::not_found,
      fmt::format("{}: names the image '{}', which is not in {}{}; check --images and "
                  "--image-extension, or leave such images out with --missing-images skip{}",
                  file, printable_path(image), folder,
                  num_more > 0 ? fmt::format(" (and {} more)", num_more) : "",
                  file.ends_with(".slp") ? images_within : ""));
}

namespace {

/// Of names in the file that belong to one image. `names` has those of all annotations.
void refuse_one_image_twice(const LandmarkTable& table, const std::vector<std::string>& names,
                            const std::string& file) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < table.annotations.size(); ++i) {
    const std::string& image = table.annotations[i].image;
    const auto [place, is_new] = places.emplace(image, i);
    require(is_new, ErrorKind::invalid_input, [&] {
      return fmt::format(
          "{}: '{}' and '{}' are both the image '{}'; give one of them, or give "
          "--images a folder where each has its own",
          file, printable_path(names[place->second]), printable_path(names[i]),
          printable_path(image));
    });
  }
}

}  // namespace

MatchedImages match_images(LandmarkTable& table, const std::string& folder, const std::string& file,
                           MissingImages missing) {
  MatchedImages result;
  ImageFolder images(folder);
  std::vector<Annotation> kept;
  std::vector<std::string> names;
  for (Annotation& annotation : table.annotations) {
    const auto path = images.find(annotation.image);
    if (!path) {
      result.skipped.push_back(annotation.image);
      continue;
    }
    names.push_back(annotation.image);
    if (!exactly(folder, annotation.image)) {
      const std::size_t at = instance_at(annotation.image);
      std::string name = fs::path(*path).lexically_relative(folder).generic_string();
      const bool as_it_is = is_named(name, annotation.image.substr(0, at));
      if (!as_it_is) ++result.num_renamed;
      const bool has_instance = at < annotation.image.size() && !path->ends_with(annotation.image);
      annotation.image = name + (has_instance ? annotation.image.substr(at) : "");
    }
    kept.push_back(std::move(annotation));
  }
  if (missing == MissingImages::refuse && !result.skipped.empty()) {
    refuse_missing_image(file, result.skipped[0], folder, result.skipped.size() - 1);
  }
  table.annotations = std::move(kept);
  refuse_one_image_twice(table, names, file);
  check_table(table);
  return result;
}

}  // namespace caos::landmarks
