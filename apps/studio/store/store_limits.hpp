#pragma once

#include <cstddef>

// How much of everything the store takes. Lengths are in bytes.
namespace caos::studio::limits {

inline constexpr std::size_t projects = 1'000;
inline constexpr std::size_t project_name = 200;
inline constexpr std::size_t landmarks = 2'000;  ///< of a scheme
inline constexpr std::size_t landmark_name = 200;
inline constexpr std::size_t images = 100'000;  ///< of a project
inline constexpr std::size_t image_name = 255;
inline constexpr std::size_t subject = 200;
inline constexpr std::size_t annotator = 100;
inline constexpr std::size_t change_id = 100;
inline constexpr std::size_t pixels = 100'000'000;  ///< of an image
inline constexpr std::size_t k = 1'000;
inline constexpr std::size_t looks = 20;        ///< of a sample
inline constexpr std::size_t measures = 1'000;  ///< and lines, of a project
inline constexpr std::size_t setting = 1'000;   ///< any other text

}  // namespace caos::studio::limits
