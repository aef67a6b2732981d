#include "caos/dist/mpi_communicator.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "caos/error.hpp"

namespace caos::dist {
namespace {

constexpr int only_tag = 0;

int count_of(std::span<const std::byte> piece) { return static_cast<int>(piece.size()); }

/// Waits for a piece of so many bytes to be on its way or there. A small one may be long in coming,
/// so the core is left to other threads and processes meanwhile, which MPI itself would not do. A
/// large one comes after its head, so the other side is at it as well: both go on as long as they
/// look.
void wait_for(MPI_Request request, std::size_t size) {
  using namespace std::chrono_literals;
  constexpr std::size_t small = 4096;
  constexpr int quick_looks = 200;
  for (int look = 0;; look = std::min(look + 1, 2 * quick_looks)) {
    int is_done = 0;
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    if (is_done != 0) return;
    if (size > small || look < quick_looks) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(look < 2 * quick_looks ? 50us : 1ms);
    }
  }
}

// MPI's own errors (a lost connection) end the program: that is its default.
class MpiCommunicator final : public Communicator {
 public:
  explicit MpiCommunicator(std::size_t largest_piece) : Communicator(largest_piece) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    require(provided >= MPI_THREAD_FUNNELED, ErrorKind::backend,
            "this MPI does not support threads (MPI_THREAD_FUNNELED); use another build of it");
    MPI_Comm_rank(MPI_COMM_WORLD, &index_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  ~MpiCommunicator() override { MPI_Finalize(); }

  [[nodiscard]] std::size_t index() const override { return static_cast<std::size_t>(index_); }
  [[nodiscard]] std::size_t size() const override { return static_cast<std::size_t>(size_); }

  [[nodiscard]] std::string place() const override {
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    return fmt::format("process {} on {}", index_,
                       std::string_view(name.data(), static_cast<std::size_t>(length)));
  }

  [[nodiscard]] std::optional<std::size_t> sender() override {
    int is_there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, only_tag, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) return std::nullopt;
    return static_cast<std::size_t>(status.MPI_SOURCE);
  }

  void abort(int exit_code) override { MPI_Abort(MPI_COMM_WORLD, exit_code); }

 protected:
  void send_piece(std::size_t to, std::span<const std::byte> piece) override {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(piece.data(), count_of(piece), MPI_BYTE, static_cast<int>(to), only_tag,
              MPI_COMM_WORLD, &request);
    wait_for(request, piece.size());
  }

  void receive_piece(std::size_t from, std::span<std::byte> piece) override {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(piece.data(), count_of(piece), MPI_BYTE, static_cast<int>(from), only_tag,
              MPI_COMM_WORLD, &request);
    wait_for(request, piece.size());
  }

  void broadcast_piece(std::span<std::byte> piece) override {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(piece.data(), count_of(piece), MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    wait_for(request, piece.size());
  }

 private:
  int index_ = 0;
  int size_ = 1;
};

}  // namespace

std::unique_ptr<Communicator> open_mpi(std::size_t largest_piece) {
  return std::make_unique<MpiCommunicator>(largest_piece);
}

std::string mpi_description() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string_view all(text.data(), static_cast<std::size_t>(length));
  // "Open MPI v4.1.4, package: ..."; others say more on further lines.
  return fmt::format("MPI: {}", all.substr(0, all.find_first_of(",\n")));
}

}  // namespace caos::dist
