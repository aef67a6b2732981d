#include "apps/studio/store/checks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "apps/studio/store/store_limits.hpp"
#include "caos/conformal/subject_weights.hpp"
#include "caos/error.hpp"
#include "caos/io/utf8.hpp"
#include "caos/landmarks/embedding/embedding_precision.hpp"
#include "caos/miscoverage.hpp"
#include "caos/scorers/patch_score.hpp"
#include "caos/vision/working_size.hpp"

namespace caos::studio {
namespace {

template <typename Message>
void demand(bool condition, Message&& message) {
  require(condition, ErrorKind::invalid_input, std::forward<Message>(message));
}

/// C0 and DEL are single bytes; C1, U+0080 to U+009F, is C2 80 to C2 9F.
bool has_control_character(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7f) return true;
    const bool is_c1 =
        byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (is_c1) return true;
  }
  return false;
}

void check_length(const std::string& text, std::size_t longest, const char* what) {
  demand(!text.empty(), [&] { return fmt::format("{} is empty; expected a text", what); });
  demand(text.size() <= longest, [&] {
    return fmt::format("{} has {} bytes; at most {} are allowed", what, text.size(), longest);
  });
}

void check_printable(const std::string& text, const char* what) {
  demand(is_printable(text), [&] {
    return fmt::format("{} must be UTF-8 without line breaks and other control characters", what);
  });
}

void check_setup(const std::string& text, const char* what) {
  demand(text.size() <= limits::setting && is_printable(text), [&] {
    return fmt::format("{} must be UTF-8 of at most {} bytes", what, limits::setting);
  });
}

}  // namespace

bool is_printable(std::string_view text) {
  return text::is_utf8(text) && !has_control_character(text);
}

void check_name(const std::string& name, std::size_t longest, const char* what) {
  check_length(name, longest, what);
  check_printable(name, what);
  demand(name.front() != ' ' && name.back() != ' ',
         [&] { return fmt::format("{} '{}' must not begin or end with a blank", what, name); });
}

void check_image_name(const std::string& name) {
  constexpr const char* what = "the name of an image";
  check_length(name, limits::image_name, what);
  check_printable(name, what);
  const bool is_path =
      name.find_first_of("/\\") != std::string::npos || name == "." || name == "..";
  demand(!is_path, [&] {
    return fmt::format("{} must be that of a file, without folders; '{}' is not", what, name);
  });
}

void check_scale(const std::optional<double>& mm_per_pixel) {
  demand(!mm_per_pixel || (std::isfinite(*mm_per_pixel) && *mm_per_pixel > 0),
         "millimeters per pixel must be a positive number");
}

void check_subject(const std::optional<std::string>& subject) {
  if (subject) check_name(*subject, limits::subject, "the subject of an image");
}

void check_settings(const Settings& settings) {
  demand(settings.score.size() <= limits::setting, "the name of the score is too long");
  static_cast<void>(parse_patch_score(settings.score));
  static_cast<void>(Miscoverage::parse(settings.alpha));
  demand(settings.alpha.size() <= limits::setting, "alpha has too many digits");
  demand(settings.k >= 1 && settings.k <= limits::k, [&] {
    return fmt::format("k is {}; it must be between 1 and {}", settings.k, limits::k);
  });
  static_cast<void>(parse_target(settings.target));
  check_scale(settings.mm_per_pixel);
}

void check_project(const Project& project) {
  check_name(project.name, limits::project_name, "the name of a project");
  check_setup(project.backbone, "the backbone");
  check_setup(project.working_size, "the working size");
  static_cast<void>(vision::WorkingSize::recorded(project.working_size));
  static_cast<void>(parse_precision(project.precision));
  check_settings(project.settings);
}

void check_change(const Change& change) {
  check_name(change.id, limits::change_id, "the id of a change");
  check_name(change.annotator, limits::annotator, "the annotator's name");
  demand(change.reading == 1 || change.reading == 2, [&] {
    return fmt::format("unknown reading {}; an image has a reading 1 and a reading 2",
                       change.reading);
  });
  demand(!change.edits.empty(), "a change must have at least one edit");
  std::set<Id> landmarks;
  for (const Edit& edit : change.edits) {
    demand(landmarks.insert(edit.landmark).second, [&] {
      return fmt::format("landmark {} is edited twice in one change; once will do", edit.landmark);
    });
  }
}

}  // namespace caos::studio
