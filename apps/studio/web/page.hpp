#pragma once

#include <string_view>

/// The studio's page (`apps/studio/web`), built from TypeScript; all empty where node or its
/// packages were not there at build.
namespace caos::assets {

extern const std::string_view studio_html;
extern const std::string_view studio_js;
extern const std::string_view studio_css;
extern const std::string_view studio_icon;

}  // namespace caos::assets
