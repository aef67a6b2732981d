#include "caos/vision/backbones/onnx_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "caos/error.hpp"

namespace caos::vision {

namespace {

using Json = nlohmann::json;

constexpr std::string_view known_keys = "mean, output, patch_size, prefix_tokens, preset, std";
constexpr std::array<double, 3> imagenet_mean{0.485, 0.456, 0.406};
constexpr std::array<double, 3> imagenet_std{0.229, 0.224, 0.225};

/// Within a family, models differ in width and depth only, which the model itself tells.
struct Preset {
  std::string_view name;
  std::size_t patch_size;
  std::size_t prefix_tokens;
};
constexpr std::array presets{
    Preset{"dinov2-small", 14, 1},    Preset{"dinov2-base", 14, 1},
    Preset{"dinov2-large", 14, 1},    Preset{"dinov2-small-reg", 14, 5},
    Preset{"dinov2-base-reg", 14, 5}, Preset{"dinov2-large-reg", 14, 5},
    Preset{"dinov3-small", 16, 5},    Preset{"dinov3-base", 16, 5},
    Preset{"dinov3-large", 16, 5},
};

std::string preset_names() {
  std::string names;
  for (const Preset& preset : presets) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", preset.name);
  }
  return names;
}

/// A word of a file for an error, which must not steer the terminal.
std::string plain(std::string_view word) {
  std::string result(word.substr(0, 40));
  std::ranges::replace_if(
      result, [](char c) { return c < ' ' || c > '~'; }, '?');
  return result;
}

/// One file that is being read: says what is wrong with which key.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorKind::bad_format, fmt::format("{}: {}", file_, what));
  }

  [[nodiscard]] Json object(std::string_view text) const {
    try {
      Json json = Json::parse(text);
      if (!json.is_object()) refuse("holds no JSON object, like {\"preset\": \"dinov3-base\"}");
      return json;
    } catch (const Json::parse_error& error) {
      refuse(fmt::format("is not JSON, at byte {}", error.byte));
    } catch (const Json::exception&) {
      refuse("holds a number that is too large");
    }
  }

  [[nodiscard]] std::string text(const std::string& key, const Json& value) const {
    if (!value.is_string()) refuse(fmt::format("'{}' must be a text in quotes", key));
    return value.get<std::string>();
  }

  [[nodiscard]] std::size_t count(const std::string& key, const Json& value,
                                  std::size_t least) const {
    constexpr std::size_t most = 1024;
    const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() >= least &&
                      value.get<std::uint64_t>() <= most;
    if (!fits) refuse(fmt::format("'{}' must be a whole number from {} to {}", key, least, most));
    return value.get<std::size_t>();
  }

  [[nodiscard]] std::array<double, 3> channels(const std::string& key, const Json& value,
                                               double least) const {
    bool fits = value.is_array() && value.size() == 3;
    for (std::size_t c = 0; fits && c < 3; ++c) {
      fits = value[c].is_number() && value[c].get<double>() >= least && value[c].get<double>() <= 1;
    }
    if (!fits) {
      refuse(
          fmt::format("'{}' must be three numbers from {} to 1, for red, green and blue as "
                      "fractions of 255",
                      key, least));
    }
    return value.get<std::array<double, 3>>();
  }

  [[nodiscard]] OnnxConfig preset(const Json& value) const {
    try {
      return onnx_preset(text("preset", value));
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::bad_format) throw;
      refuse(error.what());
    }
  }

 private:
  std::string file_;
};

void set(OnnxConfig& config, const Reader& reader, const std::string& key, const Json& value) {
  if (key == "patch_size") {
    config.patch_size = reader.count(key, value, 1);
  } else if (key == "prefix_tokens") {
    config.prefix_tokens = reader.count(key, value, 0);
  } else if (key == "mean") {
    config.mean = reader.channels(key, value, 0);
  } else if (key == "std") {
    config.std_dev = reader.channels(key, value, 0.001);
  } else if (key == "output") {
    config.output = reader.text(key, value);
  } else if (key != "preset") {
    reader.refuse(fmt::format("the key '{}' is unknown; known are {}", plain(key), known_keys));
  }
}

}  // namespace

OnnxConfig onnx_preset(std::string_view name) {
  const auto* const found = std::ranges::find(presets, name, &Preset::name);
  require(found != presets.end(), ErrorKind::invalid_input, [&] {
    return fmt::format("the preset '{}' is unknown; known are {}", plain(name), preset_names());
  });
  return {found->patch_size, found->prefix_tokens, imagenet_mean, imagenet_std, {}};
}

OnnxConfig parse_onnx_config(std::string_view json, const std::string& file) {
  const Reader reader(file);
  const Json object = reader.object(json);
  OnnxConfig config;
  if (object.contains("preset")) config = reader.preset(object["preset"]);
  for (const auto& [key, value] : object.items()) set(config, reader, key, value);
  return config;
}

std::string onnx_config_file(const std::string& model) {
  return std::filesystem::path(model).replace_extension(".json").string();
}

}  // namespace caos::vision
