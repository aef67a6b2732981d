#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/options.hpp"
#include "caos/classification.hpp"
#include "caos/method.hpp"

namespace caos::cli {

/// How vectors predict, as the command line says it.
struct VectorMethodOptions {
  std::optional<double> temperature{};
  std::optional<double> prior_weight{};
  std::size_t k = 0;  ///< 0: the default of each method
  std::string distance = "euclidean";
  std::string standardize;  ///< empty or `batch`
  std::size_t threads = 0;
};

/// Adds --temperature, --prior-weight, --distance and --standardize.
void add_vector_parameters(Command& command, VectorMethodOptions& options);
/// The same and --k.
void add_vector_method_options(Command& command, VectorMethodOptions& options);

/// Throws `invalid_input` for what can be found wrong before a file is opened.
void check(const VectorMethodOptions& options);

[[nodiscard]] VectorClassifierOptions classifier_options(const VectorMethodOptions& options,
                                                         Method method);

/// The methods on vectors, each once. Throws `invalid_input`.
[[nodiscard]] std::vector<Method> parse_vector_methods(const std::vector<std::string>& names);

/// The names of all methods on vectors, for `Option::offers`.
[[nodiscard]] std::vector<std::string> vector_method_names();

}  // namespace caos::cli
