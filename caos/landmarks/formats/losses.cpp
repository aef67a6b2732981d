#include "caos/landmarks/formats/losses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <unordered_set>

#include "caos/io/printable.hpp"

namespace caos::landmarks {
namespace {

enum class Missing { held, as_minus_one, left_out };

struct Abilities {
  bool names = false;
  bool hidden = false;
  Missing missing = Missing::held;
  bool subject = false;
  bool scale = false;
  bool size = false;
  bool conformity = false;
};

Abilities abilities_of(Format format) {
  switch (format) {
    case Format::csv:
      return {true, true, Missing::held, true, true, true, true};
    case Format::tps:
      return {false, false, Missing::held, false, true, false, true};
    case Format::pts:
      return {false, false, Missing::as_minus_one, false, false, false};
    case Format::coco:
      return {true, true, Missing::held, false, false, true, true};
    case Format::dlib:
      return {true, false, Missing::left_out, false, false, true};
    case Format::label_studio:
      return {true, false, Missing::left_out, true, true, true, true};
    case Format::slicer:
      return {true, true, Missing::held, false, false, false, true};
    case Format::wide_csv:
      return {true, false, Missing::held, true, true, true};
    case Format::deeplabcut:
    case Format::deeplabcut_hdf5:
      return {true, false, Missing::held, false, false, false, true};
    case Format::sleap:
      return {true, true, Missing::held, false, false, false, true};
    case Format::tem:
      return {false, false, Missing::as_minus_one, false, false, false};
    case Format::asf:
      return {false, false, Missing::as_minus_one, false, false, true};
    case Format::points:
      return {true, true, Missing::held, true, true, true, true};
    case Format::regions:
      return {};
  }
  __builtin_unreachable();
}

template <typename Condition>
std::size_t count_images(const LandmarkTable& table, Condition&& condition) {
  return static_cast<std::size_t>(std::ranges::count_if(table.annotations, condition));
}

template <typename Condition>
std::size_t count_landmarks(const LandmarkTable& table, Condition&& condition) {
  std::size_t count = 0;
  for (const Annotation& annotation : table.annotations) {
    count += static_cast<std::size_t>(std::ranges::count_if(annotation.landmarks, condition));
  }
  return count;
}

bool is_hidden(const Landmark& landmark) { return landmark.visibility == Visibility::hidden; }
bool is_missing(const Landmark& landmark) { return landmark.visibility == Visibility::missing; }

bool is_at_zero(const Landmark& landmark) {
  return !is_missing(landmark) && landmark.x == 0 && landmark.y == 0;
}

/// What other tools write for a landmark that is not marked.
bool reads_zero_as_missing(Format format) {
  return format == Format::tps || format == Format::tem || format == Format::wide_csv ||
         format == Format::deeplabcut || format == Format::deeplabcut_hdf5;
}

bool is_off_center(const Landmark& landmark) {
  const auto off = [](double position) { return position - std::floor(position) != 0.5; };
  return !is_missing(landmark) && (off(landmark.x) || off(landmark.y));
}

/// Whether landmarks are called 1, 2, ... in order, as readers of positions will call them.
bool are_numbered(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != fmt::format("{}", i + 1)) return false;
  }
  return true;
}

std::size_t count_marked_nowhere(const LandmarkTable& table) {
  std::unordered_set<std::string_view> marked;
  for (const Annotation& annotation : table.annotations) {
    for (const Landmark& landmark : annotation.landmarks) {
      if (!is_missing(landmark)) marked.insert(landmark.name);
    }
  }
  return table.landmark_names().size() - marked.size();
}

class Losses {
 public:
  Losses(const LandmarkTable& table, Format format)
      : table_(table), format_(format), abilities_(abilities_of(format)) {}

  std::vector<std::string> find(const DlibOptions& dlib) {
    find_landmark_losses();
    find_image_losses();
    if (is_per_image(format_) && format_ != Format::asf) find_name_losses();
    if (format_ == Format::dlib && !dlib.fractions) find_fractions();
    return std::move(found_);
  }

 private:
  void find_landmark_losses() {
    const std::vector<std::string> names = table_.landmark_names();
    add_if(!abilities_.names && !are_numbered(names), names.size(),
           "knows landmarks by their places; {} names are lost");
    add_if(!abilities_.hidden, count_landmarks(table_, is_hidden),
           "cannot say that a landmark is hidden; {} become visible");
    add_if(abilities_.missing == Missing::as_minus_one, num_missing(),
           "has no missing landmarks; {} are written as -1 -1, which other programs may take for a "
           "position");
    add_if(abilities_.missing == Missing::left_out, count_marked_nowhere(table_),
           "leaves missing landmarks out; {} that no image has are lost");
    add_if(reads_zero_as_missing(format_), count_landmarks(table_, is_at_zero),
           "reads (0, 0) as missing; {} landmarks are there");
    add_if(
        !abilities_.conformity,
        count_landmarks(table_, [](const Landmark& landmark) { return landmark.proposed; }),
        "cannot say that a landmark is proposed and how well it conforms; {} are written without");
  }

  /// Those that are not mentioned will be mentioned.
  std::size_t num_missing() const {
    return count_landmarks(with_all_landmarks(table_), is_missing);
  }

  void find_image_losses() {
    add_if(!abilities_.subject,
           count_images(table_, [](const Annotation& a) { return a.subject.has_value(); }),
           "holds no subjects; those of {} images are lost");
    const auto num_scales =
        count_images(table_, [](const Annotation& a) { return a.scale.has_value(); });
    add_if(!abilities_.scale, num_scales,
           format_ == Format::slicer
               ? "holds no scales; the positions in {} images are in millimeters and can be read "
                 "back only with their scale"
               : "holds no scales; those of {} images are lost");
    add_if(!abilities_.size,
           count_images(table_, [](const Annotation& a) { return a.width || a.height; }),
           "holds no sizes of images; those of {} images are lost");
  }

  void find_name_losses() {
    std::set<std::string> extensions;
    for (const Annotation& annotation : table_.annotations) {
      extensions.insert(std::filesystem::path(annotation.image).extension().string());
    }
    extensions.erase("");
    const bool one = extensions.size() == 1;
    const auto num_named = count_images(table_, [](const Annotation& a) {
      const std::filesystem::path path(a.image);
      return path.has_extension() || path.has_parent_path();
    });
    add_if(true, num_named,
           "does not name the image; {} keep the name of the file, without folder and extension" +
               (one ? fmt::format(" ({})", io::printable(*extensions.begin())) : ""));
  }

  void find_fractions() {
    add_if(true, count_landmarks(table_, is_off_center),
           "counts in whole pixels; {} landmarks move to the center of their pixel");
  }

  void add_if(bool condition, std::size_t count, const std::string& text) {
    if (!condition || count == 0) return;
    found_.push_back(
        fmt::format("{} {}", title_of(format_), fmt::format(fmt::runtime(text), count)));
  }

  const LandmarkTable& table_;
  Format format_;
  Abilities abilities_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> losses(const LandmarkTable& table, Format format,
                                const DlibOptions& dlib) {
  return Losses(table, format).find(dlib);
}

}  // namespace caos::landmarks
