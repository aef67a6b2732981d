#include "apps/cli/classify/vector_method_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "caos/classification/vector_methods.hpp"
#include "caos/error.hpp"

namespace caos::cli {

void add_vector_parameters(Command& command, VectorMethodOptions& options) {
  add_number(command, "--temperature", options.temperature,
             "T of full-kernel and of the paper's methods: smaller gives near vectors more weight",
             1e-6, 1e6)
      ->default_str("0.1");
  add_number(
      command, "--prior-weight", options.prior_weight,
      "b of full-kernel and of the paper's methods: the weight of all labels before any vote", 1e-9,
      1000)
      ->default_str("0.1 with --label-embeddings, else 0.001");
  command
      .add_option("--distance", options.distance,
                  "Distance of full-ratio: euclidean, cosine or manhattan")
      ->offers({"euclidean", "cosine", "manhattan"})
      ->capture_default_str()
      ->type_name("NAME");
  command
      .add_option(
          "--standardize", options.standardize,
          "'batch': every dimension gets mean 0 and variance 1 over the labeled and all new "
          "vectors together, without labels; sets then depend on the batch")
      ->offers({"batch"})
      ->type_name("batch");
}

void add_vector_method_options(Command& command, VectorMethodOptions& options) {
  add_whole_number(
      command, "--k", options.k,
      "Number of smallest distances (full-ratio) or scores (the paper's methods) to sum")
      ->type_name("K")
      ->default_str("1 of full-ratio, 3 of the paper's methods");
  add_vector_parameters(command, options);
}

void check(const VectorMethodOptions& options) {
  require(options.standardize.empty() || options.standardize == "batch", ErrorKind::invalid_input,
          [&] { return fmt::format("--standardize {}: must be 'batch'", options.standardize); });
  static_cast<void>(parse_distance(options.distance));
}

VectorClassifierOptions classifier_options(const VectorMethodOptions& options, Method method) {
  const VectorClassifierOptions defaults;
  return {.method = method,
          .temperature = options.temperature.value_or(defaults.temperature),
          .prior_weight = options.prior_weight,
          .k = options.k > 0 ? options.k : defaults.k,
          .distance = parse_distance(options.distance),
          .standardize = !options.standardize.empty(),
          .threads = options.threads};
}

std::vector<Method> parse_vector_methods(const std::vector<std::string>& names) {
  std::vector<Method> methods;
  for (const std::string& name : names) {
    const Method method = classification::parse_vector_method(name);
    if (std::ranges::find(methods, method) == methods.end()) methods.push_back(method);
  }
  return methods;
}

std::vector<std::string> vector_method_names() {
  std::vector<std::string> names;
  for (const Method method : classification::vector_methods()) {
    names.emplace_back(method_name(method));
  }
  return names;
}

}  // namespace caos::cli
