#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "apps/cli/command.hpp"
#include "caos/dist/communicator.hpp"

namespace caos::cli {

/// Which of how many processes this is, as mpirun and srun say it in the environment. MPI is not
/// started for it, so that a program that runs alone pays nothing.
struct Launch {
  std::size_t index = 0;
  std::size_t size = 1;

  [[nodiscard]] bool is_first() const { return index == 0; }
};

[[nodiscard]] Launch launch();

/// A command with the groups it is in: "landmarks predict".
[[nodiscard]] std::string full_name(const Command& command);

/// Runs a command that shares its work: on this process alone, or on every process that was started
/// together. Only the first process prints, also errors of the others. An error that cannot
/// reach it is printed by the process that has it, which then ends them all.
void on_all_processes(const std::function<void(dist::Communicator& processes)>& command);

/// Lets no command run several times side by side but those that share their work: `shared` are
/// their full names.
void refuse_processes_of_others(Command& app, const std::vector<std::string>& shared);

}  // namespace caos::cli
