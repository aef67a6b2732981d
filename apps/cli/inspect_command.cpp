#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>

#include "apps/cli/classify/classification_model_output.hpp"
#include "apps/cli/landmarks/landmark_model_output.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest_file.hpp"
#include "apps/cli/scores/calibration_output.hpp"
#include "apps/cli/text/text_model_output.hpp"
#include "caos/io/arrays/npy.hpp"
#include "caos/io/artifact.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/numerics/check_scores.hpp"
#include "caos/text/text_model.hpp"

namespace caos::cli {
namespace {

struct InspectCommandOptions {
  CommonOptions common;
  std::string file;
};

bool is_npy(std::string_view text) { return text.starts_with("\x93NUMPY"); }

/// Begins with the length of its header, in eight bytes of which the last is zero.
bool is_safetensors(std::string_view text) {
  return text.size() > 8 && text[7] == '\0' && text[8] == '{';
}

/// What the values of an array are like.
struct ValueSummary {
  std::size_t nan = 0;
  std::size_t no_score = 0;
  std::size_t minus_infinity = 0;
  std::size_t plus_infinity = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();

  void add(double value) {
    if (std::isnan(value)) ++nan;
    if (!is_score(value)) ++no_score;
    if (value == INFINITY) ++plus_infinity;
    if (value == -INFINITY) ++minus_infinity;
    if (!std::isfinite(value)) return;
    smallest = std::min(smallest, value);
    largest = std::max(largest, value);
  }

  [[nodiscard]] std::string range_text() const {
    return smallest <= largest ? fmt::format("{} to {}", smallest, largest) : "no finite value";
  }
};

ValueSummary summarize(const io::NpyArray& array) {
  ValueSummary summary;
  array.visit([&](auto values) {
    for (const auto value : values) summary.add(static_cast<double>(value));
  });
  return summary;
}

/// The manifest beside a result, or "" if there is none. One of another version of the result is
/// ignored with a warning.
std::string manifest_beside(const CommonOptions& options, const std::string& result) {
  std::error_code ignored;
  const std::string name = result + manifest_suffix;
  if (!std::filesystem::is_regular_file(name, ignored)) return "";
  try {
    if (is_manifest_of(name, io::MappedFile::read(name).text(), result)) return name;
    warn(options, fmt::format("{}: is of another version of {}", name, result));
  } catch (const Error& error) {
    warn(options, error.what());
  }
  return "";
}

/// Names the manifest, if there is one.
std::string origin_text(const std::string& manifest) {
  return manifest.empty() ? "" : fmt::format("{} has its provenance\n", manifest);
}

/// What the shape could be, in the words of the array contract.
std::string possible_use(const io::Shape& shape) {
  if (shape.size() == 1) return "labels, groups or reference indices";
  if (shape.size() == 2 && shape[0] == shape[1]) return "--calibration [n, n]";
  if (shape.size() == 3 && shape[0] == shape[2]) {
    return "--labeled [n, K, n], or --test [m, K, n] with m = n";
  }
  if (shape.size() == 3) {
    return "--test or --reverse [m, K, n], or embeddings [images, patches, dimension]";
  }
  return "not an array that caos reads";
}

Json array_json(const std::string& file, const io::NpyArray& array, const ValueSummary& values,
                const std::string& manifest) {
  return {{"file", file},
          {"kind", "array"},
          {"type", io::name_of(array.type())},
          {"shape", array.shape()},
          {"possible_use", possible_use(array.shape())},
          {"smallest", json_number(values.smallest)},
          {"largest", json_number(values.largest)},
          {"nan", values.nan},
          {"plus_infinity", values.plus_infinity},
          {"minus_infinity", values.minus_infinity},
          {"manifest", manifest.empty() ? Json(nullptr) : Json(manifest)}};
}

std::string array_text(const std::string& file, const io::NpyArray& array,
                       const ValueSummary& values, const std::string& manifest) {
  return fmt::format(
      "{}: an array\n"
      "  type          {}\n"
      "  shape         {}\n"
      "  could be      {}\n"
      "  finite range  {}\n"
      "  NaN           {}\n"
      "  +inf, -inf    {}, {}\n"
      "{}",
      file, io::name_of(array.type()), io::describe(array.shape()), possible_use(array.shape()),
      values.range_text(), values.nan, values.plus_infinity, values.minus_infinity,
      origin_text(manifest));
}

void inspect_array(const InspectCommandOptions& options, io::MappedFile file) {
  const io::NpyArray array(std::move(file));
  const ValueSummary values = summarize(array);
  const std::string manifest = manifest_beside(options.common, options.file);
  print(options.common.json ? json_text(array_json(options.file, array, values, manifest), 2) + "\n"
                            : array_text(options.file, array, values, manifest));
  if (values.no_score > 0) {
    warn(options.common,
         "scores must be numbers, not below -1e300, or +inf; caos refuses others, save those of a "
         "labeled example under itself");
  }
}

/// What every file of caos ends with.
void print_with_origin(const InspectCommandOptions& options, Json json, const std::string& text,
                       const std::string& written_by, const std::string& checksum) {
  const std::string manifest = manifest_beside(options.common, options.file);
  json["written_by"] = written_by;
  json["checksum"] = checksum;
  json["manifest"] = manifest.empty() ? Json(nullptr) : Json(manifest);
  print(options.common.json ? json_text(json, 2) + "\n"
                            : fmt::format("{}\n"
                                          "written by {}; checksum {} is valid\n"
                                          "{}",
                                          text, written_by, checksum, origin_text(manifest)));
}

void inspect_calibration(const InspectCommandOptions& options, io::SafetensorsFile file) {
  const io::Artifact artifact{std::move(file)};
  CalibrationOutput output = describe(artifact.calibration(), artifact.num_labels());
  output.file = options.file;
  Json json = to_json(output);
  json["kind"] = "calibration";
  print_with_origin(options, std::move(json), to_text(output), artifact.written_by(),
                    artifact.checksum());
}

void inspect_landmark_model(const InspectCommandOptions& options, io::SafetensorsFile file) {
  const std::string origin = io::written_by(file.metadata());
  const std::string checksum = file.checksum();
  const LandmarkModel model = read_landmark_model(std::move(file));
  const LandmarkModelOutput output{options.file, model};
  print_with_origin(options, to_json(output), to_text(output), origin, checksum);
}

void inspect_text_model(const InspectCommandOptions& options, io::SafetensorsFile file) {
  const std::string origin = io::written_by(file.metadata());
  const std::string checksum = file.checksum();
  const TextModel model = read_text_model(std::move(file));
  const TextModelOutput output{options.file, model};
  print_with_origin(options, to_json(output), to_text(output), origin, checksum);
}

void inspect_classification_model(const InspectCommandOptions& options, io::SafetensorsFile file) {
  const std::string origin = io::written_by(file.metadata());
  const std::string checksum = file.checksum();
  const ClassificationModel model = read_classification_model(std::move(file));
  const ClassificationModelOutput output{options.file, model};
  print_with_origin(options, to_json(output), to_text(output), origin, checksum);
}

void inspect_model(const InspectCommandOptions& options, io::SafetensorsFile file) {
  switch (io::model_kind(file.metadata()).value_or(io::ModelKind::calibration)) {
    case io::ModelKind::landmarks:
      return inspect_landmark_model(options, std::move(file));
    case io::ModelKind::text:
      return inspect_text_model(options, std::move(file));
    case io::ModelKind::calibration:
      return inspect_calibration(options, std::move(file));
    case io::ModelKind::classification:
      return inspect_classification_model(options, std::move(file));
  }
}

/// Changed inputs are a warning; changed outputs an Error.
void check_files(const CommonOptions& options, const std::string& file, const Json& json) {
  const std::size_t inputs =
      count_of(json["inputs"], "changed") + count_of(json["inputs"], "missing");
  if (inputs > 0) {
    warn(options, fmt::format("{}: {} of its inputs are changed or missing, so that the result "
                              "cannot be reproduced from them",
                              file, inputs));
  }
  const std::size_t changed = count_of(json["outputs"], "changed");
  const std::size_t missing = count_of(json["outputs"], "missing");
  require(changed + missing == 0, ErrorKind::bad_format, [&] {
    return fmt::format("{}: outputs are not what the run wrote: {} changed, {} missing", file,
                       changed, missing);
  });
}

void inspect_manifest(const CommonOptions& options, const std::string& file,
                      std::string_view text) {
  const Json json = read_manifest(file, text);
  print(options.json ? json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n"
                     : manifest_text(file, json));
  finish_printing();
  check_files(options, file, json);
}

void inspect_manifest_at(const InspectCommandOptions& options, const std::string& path) {
  inspect_manifest(options.common, path, io::MappedFile::read(path).text());
}

/// Where the manifest of a result that does not describe itself would be: a folder, page, table or
/// picture.
std::string manifest_of(const std::string& result) {
  return result + (io::is_folder(result) ? "/manifest.json" : manifest_suffix);
}

void run(const InspectCommandOptions& options) {
  const std::string manifest = manifest_of(options.file);
  const bool has_manifest = std::filesystem::exists(manifest);
  if (io::is_folder(options.file) && has_manifest) return inspect_manifest_at(options, manifest);
  io::MappedFile file = io::MappedFile::open(options.file);
  if (is_npy(file.text())) {
    inspect_array(options, std::move(file));
  } else if (has_manifest && !is_safetensors(file.text())) {
    inspect_manifest_at(options, manifest);
  } else if (is_manifest(file.text())) {
    inspect_manifest(options.common, options.file, file.text());
  } else {
    inspect_model(options, io::SafetensorsFile(std::move(file)));
  }
}

}  // namespace

void add_inspect(Command& app) {
  Command& command =
      app.add_subcommand("inspect", "Show the contents of a calibration, model, array or manifest");
  const auto options = std::make_shared<InspectCommandOptions>();
  add_path(command, "file", options->file,
           "A calibration, landmark model or text model (.caos), an array (.npy), a manifest "
           "(.json), whose files are checked, or any result with a manifest beside or in it")
      ->required()
      ->type_name("");
  add_common_options(command, options->common);
  command.footer(
      "Example (after 'caos generate -o example'):\n"
      "  caos inspect example/labeled.npy");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
