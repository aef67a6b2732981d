#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <thread>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "apps/cli/bus_error.hpp"
#include "apps/cli/command_line.hpp"
#include "apps/cli/processes.hpp"
#include "apps/cli/program.hpp"
#include "apps/studio/studio.hpp"
#include "caos/dist/mpi_communicator.hpp"
#include "caos/error.hpp"
#include "caos/kernels/dispatch.hpp"
#include "caos/onnx/onnx_runtime.hpp"
#include "caos/text/models/llama/llama_model.hpp"
#include "caos/version.hpp"

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

/// Of several processes the first speaks at once, and its exit code is that of all: mpirun ends the
/// others when the first has failed. Another process that fails alone, before the processes have
/// met, waits for that in vain, and then speaks for itself.
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
                     caos::kernels::instruction_set(), caos::onnx_runtime_description(),
                     llama_description(), caos::dist::mpi_description(),
                     caos::studio::page_description());
}

void build(caos::cli::Command& app) {
  app.add_version(version_text);
  caos::cli::add_serve(app);
  caos::cli::add_landmarks(app);
  caos::cli::add_text(app);
  caos::cli::add_classify(app);
  caos::cli::add_evaluate(app);
  caos::cli::add_calibrate(app);
  caos::cli::add_predict(app);
  caos::cli::add_advise(app);
  caos::cli::add_verify(app);
  caos::cli::add_audit(app);
  caos::cli::add_experiment(app);
  caos::cli::add_inspect(app);
  caos::cli::add_generate(app);
  caos::cli::add_man(app);
  caos::cli::add_completions(app);
  caos::cli::add_reference(app);
  caos::cli::refuse_processes_of_others(app,
                                        {"landmarks predict", "landmarks evaluate", "text score"});
  app.footer(
      "A set contains the true label with probability at least 1 - alpha if labeled and new examples\n"
      "are exchangeable and the scorer was fixed before the data were seen; each result says what it\n"
      "guarantees.\n\n"
      "Examples:\n"
      "  caos serve --demo                          # studio: label images in the browser\n"
      "\n"
      "  caos landmarks synthesize -o faces         # landmarks: points and regions in new images\n"
      "  caos landmarks calibrate --images faces/labeled --landmarks faces/labeled.csv \\\n"
      "    -o faces/model.caos\n"
      "  caos landmarks predict faces/model.caos faces/new -o faces/regions.json\n"
      "\n"
      "  caos text calibrate --train examples/messages/messages.csv \\\n"
      "    -o messages.caos                         # text: label sets (in a copy of the project)\n"
      "  caos text predict messages.caos examples/messages/new.csv -o sets.csv");
}

/// Images come and go. Giving their memory back to the system each time, and taking it again page
/// by page, is a sixth of the time of small tasks.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

/// CAOS_KERNELS=SCALAR is slow and gives the same bytes: for tests and users who want to check
/// that.
void choose_kernels() {
  const char* name = std::getenv("CAOS_KERNELS");
  if (name == nullptr || *name == '\0') return;
  caos::require(caos::kernels::use_instruction_set(name), caos::ErrorKind::invalid_input, [&] {
    return fmt::format("CAOS_KERNELS={}: this machine has {}", name,
                       fmt::join(caos::kernels::instruction_sets(), ", "));
  });
}

int run(const caos::cli::Command& program, int argc, char** argv) {
  try {
    const std::string text = caos::cli::run_command_line(program, argc, argv);
    if (caos::cli::launch().is_first()) caos::cli::print(text);
    caos::cli::finish_printing();
  } catch (const caos::cli::FailedCheck&) {
    caos::cli::finish_printing();
    return failed;
  } catch (const caos::cli::MissingCommand& missing) {
    if (caos::cli::launch().is_first()) fmt::print(stderr, "{}", missing.help);
    return misused;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  caos::cli::explain_bus_errors();
  keep_freed_memory();
  try {
    caos::cli::Command app{
        "caos",
        "caos: conformal prediction sets from a few dozen labeled examples and a frozen model.\n"
        "Each labeled example alone is a one-shot predictor; caos aggregates all of them, calibrates on\n"
        "the same examples, and returns sets that contain the true label with probability at least\n"
        "1 - alpha."};
    build(app);
    choose_kernels();
    return run(app, argc, argv);
  } catch (const caos::Error& error) {
    return fail(exit_code(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    return fail(failed, "out of memory");
  } catch (const std::exception& error) {
    return fail(failed, error.what());
  }
}
