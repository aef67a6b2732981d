#include <fmt/format.h>

#include <exception>
#include <new>

#include "caos/core/error.hpp"
#include "caos/core/version.hpp"
#include "caos/kernels/dispatch.hpp"
#include "program.hpp"

namespace {

constexpr int failed = 1;
constexpr int misused = 2;

int exit_code(caos::ErrorKind kind) {
  switch (kind) {
    case caos::ErrorKind::invalid_input:
      return misused;
    case caos::ErrorKind::not_found:
    case caos::ErrorKind::bad_format:
    case caos::ErrorKind::backend:
      break;
  }
  return failed;
}

int fail(int code, std::string_view message) {
  fmt::print(stderr, "caos: {}\n", message);
  return code;
}

std::string version_text() {
  return fmt::format("caos {} (kernels: {})", caos::version(), caos::kernels::instruction_set());
}

void build(CLI::App& app) {
  app.set_version_flag("--version", version_text());
  app.set_help_all_flag("--help-all", "Print the help of every verb");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  caos::cli::add_evaluate(app);
  caos::cli::add_calibrate(app);
  caos::cli::add_predict(app);
  caos::cli::add_inspect(app);
  caos::cli::add_advise(app);
  caos::cli::add_generate(app);
  app.footer(
      "Sets hold the truth with probability at least 1 - alpha if labelled and new examples are\n"
      "exchangeable and the scorer was fixed before the data were seen; each result says what it\n"
      "promises.\n\n"
      "Example:\n  caos generate --out example && caos evaluate --labeled example/labeled.npy \\\n"
      "    --labels example/labels.npy --test example/test.npy --test-labels "
      "example/test-labels.npy");
}

int parse_and_run(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    caos::cli::finish_printing();
    return 0;
  } catch (const CLI::ParseError& error) {
    const bool asked_for_text = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
    if (asked_for_text) return app.exit(error);
    return fail(misused, fmt::format("{}; see --help", error.what()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "caos: prediction sets with a guarantee from one-shot predictors.\n"
      "Every labelled example alone is a predictor; caos pools their scores, calibrates by "
      "leaving\n"
      "each example out in turn, and returns sets of labels that hold the truth with probability\n"
      "at least 1 - alpha."};
  try {
    build(app);
    return parse_and_run(app, argc, argv);
  } catch (const caos::Error& error) {
    return fail(exit_code(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    return fail(failed, "out of memory");
  } catch (const std::exception& error) {
    return fail(failed, error.what());
  }
}
