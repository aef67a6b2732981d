#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "caos/dist/communicator.hpp"

namespace caos::dist {

/// The processes that mpirun or srun started together. Starts MPI, and ends it with the object: a
/// program can do that once. To be used by the thread that made it.
/// Throws `backend` in a build without MPI.
[[nodiscard]] std::unique_ptr<Communicator> open_mpi(
    std::size_t largest_piece = Communicator::default_piece);

/// Which MPI this is ("MPI: Open MPI v4.1.4"), or that there is none and how to get it.
[[nodiscard]] std::string mpi_description();

}  // namespace caos::dist
