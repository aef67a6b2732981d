#pragma once

#include <string_view>

/// Files that are part of the program (`cmake/embed.cmake`).
namespace caos::assets {

/// Pages on experiments: what they have in common, and the script of each.
extern const std::string_view experiment_page_html;
extern const std::string_view experiment_page_css;
extern const std::string_view experiment_page_js;
extern const std::string_view landmark_page_js;
extern const std::string_view raft_page_js;

/// Vega as `tools/setup` fetched it, and its license, which every copy has to carry. The scripts
/// are empty if they were not there at build.
extern const std::string_view vega_js;
extern const std::string_view vega_lite_js;
extern const std::string_view vega_embed_js;
extern const std::string_view vega_license;

}  // namespace caos::assets
