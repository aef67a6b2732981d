#include "caos/io/model_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/numerics/check_scores.hpp"
#include "caos/version.hpp"

namespace caos::io {
namespace {

struct Format {
  const char* name;         ///< in the header
  const char* title;        ///< in errors
  const char* description;  ///< the same for readers of other kinds
  const char* calibrate;    ///< the command that writes it
};

/// In the order of ModelKind.
constexpr std::array<Format, 4> formats = {{
    {"caos-calibration", "calibration", "a calibration of scores, for 'caos predict'", "calibrate"},
    {"caos-landmarks", "landmark model", "a landmark model, for 'caos landmarks predict'",
     "landmarks calibrate"},
    {"caos-text", "text model", "a text model, for 'caos text predict'", "text calibrate"},
    {"caos-classification", "classification model",
     "a classification model, for 'caos classify predict'", "classify calibrate"},
}};

const Format& format_of(ModelKind kind) { return formats[static_cast<std::size_t>(kind)]; }

void require_kind(const SafetensorsFile& file, ModelKind kind) {
  const std::optional<ModelKind> found = model_kind(file.metadata());
  const Format& wanted = format_of(kind);
  require(found == kind, ErrorKind::bad_format, [&] {
    return fmt::format(
        "{}: is {}; 'caos {}' makes {}s", file.name(),
        found ? format_of(*found).description : fmt::format("not a {}", wanted.title),
        wanted.calibrate, wanted.title);
  });
}

/// "version 1", "versions 1 and 2"
std::string versions_up_to(int newest) {
  std::string text = newest == 1 ? "version 1" : "versions 1";
  for (int version = 2; version <= newest; ++version) {
    text += fmt::format("{} {}", version == newest ? " and" : ",", version);
  }
  return text;
}

void require_version(const ModelFile& file, int newest) {
  const std::string& stated = file.text("version");
  for (int version = 1; version <= newest; ++version) {
    if (stated == fmt::format("{}", version)) return;
  }
  file.refuse(fmt::format("has format version {}; this caos reads {}", printable(stated),
                          versions_up_to(newest)));
}

template <typename T>
T parse(const ModelFile& file, const std::string& key, const char* what) {
  const std::string& text = file.text(key);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    file.refuse(
        fmt::format("'{}' in its header is '{}', which is not a {}", key, printable(text), what));
  }
  return value;
}

std::span<const double> values_of(const SafetensorsFile& file, const std::string& name, double) {
  return file.f64(name, 2);
}
std::span<const float> values_of(const SafetensorsFile& file, const std::string& name, float) {
  return file.f32(name, 2);
}
std::span<const std::int64_t> values_of(const SafetensorsFile& file, const std::string& name,
                                        std::int64_t) {
  return file.i64(name, 2);
}

}  // namespace

std::optional<ModelKind> model_kind(const Metadata& metadata) {
  const auto stated = metadata.find("format");
  if (stated == metadata.end()) return std::nullopt;
  const auto* const found = std::ranges::find(formats, stated->second, &Format::name);
  if (found == formats.end()) return std::nullopt;
  return static_cast<ModelKind>(found - formats.begin());
}

std::string written_by(const Metadata& metadata) {
  const auto found = metadata.find("written_by");
  return found == metadata.end() ? "unknown" : found->second;
}

Metadata model_header(ModelKind kind, int version) {
  return {{"format", format_of(kind).name},
          {"version", fmt::format("{}", version)},
          {"written_by", fmt::format("caos {}", caos::version())}};
}

ModelFile::ModelFile(SafetensorsFile file, ModelKind kind, int newest) : file_(std::move(file)) {
  require_kind(file_, kind);
  require_version(*this, newest);
}

void ModelFile::refuse(const std::string& why) const {
  throw Error(ErrorKind::bad_format, fmt::format("{}: {}; calibrate again", name(), why));
}

const std::string& ModelFile::text(const std::string& key) const {
  const auto found = metadata().find(key);
  if (found == metadata().end()) refuse(fmt::format("'{}' is missing from its header", key));
  return found->second;
}

std::size_t ModelFile::count(const std::string& key) const {
  return parse<std::size_t>(*this, key, "count");
}

double ModelFile::number(const std::string& key) const {
  return parse<double>(*this, key, "number");
}

bool ModelFile::is(const std::string& key, const char* yes, const char* no) const {
  const std::string& word = text(key);
  if (word != yes && word != no) {
    refuse(fmt::format("'{}' in its header is neither {} nor {}", key, yes, no));
  }
  return word == yes;
}

template <typename T>
Matrix<T> ModelFile::matrix(const std::string& name) const {
  const std::span<const T> values = values_of(file_, name, T{});
  const Shape& shape = file_.tensor(name).shape;
  Matrix<T> result(shape[0], shape[1]);
  if (!values.empty()) std::ranges::copy(values, &result(0, 0));
  return result;
}

template Matrix<double> ModelFile::matrix(const std::string& name) const;
template Matrix<float> ModelFile::matrix(const std::string& name) const;
template Matrix<std::int64_t> ModelFile::matrix(const std::string& name) const;

/// Scores in another order would silently give wrong thresholds.
Matrix<Score> ModelFile::nearest() const {
  Matrix<Score> nearest = matrix<Score>("nearest");
  if (nearest.cols() != count("k") || nearest.cols() == 0) {
    refuse("the calibration scores do not fit k");
  }
  for (std::size_t i = 0; i < nearest.rows(); ++i) {
    const auto row = nearest.row(i);
    if (!std::ranges::all_of(row, is_score) || !std::ranges::is_sorted(row)) {
      refuse(fmt::format("the scores of example {} are not ascending scores", i));
    }
  }
  return nearest;
}

}  // namespace caos::io
