#include "caos/scorers/patch_score.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "caos/error.hpp"

namespace caos {
namespace {

// Beyond these the scores overflow or lose their meaning in double.
constexpr double least_temperature = 1e-4;
constexpr double most_parameter = 1e4;

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

double parse_parameter(std::string_view score, std::string_view text, double least) {
  const std::optional<double> value = parse_number(text);
  require(value && *value >= least && *value <= most_parameter, ErrorKind::invalid_input, [&] {
    return fmt::format("score {}: '{}' must be a number from {} to {}", score, text, least,
                       most_parameter);
  });
  return *value;
}

}  // namespace

PatchScore parse_patch_score(std::string_view text, const PatchScoreDefaults& defaults) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const bool given = colon != std::string_view::npos;
  const std::string_view parameter = given ? text.substr(colon + 1) : std::string_view();
  if (name == "cosine" && !given) return {};
  if (name == "geometry" && !given) return {PatchScore::Kind::geometry, 0};
  if (name == "margin") {
    return {PatchScore::Kind::margin,
            given ? parse_parameter(text, parameter, 0) : defaults.margin_weight};
  }
  if (name == "softmax") {
    return {PatchScore::Kind::softmax,
            given ? parse_parameter(text, parameter, least_temperature) : defaults.temperature};
  }
  throw Error(ErrorKind::invalid_input,
              fmt::format("unknown score '{}'; choose geometry, cosine, margin[:weight] or "
                          "softmax[:temperature]",
                          text));
}

std::string patch_score_text(const PatchScore& score) {
  switch (score.kind) {
    case PatchScore::Kind::cosine:
      return "cosine";
    case PatchScore::Kind::margin:
      return fmt::format("margin:{}", score.parameter);
    case PatchScore::Kind::geometry:
      return "geometry";
    case PatchScore::Kind::softmax:
      break;
  }
  return fmt::format("softmax:{}", score.parameter);
}

}  // namespace caos
