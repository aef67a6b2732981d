#include "caos/text/encoders/encoder_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "caos/error.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/io/utf8.hpp"
#include "caos/text/encoders/tokenizer_file.hpp"
#include "caos/text/json_reader.hpp"

namespace caos::text {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_by_default = 512;  // BERT's

constexpr const char* remedy =
    "an encoder as published for ONNX has tokenizer.json and model.onnx or onnx/model.onnx; "
    "'tools/get_model minilm' fetches one";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// Which files there are.

std::vector<fs::path> models_in(const fs::path& folder) {
  std::vector<fs::path> models;
  if (!io::is_folder(folder.string())) return models;
  for (const std::string& name : io::files_in(folder.string())) {
    if (name.ends_with(".onnx")) models.push_back(folder / name);
  }
  return models;
}

fs::path model_in(const fs::path& folder) {
  for (const fs::path& usual : {folder / "onnx/model.onnx", folder / "model.onnx"}) {
    if (is_file(usual)) return usual;
  }
  std::vector<fs::path> models = models_in(folder / "onnx");
  std::ranges::move(models_in(folder), std::back_inserter(models));
  require(!models.empty(), ErrorKind::not_found,
          [&] { return fmt::format("{}: has no .onnx file; {}", folder.string(), remedy); });
  require(models.size() == 1, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} models; name one: encoder:{}", folder.string(), models.size(),
                       models[0].string());
  });
  return models[0];
}

/// The folder of an encoder, and its model.
struct Place {
  fs::path folder;
  fs::path model;
};

Place place_of(const std::string& path) {
  const fs::path given(path);
  if (!path.ends_with(".onnx")) {
    require(io::is_folder(path), ErrorKind::not_found,
            [&] { return fmt::format("{}: not a folder; {}", path, remedy); });
    return {given, model_in(given)};
  }
  require(is_file(given), ErrorKind::not_found,
          [&] { return fmt::format("{}: no such file; {}", path, remedy); });
  const fs::path beside = given.has_parent_path() ? given.parent_path() : fs::path(".");
  const bool is_below =
      !is_file(beside / "tokenizer.json") && is_file(beside / ".." / "tokenizer.json");
  return {is_below ? beside / ".." : beside, given};
}

std::string name_of(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return whole.has_filename() ? whole.filename().string() : whole.parent_path().filename().string();
}

// What the files say.

/// A configuration; nothing where the file is missing.
std::optional<OrderedJson> json_of(const fs::path& file) {
  if (!is_file(file)) return std::nullopt;
  return parse_json(io::MappedFile::read(file.string()).text(), file.string());
}

[[noreturn]] void refuse(const fs::path& file, const std::string& what) {
  throw Error(ErrorKind::bad_format, fmt::format("{}: {}", file.string(), what));
}

/// A value of a configuration; null where it is missing.
OrderedJson value_in(const std::optional<OrderedJson>& json, const char* key) {
  if (!json || !json->is_object() || !json->contains(key)) return nullptr;
  return json->at(key);
}

std::optional<std::size_t> count_in(const fs::path& file, const char* key) {
  const OrderedJson value = value_in(json_of(file), key);
  if (value.is_null()) return std::nullopt;
  constexpr std::uint64_t most = 1U << 20U;
  const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() >= 3 &&
                    value.get<std::uint64_t>() <= most;
  if (!fits) refuse(file, fmt::format("'{}' is not a whole number from 3 to {}", key, most));
  return value.get<std::size_t>();
}

/// Modules of sentence-transformers run one after another; the last one may normalize.
fs::path pooling_file(const fs::path& folder) {
  const fs::path file = folder / "modules.json";
  const std::optional<OrderedJson> modules = json_of(file);
  fs::path pooling = folder / "1_Pooling/config.json";
  if (!modules) return pooling;
  if (!modules->is_array()) refuse(file, "not a list of modules");
  for (const OrderedJson& module : *modules) {
    const OrderedJson type = value_in(module, "type");
    const std::string name = type.is_string() ? type.get<std::string>() : "unknown";
    if (name.ends_with(".Pooling")) {
      const OrderedJson path = value_in(module, "path");
      if (!path.is_string()) refuse(file, "the module Pooling has no path");
      pooling = folder / path.get<std::string>() / "config.json";
    } else if (!name.ends_with(".Transformer") && !name.ends_with(".Normalize")) {
      refuse(file, fmt::format("has a module {}, which caos does not run; it runs Transformer, "
                               "Pooling and Normalize",
                               in_quotes(name)));
    }
  }
  return pooling;
}

Pooling pooling_of(const fs::path& folder) {
  const fs::path file = pooling_file(folder);
  const std::optional<OrderedJson> json = json_of(file);
  if (!json) return Pooling::mean;
  if (!json->is_object()) refuse(file, "not a JSON object");
  std::vector<std::string> modes;
  for (const auto& [key, value] : json->items()) {
    if (key.starts_with("pooling_mode_") && value == true) modes.push_back(key);
  }
  // Divided by the root of their number, the same sum has the same direction.
  if (modes == std::vector<std::string>{"pooling_mode_mean_tokens"} ||
      modes == std::vector<std::string>{"pooling_mode_mean_sqrt_len_tokens"}) {
    return Pooling::mean;
  }
  if (modes == std::vector<std::string>{"pooling_mode_cls_token"}) return Pooling::first_token;
  refuse(file, fmt::format("has the pooling modes [{}]; caos runs one of pooling_mode_mean_tokens "
                           "and pooling_mode_cls_token",
                           fmt::join(modes, ", ")));
}

/// How many tokens a text may have.
std::size_t most_tokens_of(const fs::path& folder, const WordPieceTokenizer& tokenizer) {
  const std::size_t positions =
      count_in(folder / "config.json", "max_position_embeddings").value_or(longest_by_default);
  const auto wanted = count_in(folder / "sentence_bert_config.json", "max_seq_length");
  return std::min(positions, wanted.value_or(tokenizer.most_tokens.value_or(positions)));
}

std::string prompt_of(const fs::path& folder) {
  const fs::path file = folder / "config_sentence_transformers.json";
  const std::optional<OrderedJson> json = json_of(file);
  const OrderedJson name = value_in(json, "default_prompt_name");
  if (!name.is_string()) return {};
  const OrderedJson prompt = value_in(value_in(json, "prompts"), name.get<std::string>().c_str());
  if (!prompt.is_string()) refuse(file, "'default_prompt_name' names no prompt");
  return prompt.get<std::string>();
}

}  // namespace

EncoderFolder read_encoder_folder(const std::string& path) {
  const Place place = place_of(path);
  const fs::path tokenizer = place.folder / "tokenizer.json";
  require(is_file(tokenizer), ErrorKind::not_found,
          [&] { return fmt::format("{}: no such file; {}", tokenizer.string(), remedy); });
  EncoderFolder folder{.name = name_of(place.folder),
                       .model = place.model.string(),
                       .tokenizer = read_tokenizer(tokenizer.string()),
                       .pooling = pooling_of(place.folder),
                       .prompt = prompt_of(place.folder)};
  folder.most_tokens = most_tokens_of(place.folder, folder.tokenizer);
  return folder;
}

std::vector<std::string> encoder_files(const std::string& path) {
  const Place place = place_of(path);
  std::vector<std::string> files;
  // Weights outside the model lie beside it, under its name with an ending: model.onnx_data.
  const fs::path beside = place.model.has_parent_path() ? place.model.parent_path() : ".";
  for (const std::string& name : io::files_in(beside.string())) {
    if (name.starts_with(place.model.filename().string()))
      files.push_back((beside / name).string());
  }
  for (const fs::path& file :
       {place.folder / "tokenizer.json", place.folder / "config.json",
        place.folder / "modules.json", place.folder / "sentence_bert_config.json",
        place.folder / "config_sentence_transformers.json", pooling_file(place.folder)}) {
    if (is_file(file)) files.push_back(file.string());
  }
  return files;
}

}  // namespace caos::text
