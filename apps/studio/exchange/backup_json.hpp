#pragma once

#include <string>
#include <string_view>

#include "apps/studio/store/backups/snapshot.hpp"

namespace caos::studio {

/// A project as project.json in a backup says it (docs/reference/formats.md).
[[nodiscard]] std::string backup_json(const ProjectSnapshot& project);

/// The inverse. Other text, or an unknown version, is an Error bad_format
/// with the path of the element. Whether a project can be so is for the store to say.
[[nodiscard]] ProjectSnapshot parse_backup_json(std::string_view text);

}  // namespace caos::studio
