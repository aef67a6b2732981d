#include "apps/cli/processes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "caos/dist/mpi_communicator.hpp"
#include "caos/error.hpp"

namespace caos::cli {
namespace {

/// Who starts processes, and how each learns which it is.
struct Launcher {
  const char* index;
  const char* size;
};

constexpr Launcher launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},  // mpirun of Open MPI
    {"PMI_RANK", "PMI_SIZE"},                          // of MPICH and Intel; srun --mpi=pmi2
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},             // srun --mpi=pmix
};

std::optional<std::size_t> number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits(text);
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole ? std::optional(value) : std::nullopt;
}

/// One that sees another number of processes was started by another kind of MPI: each would do all
/// of the work.
void check_size(const dist::Communicator& processes, const Launch& launched) {
  require(processes.size() == launched.size, ErrorKind::backend, [&] {
    return fmt::format(
        "{} processes were started together, but MPI knows of {}; start them with the mpirun that "
        "caos was built with ({})",
        launched.size, processes.size(), dist::mpi_description());
  });
}

/// Prints an error that no other process can report, and ends all processes.
void end_all(dist::Communicator& processes, const char* what) {
  fmt::print(stderr, "caos: {}{}{}\n", processes.is_first() ? "" : processes.place(),
             processes.is_first() ? "" : ": ", what);
  std::fflush(nullptr);
  processes.abort(EXIT_FAILURE);
}

void refuse_processes(const std::string& command, const std::vector<std::string>& shared) {
  const std::size_t size = launch().size;
  require(size == 1, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "'{}' runs in one process, and {} were started together; start it without mpirun or srun "
        "(work is shared by: {})",
        command, size, fmt::join(shared, ", "));
  });
}

}  // namespace

std::string full_name(const Command& command) {
  const Command* parent = command.get_parent();
  const bool is_top = parent == nullptr || parent->get_parent() == nullptr;
  return is_top ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

Launch launch() {
  for (const Launcher& launcher : launchers) {
    const auto index = number_in(launcher.index);
    const auto size = number_in(launcher.size);
    if (index && size) return {.index = *index, .size = *size};
  }
  return {};
}

void on_all_processes(const std::function<void(dist::Communicator& processes)>& command) {
  const Launch launched = launch();
  if (launched.size <= 1) {
    dist::LocalCommunicator alone;
    return command(alone);
  }
  const auto processes = dist::open_mpi();
  check_size(*processes, launched);
  try {
    run_in_step(*processes, [&] { command(*processes); });
  } catch (const std::exception& error) {
    if (processes->is_first() && processes->in_step()) throw;
    end_all(*processes, error.what());
  }
}

void refuse_processes_of_others(Command& app, const std::vector<std::string>& shared) {
  for (Command* command : app.get_subcommands()) {
    if (!command->get_subcommands().empty()) {
      refuse_processes_of_others(*command, shared);
      continue;
    }
    const std::string name = full_name(*command);
    if (std::ranges::find(shared, name) != shared.end()) continue;
    command->parse_complete_callback([name, shared] { refuse_processes(name, shared); });
  }
}

}  // namespace caos::cli
