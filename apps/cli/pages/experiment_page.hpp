#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/predictions/json_text.hpp"

/// What the pages on experiments have in common.
namespace caos::cli::experiment_page {

/// Whether the program has Vega. Without it pages have tables but no plots.
[[nodiscard]] bool has_vega();

/// Where the script of the page draws a plot; nothing without Vega. All three are HTML.
[[nodiscard]] std::string plot(std::string_view id, std::string_view title,
                               std::string_view caption);

/// A part of the page with its heading and what to know before reading it, both HTML.
[[nodiscard]] std::string section(std::string_view title, std::string_view lead,
                                  const std::string& content);

/// Says where plots are missing, and why.
[[nodiscard]] std::string about_plots();

/// A section of notes.
[[nodiscard]] std::string notes(const std::vector<std::string>& lines);

/// Version and command.
[[nodiscard]] std::string footer(const std::string& command);

struct Page {
  std::string_view title{};
  std::string body{};
  predictions::Json results{};  ///< what the script draws
  std::string_view script{};    ///< of this page; runs after what all pages have in common
};

/// The page as a file. It opens without any request, and its own policy forbids them.
[[nodiscard]] std::string text_of(const Page& page);

}  // namespace caos::cli::experiment_page
