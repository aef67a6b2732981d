#include "apps/cli/provenance/manifest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "apps/cli/processes.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/guarantee.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/write_whole.hpp"
#include "caos/kernels/dispatch.hpp"
#include "caos/onnx/onnx_runtime.hpp"
#include "caos/text/models/llama/llama_model.hpp"
#include "caos/version.hpp"

namespace caos::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* same_bytes =
    "The same version, inputs, options and seed give the same outputs, byte for byte, on every "
    "supported CPU, with any kernels and any number of threads.";
constexpr const char* not_of_image_libraries =
    " This assumes the same pixels: other versions of the libraries that decode images may give "
    "others.";
constexpr const char* not_of_runtimes =
    " This assumes the same answers of the model: {} computes them, and they may differ on another "
    "machine or in another version.";

bool is_standard(const std::string& path) { return path == "-"; }

/// Pipes and devices have no content that could be read again.
bool is_device(const std::string& path) {
  std::error_code ignored;
  return is_standard(path) || (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) ||
         path == "/dev/stdin" || path == "/dev/stdout" || path == "/dev/stderr" ||
         path.starts_with("/dev/fd/") || path.starts_with("/proc/");
}

/// When the content or the name of a file last changed. Unlike the modification time, programs
/// cannot set it.
std::optional<std::chrono::nanoseconds> time_of(const std::string& path) {
  struct stat file = {};
  if (::stat(path.c_str(), &file) != 0) return std::nullopt;
  return std::chrono::seconds(file.st_ctim.tv_sec) + std::chrono::nanoseconds(file.st_ctim.tv_nsec);
}

/// As on the command line; null where an option is absent and has no default.
Json value_of(const Option& option) {
  if (option.is_flag()) return option.count() > 0;
  if (option.count() > 0) return fmt::format("{}", fmt::join(option.results(), ","));
  return option.get_default_str().empty() ? Json(nullptr) : Json(option.get_default_str());
}

/// All options but those of the manifest itself.
Json options_json(const Command& command) {
  Json json = Json::object();
  for (const Option* option : command.get_options()) {
    const std::string name = option->get_name();
    const bool is_of_result = name != "-h" && name != "--help" && !name.ends_with("manifest");
    if (is_of_result) json[name] = value_of(*option);
  }
  return json;
}

// Files.

void add_once(std::vector<std::string>& paths, const std::string& path) {
  if (!path.empty() && std::ranges::find(paths, path) == paths.end()) paths.push_back(path);
}

/// A folder that the run creates later cannot be checked yet.
void check_target(const std::string& target, const RunFiles& files) {
  if (!files.folder.empty() && !io::is_folder(files.folder)) return;
  std::vector<std::string> taken = files.inputs;
  taken.insert(taken.end(), files.outputs.begin(), files.outputs.end());
  check_outputs({target}, taken);
}

/// A file that cannot be read, such as an image that was left out for that reason, is noted.
void add_hash(const std::string& path, Json& json) {
  try {
    const io::FileHash hash = io::hash_of_file(path);
    json["bytes"] = hash.bytes;
    json["sha256"] = hash.sha256;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::not_found) throw;
    json["note"] = "cannot be opened, not hashed";
  }
}

Json file_json(const std::string& path) {
  Json json = {{"path", path}};
  if (is_standard(path)) {
    json["note"] = "standard input, not hashed";
  } else if (is_device(path)) {
    json["note"] = "not a regular file, not hashed";
  } else if (!time_of(path)) {
    json["note"] = "deleted before the end of the run, not hashed";
  } else {
    add_hash(path, json);
  }
  return json;
}

Json files_json(const std::vector<std::string>& paths) {
  std::vector<Json> files(paths.size());
  parallel_for(paths.size(), 1, 0,
               [&](std::size_t i, std::size_t) { files[i] = file_json(paths[i]); });
  return files;
}

}  // namespace

Manifest::Manifest(const CommonOptions& common, RunFiles files)
    : common_(common), target_(common.manifest.empty() ? files.manifest : common.manifest) {
  if (!is_wanted()) return;
  check_target(target_, files);
  if (!common.manifest.empty()) record_printing();
  add_outputs(files.outputs);
  add_inputs(files.inputs);
}

void Manifest::add_input(const std::string& path) {
  const bool is_own = std::ranges::find(outputs_, path) != outputs_.end();
  const bool is_there = is_standard(path) || time_of(path).has_value();
  if (is_own || !is_there || !known_inputs_.insert(path).second) return;
  inputs_.push_back({path, time_of(path)});
}

void Manifest::add_inputs(const std::vector<std::string>& files) {
  if (!is_wanted()) return;
  for (const std::string& path : files) {
    if (!io::is_folder(path)) {
      add_input(path);
      continue;
    }
    for (const std::string& name : io::files_in(path)) {
      const bool is_manifest = name == "manifest.json" || name.ends_with(manifest_suffix);
      if (!is_manifest) add_input((fs::path(path) / name).string());
    }
  }
}

void Manifest::add_outputs(const std::vector<std::string>& files) {
  for (const std::string& path : files) {
    if (!is_standard(path)) add_once(outputs_, path);
  }
}

void Manifest::add_growing_output(const std::string& file) { add_once(growing_, file); }

void Manifest::set_backbone(const EmbeddingRecord& embedding) {
  if (!is_wanted()) return;
  const std::string& name = embedding.backbone;
  backbone_ = {{"name", name},
               {"identity", embedding.identity},
               {"working_size", embedding.working_size},
               {"precision", precision_name(embedding.precision)}};
  if (!name.starts_with("embeddings:")) set_uses_pixels();
  if (name.starts_with("onnx:")) {
    const Option& library = *common_.command->get_option("--onnxruntime");
    runtimes_["onnxruntime"] =
        onnx_runtime_description(library.count() > 0 ? library.results().front() : "");
  }
}

void Manifest::set_language_model(const std::string& name, const std::string& identity) {
  if (!is_wanted()) return;
  language_model_ = {{"name", name}, {"identity", identity}};
  if (name.starts_with("llama:")) runtimes_["llama"] = text::llama_version();
  if (text::is_server(name)) runtimes_["server"] = "a server";
  if (name.starts_with("command:")) runtimes_["command"] = "another program";
}

Json Manifest::inputs_json() const {
  std::vector<std::string> paths;
  for (const Input& input : inputs_) paths.push_back(input.path);
  Json files = files_json(paths);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    // Many files are added after they were read: a change since the start tells of those.
    const auto now = time_of(inputs_[i].path);
    const bool same = now == inputs_[i].changed && now <= begun_;
    if (same || files[i].contains("note")) continue;
    files[i]["note"] = "changed during the run; the hash is of the final content";
  }
  return files;
}

Json Manifest::outputs_json() const {
  std::vector<std::string> there;
  for (const std::string& path : outputs_) {
    if (is_device(path) || time_of(path)) there.push_back(path);
  }
  Json files = files_json(there);
  for (const std::string& path : growing_) {
    files.push_back({{"path", path}, {"note", "a store that later runs add to, not hashed"}});
  }
  if (common_.manifest.empty()) return files;
  const io::FileHash hash = printed();
  if (hash.bytes > 0) {
    files.push_back({{"path", "-"},
                     {"note", "standard output"},
                     {"bytes", hash.bytes},
                     {"sha256", hash.sha256}});
  }
  return files;
}

Json Manifest::to_json(const Json& inputs, const Json& outputs) const {
  const Json options = options_json(*common_.command);
  std::string reproducibility = same_bytes;
  if (uses_pixels_) reproducibility += not_of_image_libraries;
  for (const auto& [name, runtime] : runtimes_.items()) {
    reproducibility += fmt::format(fmt::runtime(not_of_runtimes), runtime.get<std::string>());
  }
  return {{"kind", manifest_kind},
          {"format", manifest_format},
          {"manifest", target_},
          {"program", fmt::format("caos {}", caos::version())},
          {"command", full_name(*common_.command)},
          {"verb", full_name(*common_.command)},  // the former name of "command"
          {"options", options},
          {"seed", options.value("--seed", Json(nullptr))},
          {"inputs", inputs},
          {"outputs", outputs},
          {"backbone", backbone_},
          {"language_model", language_model_},
          {"kernels", kernels::instruction_set()},
          {"runtimes", runtimes_},
          {"guarantee", guarantee_},
          {"assumption", guarantee_.is_null() ? Json(nullptr) : Json(assumption)},
          {"same_bytes", reproducibility}};
}

void Manifest::warn_of_changed(const Json& inputs) const {
  for (const Json& input : inputs) {
    if (!input.contains("note") || is_device(input["path"])) continue;
    warn(common_,
         fmt::format("{}: {}", input["path"].get<std::string>(), input["note"].get<std::string>()));
  }
}

void Manifest::write() {
  if (!is_wanted()) return;
  finish_printing();
  const Json outputs = outputs_json();
  const Json inputs = inputs_json();
  warn_of_changed(inputs);
  const std::string text = json_text(to_json(inputs, outputs), 2) + "\n";
  io::write_whole(target_, [&](io::Sink& sink) { sink.write(text); });
}

}  // namespace caos::cli
