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
  std::size_t rank = 0;
  std::size_t size = 1;

  [[nodiscard]] bool is_first() const { return rank == 0; }
};

[[nodiscard]] Launch launch();

/// A command with the groups it is in: "landmarks predict".
[[nodiscard]] std::string full_name(const Command& command);

/// Runs a command that shares its work: on this process alone, or on every rank that was started
/// together. Only the first rank prints; what goes wrong on another it says for it. Where it
/// cannot, the other rank says it itself and ends them all.
void on_all_ranks(const std::function<void(dist::Communicator& ranks)>& command);

/// Lets no command run several times side by side but those that share their work: `shared` are
/// their full names.
void refuse_ranks_of_others(Command& app, const std::vector<std::string>& shared);

}  // namespace caos::cli
