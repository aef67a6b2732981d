#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <sstream>
#include <thread>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "apps/cli/bus_error.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/processes.hpp"
#include "apps/cli/program.hpp"
#include "apps/studio/studio.hpp"
#include "caos/core/error.hpp"
#include "caos/core/version.hpp"
#include "caos/dist/mpi_communicator.hpp"
#include "caos/kernels/dispatch.hpp"
#include "caos/text/models/llama/llama_model.hpp"
#include "caos/vision/backbones/onnx_runtime.hpp"

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

/// Messages repeat names of files and what is in them; none of that may steer the terminal.
void print_harmless(const char* message) noexcept {
  for (; *message != '\0'; ++message) {
    const auto code = static_cast<unsigned char>(*message);
    const bool steers = (code < 0x20 && *message != '\n') || code == 0x7f;
    std::fputc(steers ? '?' : *message, stderr);
  }
  std::fputc('\n', stderr);
}

/// Of several ranks the first speaks at once, and its exit code is that of all: mpirun ends the
/// others when the first has failed. Another rank that fails alone, before the ranks have met,
/// waits for that in vain, and then speaks for itself.
int fail(int code, const char* message) noexcept {
  if (!caos::cli::launch().is_first()) std::this_thread::sleep_for(std::chrono::seconds(2));
  std::fputs("caos: ", stderr);
  print_harmless(message);
  return code;
}

std::string llama_description() {
  const std::string version = caos::text::llama_version();
  return version.empty() ? "without llama.cpp: run tools/setup, then build again" : version;
}

std::string version_text() {
  return fmt::format("caos {} (kernels: {})\n{}\n{}\n{}\n{}", caos::version(),
                     caos::kernels::instruction_set(), caos::vision::onnx_runtime_description(),
                     llama_description(), caos::dist::mpi_description(),
                     caos::studio::page_description());
}

void build(CLI::App& app) {
  app.set_version_flag("--version", version_text);  // called if asked for: it loads runtimes
  app.require_subcommand(1);
  app.formatter(std::make_shared<caos::cli::HelpFormatter>());
  caos::cli::add_evaluate(app);
  caos::cli::add_calibrate(app);
  caos::cli::add_predict(app);
  caos::cli::add_inspect(app);
  caos::cli::add_advise(app);
  caos::cli::add_generate(app);
  caos::cli::add_landmarks(app);
  caos::cli::add_audit(app);
  caos::cli::add_text(app);
  caos::cli::add_experiment(app);
  caos::cli::add_verify(app);
  caos::cli::add_serve(app);
  caos::cli::add_reference(app);
  for (CLI::App* verb : app.get_subcommands({})) verb->group("Verbs");
  caos::cli::refuse_ranks_of_others(app, {"landmarks predict", "landmarks evaluate", "text score"});
  app.footer(
      "Sets hold the truth with probability at least 1 - alpha if labeled and new examples are\n"
      "exchangeable and the scorer was fixed before the data were seen; each result says what it\n"
      "guarantees.\n\n"
      "Example:\n  caos generate --out example && caos evaluate --labeled example/labeled.npy \\\n"
      "    --labels example/labels.npy --test example/test.npy --test-labels "
      "example/test-labels.npy");
}

bool is_mismatch(const CLI::ParseError& error) {
  return dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
}

/// The parser begins its messages with the name of the option.
std::string option_in(std::string_view message) {
  return std::string(message.substr(0, message.find_first_of(": ")));
}

/// The verb, or group of verbs, that the words name so far.
const CLI::App& named_verb(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : named_verb(*chosen.front());
}

/// Whether the words so far name no verb yet: none at all, or a group of verbs alone.
bool lacks_verb(const CLI::App& app) { return !named_verb(app).get_subcommands({}).empty(); }

/// `caos landmarks predict`
std::string full_name(const CLI::App& verb) {
  const CLI::App* parent = verb.get_parent();
  return parent == nullptr ? verb.get_name() : full_name(*parent) + " " + verb.get_name();
}

std::string verbs_of(const CLI::App& group) {
  std::vector<std::string> names;
  for (const CLI::App* verb : group.get_subcommands({})) names.push_back(verb->get_name());
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What the parser found wrong, in our words where its own would mislead.
std::string complaint(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty()) {
    if (lacks_verb(app)) {
      return fmt::format("say what to do: give a verb, one of {}", verbs_of(named_verb(app)));
    }
    return is_mismatch(error)
               ? fmt::format("{} is given twice, or without its value", option_in(error.what()))
               : error.what();
  }
  if (unknown[0].starts_with('-')) return fmt::format("there is no option '{}'", unknown[0]);
  return lacks_verb(app) ? fmt::format("there is no verb '{}'; there are {}", unknown[0],
                                       verbs_of(named_verb(app)))
                         : fmt::format("'{}' is one word too many", unknown[0]);
}

/// Text that was asked for: help or version.
void print_text(const CLI::App& app, const CLI::ParseError& error) {
  if (!caos::cli::launch().is_first()) return;
  std::ostringstream text;
  app.exit(error, text, text);
  caos::cli::print(text.str());
  caos::cli::finish_printing();
}

/// Images come and go. Giving their memory back to the system each time, and taking it again page
/// by page, is a sixth of the time of small tasks.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

/// CAOS_KERNELS=SCALAR runs slowly and gives the same bytes: for whoever wants to see that.
void choose_kernels() {
  const char* name = std::getenv("CAOS_KERNELS");
  if (name == nullptr || *name == '\0') return;
  caos::require(caos::kernels::use_instruction_set(name), caos::ErrorKind::invalid_input, [&] {
    return fmt::format("CAOS_KERNELS={}: this machine has {}", name,
                       fmt::join(caos::kernels::instruction_sets(), ", "));
  });
}

int parse_and_run(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    caos::cli::finish_printing();
  } catch (const caos::cli::FailedCheck&) {
    caos::cli::finish_printing();
    return failed;
  } catch (const CLI::ParseError& error) {
    const bool asked_for_text = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
    if (!asked_for_text) {
      const std::string help = fmt::format("see '{} --help'", full_name(named_verb(app)));
      return fail(misused, fmt::format("{}; {}", complaint(app, error), help).c_str());
    }
    print_text(app, error);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  caos::cli::explain_bus_errors();
  keep_freed_memory();
  try {
    CLI::App app{
        "caos: prediction sets with a guarantee from one-shot predictors.\n"
        "Every labeled example alone is a predictor; caos pools their scores, calibrates by leaving\n"
        "each example out in turn, and returns sets of labels that hold the truth with probability\n"
        "at least 1 - alpha.",
        "caos"};
    build(app);
    choose_kernels();
    return parse_and_run(app, argc, argv);
  } catch (const caos::Error& error) {
    return fail(exit_code(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    return fail(failed, "out of memory");
  } catch (const std::exception& error) {
    return fail(failed, error.what());
  }
}
