#include "apps/cli/classify/vector_parameters.hpp"

#include <fmt/format.h>

#include "caos/classification/vector_rules.hpp"

namespace caos::cli {
namespace {

double prior_weight_of(const VectorClassifierOptions& options, bool with_label_vectors) {
  return classification::kernel_options(options).prior_weight_of(with_label_vectors);
}

}  // namespace

predictions::Json parameters_json(const VectorClassifierOptions& options, bool with_label_vectors) {
  predictions::Json json = predictions::Json::object();
  if (options.method == Method::full_ratio) {
    json["k"] = options.k;
    json["distance"] = distance_name(options.distance);
  } else {
    json["temperature"] = options.temperature;
    json["prior_weight"] = prior_weight_of(options, with_label_vectors);
  }
  json["default"] = options.are_default(with_label_vectors);
  return json;
}

std::string parameters_mark(const VectorClassifierOptions& options, bool with_label_vectors) {
  return options.are_default(with_label_vectors)
             ? "defaults"
             : "not the defaults: the guarantee needs that they were chosen without these data";
}

std::string parameters_text(const VectorClassifierOptions& options, bool with_label_vectors) {
  const std::string values =
      options.method == Method::full_ratio
          ? fmt::format("k = {}, {} distance", options.k, distance_name(options.distance))
          : fmt::format("T = {}, b = {}", options.temperature,
                        prior_weight_of(options, with_label_vectors));
  return fmt::format("{} ({})", values, parameters_mark(options, with_label_vectors));
}

}  // namespace caos::cli
