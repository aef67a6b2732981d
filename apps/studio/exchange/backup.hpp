#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "apps/studio/exchange/spooled_file.hpp"
#include "apps/studio/store/store.hpp"

namespace caos::studio {

/// All of a project in one file, NAME.caos-project.zip (docs/reference/formats.md).
[[nodiscard]] LargeDownload backup_project(Store& store, Id project);

/// Makes a project of such a file, called `name` or as it was; whole or not at all. Anything but an
/// unaltered backup of a version that is known is an Error bad_format.
Project restore_project(Store& store, const std::string& path,
                        const std::optional<std::string>& name = std::nullopt);
Project restore_project(Store& store, std::span<const std::byte> bytes,
                        const std::optional<std::string>& name = std::nullopt);

}  // namespace caos::studio
