#include "apps/studio/routes/uploaded_files.hpp"

#include <fmt/format.h>

#include "caos/error.hpp"

namespace caos::studio {
namespace {

landmarks::NamedText read_file(const Json& object, std::size_t index) {
  Reader reader(object, fmt::format("files[{}]", index));
  landmarks::NamedText file{.name = reader.text("name"), .text = reader.text("text")};
  reader.finish();
  return file;
}

}  // namespace

std::vector<landmarks::NamedText> read_files(Reader& reader) {
  const Json& list = reader.list("files");
  require(!list.empty(), ErrorKind::invalid_input, "files is empty: give at least one");
  std::vector<landmarks::NamedText> files;
  for (std::size_t i = 0; i < list.size(); ++i) files.push_back(read_file(list[i], i));
  return files;
}

landmarks::TpsOptions tps_options(const std::string& y) {
  require(y == "bottom" || y == "top", ErrorKind::invalid_input,
          [&] { return fmt::format("tps_y: '{}' is not bottom or top", y); });
  return {.y = y == "bottom" ? landmarks::TpsY::bottom : landmarks::TpsY::top};
}

landmarks::FileOptions read_file_options(Reader& reader) {
  landmarks::FileOptions options;
  if (reader.has("format")) options.format = landmarks::parse_format(reader.text("format"));
  if (reader.has("tps_y")) options.tps = tps_options(reader.text("tps_y"));
  if (reader.has("slicer_scale")) options.slicer_scale = reader.number("slicer_scale");
  options.image_extension = reader.text("image_extension", "");
  return options;
}

}  // namespace caos::studio
