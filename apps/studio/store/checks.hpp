#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/studio/store/records.hpp"

// What callers hand in is checked here, once. All complaints are an Error invalid_input.
namespace caos::studio {

/// Whether it is well-formed UTF-8 without control characters.
[[nodiscard]] bool is_printable(std::string_view text);

/// A name that people gave: printable, 1 to `longest` bytes, no blank at either end. `what` is what
/// the error calls it.
void check_name(const std::string& name, std::size_t longest, const char* what);

/// The name of an image: printable, and of a file rather than of a path.
void check_image_name(const std::string& name);

/// A scale: finite and positive.
void check_scale(const std::optional<double>& mm_per_pixel);

void check_subject(const std::optional<std::string>& subject);
void check_settings(const Settings& settings);

/// Its name, settings, and how its images are embedded.
void check_project(const Project& project);

/// The scheme as it is to be stored: with colors, and pairs that go both ways.
[[nodiscard]] std::vector<SchemeLandmark> checked_scheme(std::vector<SchemeLandmark> scheme);

/// All but what the image and the scheme have to say.
void check_change(const Change& change);

}  // namespace caos::studio
