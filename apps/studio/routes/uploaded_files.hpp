#pragma once

#include <vector>

#include "apps/studio/routes/json_arguments.hpp"
#include "caos/landmarks/formats/landmark_text.hpp"

namespace caos::studio {

/// `files`: landmark files that the page has read, at least one.
[[nodiscard]] std::vector<landmarks::NamedText> read_files(Reader& reader);

/// How to read them: `format`, `tps_y`, `slicer_scale`, `image_extension`, all optional.
[[nodiscard]] landmarks::FileOptions read_file_options(Reader& reader);

/// `bottom` or `top`.
[[nodiscard]] landmarks::TpsOptions tps_options(const std::string& y);

}  // namespace caos::studio
