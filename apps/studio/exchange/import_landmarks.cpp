#include "apps/studio/exchange/import_landmarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <random>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "apps/studio/exchange/image_finder.hpp"
#include "apps/studio/exchange/import_scheme.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/formats/check_table.hpp"

namespace caos::studio {
namespace {

using landmarks::Annotation;
using landmarks::FileOptions;
using landmarks::Format;
using landmarks::LandmarkTable;
using landmarks::NamedText;
using landmarks::Visibility;

PointState state_of(Visibility visibility) {
  switch (visibility) {
    case Visibility::visible:
      return PointState::visible;
    case Visibility::hidden:
      return PointState::hidden;
    case Visibility::missing:
      return PointState::missing;
  }
  __builtin_unreachable();
}

/// No two imports share it, so that each happens.
std::string new_import_id() {
  std::random_device random;
  return fmt::format("import-{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

// What the files say.

landmarks::ImageSizes sizes_of(const std::vector<ImageRecord>& images, const ImageFinder& finder) {
  return [&](const std::string& name) -> std::optional<landmarks::ImageSize> {
    const auto image = finder.find(name);
    if (!image) return std::nullopt;
    return landmarks::ImageSize{images[*image].width, images[*image].height};
  };
}

/// Slicer's files are in millimeters and do not say how long a pixel is; the image may know.
LandmarkTable parse_by_scale(std::span<const NamedText> files, FileOptions options,
                             const std::vector<ImageRecord>& images, const ImageFinder& finder,
                             const Settings& settings) {
  std::vector<std::string> names;
  for (const landmarks::NamedText& file : files) names.push_back(file.name);
  return landmarks::join_images(names, [&](std::size_t i) {
    options.slicer_scale = std::nullopt;
    LandmarkTable table = landmarks::parse_landmarks(files[i].text, files[i].name, options);
    const auto image = finder.find(table.annotations.front().image);
    options.slicer_scale = image ? images[*image].scale(settings) : settings.mm_per_pixel;
    if (!options.slicer_scale) return table;
    return landmarks::parse_landmarks(files[i].text, files[i].name, options);
  });
}

bool are_of_slicer(std::span<const NamedText> files, const FileOptions& options) {
  return std::ranges::all_of(files, [&](const NamedText& file) {
    return landmarks::format_of(file.text, file.name, options) == Format::slicer;
  });
}

/// `notes` are what readers decided.
LandmarkTable parse(Store& store, Id project, std::span<const NamedText> files,
                    const ImportOptions& options, std::vector<std::string>& notes) {
  require(!files.empty(), ErrorKind::invalid_input, "no file to import");
  const std::vector<ImageRecord> images = store.images(project);
  const ImageFinder finder(images);
  FileOptions how = options.files;
  how.sizes = sizes_of(images, finder);
  how.note = [&](const std::string& text) { notes.push_back(text); };
  const Settings settings = store.project(project).settings;
  LandmarkTable table = !how.slicer_scale && are_of_slicer(files, how)
                            ? parse_by_scale(files, how, images, finder, settings)
                            : landmarks::parse_landmarks(files, how);
  const std::string name = files.size() == 1 ? files[0].name : "the files";
  landmarks::check_inside(table, how.sizes, name, landmarks::Outside::refuse);
  return table;
}

/// Whether landmarks are called 1, 2, ..., as those are that files know by their places.
bool are_numbered(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != fmt::format("{}", i + 1)) return false;
  }
  return !names.empty();
}

// What becomes of it.

class Import {
 public:
  Import(Store& store, Id project, const ImportOptions& options)
      : store_(store),
        project_(store.project(project)),
        options_(options),
        images_(store.images(project)) {}

  /// Requires that the project does not change meanwhile.
  ImportResult run(const LandmarkTable& table) {
    match_images(table);
    match_landmarks(table);
    apply(table);
    change_images(table);
    finish();
    return std::move(result_);
  }

 private:
  void match_images(const LandmarkTable& table) {
    const ImageFinder finder(images_);
    std::unordered_map<std::size_t, std::string> taken;
    for (const Annotation& annotation : table.annotations) {
      const auto image = finder.find(annotation.image);
      image_of_.push_back(image);
      if (!image) {
        note_unknown(annotation.image, finder);
        continue;
      }
      const auto taking = taken.emplace(*image, annotation.image);
      require(taking.second, ErrorKind::bad_format, [&] {
        return fmt::format("'{}' and '{}' are both about the image {}", taking.first->second,
                           annotation.image, images_[*image].name);
      });
    }
  }

  void note_unknown(const std::string& name, const ImageFinder& finder) {
    result_.unknown_images.push_back(name);
    if (!finder.is_ambiguous(name)) return;
    result_.warnings.push_back(
        fmt::format("several images may be meant by '{}'; none got points", name));
  }

  void match_landmarks(const LandmarkTable& table) {
    const std::vector<SchemeLandmark> scheme = store_.scheme(project_.id);
    const std::vector<std::string> names = table.landmark_names();
    for (const SchemeLandmark& landmark : scheme) landmarks_.emplace(landmark.name, landmark.id);
    std::vector<std::string> unknown;
    std::ranges::copy_if(names, std::back_inserter(unknown),
                         [&](const std::string& name) { return !landmarks_.contains(name); });
    if (unknown.empty()) return;
    if (are_numbered(names) && !scheme.empty()) return match_places(scheme, names);
    if (options_.add_landmarks) return extend(scheme, unknown);
    result_.warnings.push_back(
        fmt::format("the scheme has no {}; their points were left out", fmt::join(unknown, ", ")));
  }

  /// Files without names are about the landmarks of the scheme, in its order.
  void match_places(const std::vector<SchemeLandmark>& scheme,
                    const std::vector<std::string>& names) {
    require(names.size() == scheme.size(), ErrorKind::invalid_input, [&] {
      return fmt::format(
          "the landmarks of the file have no names, so they must be those of the scheme in its order; "
          "the file has {}, the scheme {}",
          names.size(), scheme.size());
    });
    landmarks_.clear();
    for (std::size_t i = 0; i < names.size(); ++i) landmarks_.emplace(names[i], scheme[i].id);
  }

  void extend(std::vector<SchemeLandmark> scheme, const std::vector<std::string>& names) {
    std::vector<std::string> all;
    for (const SchemeLandmark& landmark : scheme) all.push_back(landmark.name);
    all.insert(all.end(), names.begin(), names.end());
    // Colors go on where those of the scheme end; pairs with landmarks that are there already are
    // for people to make.
    for (SchemeLandmark& landmark : scheme_from_names(all)) {
      if (landmarks_.contains(landmark.name)) continue;
      if (landmark.pair && landmarks_.contains(*landmark.pair)) landmark.pair.reset();
      scheme.push_back(std::move(landmark));
    }
    require(
        !store_.rescheming_costs_guarantee(project_.id, scheme), ErrorKind::invalid_input,
        "the file names new landmarks, and the target is all landmarks at once, of which regions "
        "have been seen; add the landmarks first, which costs the guarantee, or leave them out");
    const auto changed =
        store_.replace_scheme(project_.id, project_.scheme_revision, scheme, false);
    require(changed.has_value(), ErrorKind::invalid_input,
            "the scheme was changed meanwhile; import again");
    for (const SchemeLandmark& landmark : store_.scheme(project_.id)) {
      landmarks_.emplace(landmark.name, landmark.id);
    }
    result_.new_landmarks = names;
  }

  void apply(const LandmarkTable& table) {
    const std::vector<Reading> readings = store_.readings(project_.id);
    const std::string id = new_import_id();
    std::vector<Change> changes;
    for (std::size_t i = 0; i < table.annotations.size(); ++i) {
      if (!image_of_[i]) continue;
      Change change{.id = id,
                    .image = images_[*image_of_[i]].id,
                    .base = images_[*image_of_[i]].revision,
                    .annotator = options_.annotator,
                    .source = Source::import,
                    .edits = edits_of(table.annotations[i], readings[*image_of_[i]])};
      if (!change.edits.empty()) changes.push_back(std::move(change));
    }
    for (const Change& change : changes) result_.points += change.edits.size();
    result_.images = changes.size();
    if (!changes.empty()) store_.apply_all(project_.id, changes);
  }

  std::vector<Edit> edits_of(const Annotation& annotation, const Reading& reading) {
    std::unordered_set<Id> known;
    for (const Point& point : reading.points) known.insert(point.landmark);
    std::vector<Edit> edits;
    for (const landmarks::Landmark& landmark : annotation.landmarks) {
      const auto found = landmarks_.find(landmark.name);
      if (found == landmarks_.end() || (!options_.overwrite && known.contains(found->second))) {
        ++result_.skipped;
        continue;
      }
      edits.push_back({.landmark = found->second,
                       .state = state_of(landmark.visibility),
                       .x = landmark.x,
                       .y = landmark.y});
    }
    return edits;
  }

  void change_images(const LandmarkTable& table) {
    for (std::size_t i = 0; i < table.annotations.size(); ++i) {
      if (image_of_[i]) change_image(images_[*image_of_[i]], table.annotations[i]);
    }
  }

  void change_image(const ImageRecord& image, const Annotation& annotation) {
    const bool new_scale = annotation.scale && !image.mm_per_pixel &&
                           annotation.scale != project_.settings.mm_per_pixel;
    const bool new_subject = annotation.subject && !image.subject;
    if (!new_scale && !new_subject) return;
    try {
      store_.change_image(project_.id, image.id, new_subject ? annotation.subject : image.subject,
                          new_scale ? annotation.scale : image.mm_per_pixel);
    } catch (const Error& error) {
      // Subjects are part of how a sample was drawn, so they may stand fast.
      if (error.kind() != ErrorKind::invalid_input) throw;
      refused_ = error.what();
      ++num_refused_;
    }
  }

  void finish() {
    if (num_refused_ == 0) return;
    result_.warnings.push_back(
        fmt::format("subjects or scales of {} images were not taken: {}", num_refused_, refused_));
  }

  Store& store_;
  Project project_;
  const ImportOptions& options_;
  std::vector<ImageRecord> images_;
  std::vector<std::optional<std::size_t>> image_of_{};  // by annotation
  std::unordered_map<std::string, Id> landmarks_{};     // by what the files call them
  std::size_t num_refused_ = 0;
  std::string refused_{};
  ImportResult result_{};
};

}  // namespace

ImportResult import_landmarks(Store& store, Id project, std::span<const landmarks::NamedText> files,
                              const ImportOptions& options) {
  std::vector<std::string> notes;
  const LandmarkTable table = parse(store, project, files, options, notes);
  ImportResult result;
  store.together([&] { result = Import(store, project, options).run(table); });
  std::ranges::move(notes, std::back_inserter(result.warnings));
  return result;
}

}  // namespace caos::studio
