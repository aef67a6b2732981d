#include "apps/cli/scores/conditional_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/options.hpp"
#include "caos/error.hpp"

namespace caos::cli {

void add_conditional_options(Command& command, ConditionalOptions& options) {
  Option* confidence =
      command
          .add_option(
              "--confidence", options.confidence,
              "split-caos covers 1 - alpha with this confidence for this calibration (PAC), "
              "not only on average over calibrations; a decimal such as 0.95")
          ->type_name("C");
  add_whole_number(
      command, "--pool-size", options.pool,
      "Size of the pool from which the labeled examples were drawn at random, including them; by "
      "default, independent draws from a population")
      ->default_str("")
      ->needs(confidence);
}

void check(const ConditionalOptions& options, const std::vector<Method>& methods) {
  if (options.confidence.empty()) return;
  static_cast<void>(Confidence::parse(options.confidence));
  require(methods.empty() || std::ranges::find(methods, Method::split_caos) != methods.end(),
          ErrorKind::invalid_input,
          "--confidence is for split-caos, the only method with a law for one calibration; add it "
          "to the methods");
}

std::optional<TrainingConditional> conditional_of(const ConditionalOptions& options,
                                                  std::size_t num_labeled) {
  if (options.confidence.empty()) return std::nullopt;
  TrainingConditional what{.confidence = Confidence::parse(options.confidence)};
  if (options.pool == 0) return what;
  require(options.pool > num_labeled, ErrorKind::invalid_input, [&] {
    return fmt::format("--pool-size {}: {} examples are labeled, so none of the pool remains",
                       options.pool, num_labeled);
  });
  what.remaining = options.pool - num_labeled;
  return what;
}

}  // namespace caos::cli
