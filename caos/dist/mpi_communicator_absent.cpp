// Stands in for mpi_communicator.cpp where MPI was not found.
#include "caos/dist/mpi_communicator.hpp"
#include "caos/error.hpp"

namespace caos::dist {

namespace {
constexpr const char* remedy = "run tools/setup, then build again with CAOS_MPI on";
}

std::unique_ptr<Communicator> open_mpi(std::size_t /*largest_piece*/) {
  throw Error(ErrorKind::backend,
              std::string("built without MPI, this program cannot share work among processes: ") +
                  remedy + "; or start it alone, without mpirun or srun");
}

std::string mpi_description() { return std::string("without MPI: ") + remedy; }

}  // namespace caos::dist
