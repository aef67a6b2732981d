#include "apps/cli/provenance/manifest_check.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "apps/cli/provenance/manifest_file.hpp"
#include "caos/error.hpp"
#include "caos/io/mapped_file.hpp"

namespace caos::cli {
namespace {

namespace fs = std::filesystem;

std::size_t count_of(const Json& files, std::string_view state) {
  std::size_t count = 0;
  for (const Json& file : files) count += file["state"] == state ? 1U : 0U;
  return count;
}

void judge(const CommonOptions& options, const std::string& file, const Json& json) {
  const std::size_t inputs =
      count_of(json["inputs"], "changed") + count_of(json["inputs"], "missing");
  if (inputs > 0) {
    warn(options, fmt::format("{}: {} of its inputs are changed or missing, so that the result "
                              "could not be made again from them",
                              file, inputs));
  }
  const std::size_t changed = count_of(json["outputs"], "changed");
  const std::size_t missing = count_of(json["outputs"], "missing");
  require(changed + missing == 0, ErrorKind::bad_format, [&] {
    return fmt::format("{}: outputs are not what the run wrote: {} changed, {} missing", file,
                       changed, missing);
  });
}

}  // namespace

std::string manifest_beside(const CommonOptions& options, const std::string& result) {
  std::error_code ignored;
  const std::string name = result + manifest_suffix;
  if (!fs::is_regular_file(name, ignored)) return "";
  try {
    if (is_manifest_of(name, io::MappedFile::read(name).text(), result)) return name;
    warn(options, fmt::format("{}: is of another version of {}", name, result));
  } catch (const Error& error) {
    warn(options, error.what());
  }
  return "";
}

bool is_manifest(std::string_view text) {
  // The other files begin with the length of a header, in eight bytes of which the last is zero.
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_text = text.substr(0, 8).find('\0') == text.npos;
  return is_text && first != text.npos && text[first] == '{';
}

void inspect_manifest(const CommonOptions& options, const std::string& file,
                      std::string_view text) {
  const Json json = read_manifest(file, text);
  print(options.json ? json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n"
                     : manifest_text(file, json));
  finish_printing();
  judge(options, file, json);
}

}  // namespace caos::cli
