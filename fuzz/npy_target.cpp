#include <cstring>

#include "caos/io/arrays/embedding_file.hpp"
#include "caos/io/arrays/npy.hpp"
#include "caos/io/arrays/score_file.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

/// Written again as numpy would, the array is the same.
template <typename Values>
void demand_round_trip(const io::NpyArray& array, Values values) {
  using T = std::remove_const_t<typename Values::value_type>;
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float> ||
                std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint8_t>) {
    const std::string path = scratch_folder() + "/again.npy";
    io::write_npy(path, array.shape(), values);
    const auto again = io::NpyArray::open(path);
    demand(again.shape() == array.shape(), "the shape is the same when written and read");
    demand(again.type() == array.type(), "the type is the same when written and read");
    const auto read = again.values<T>();
    demand(read.size() == values.size() &&
               (read.empty() || std::memcmp(read.data(), values.data(), read.size_bytes()) == 0),
           "the values are the same when written and read");
  }
}

template <typename Use>
void try_each(Input input, Use use) {
  try {
    use(io::NpyArray(io::MappedFile::of_bytes(copy_of(input), "input.npy")));
  } catch (const Error&) {  // the next use may like the array
  }
}

FUZZ_TARGET(npy, input) {
  const io::NpyArray array(io::MappedFile::of_bytes(copy_of(input), "input.npy"));
  double sum = 0;
  array.visit([&](auto values) {
    for (const auto value : values) sum += static_cast<double>(value);
    if (values.size() < 64) demand_round_trip(array, values);
  });
  if (array.size() > 0) (void)array.position(array.size() - 1);
  try_each(input, [](io::NpyArray a) { (void)io::ScoreMatrixFile(std::move(a)).rows(); });
  try_each(input, [](io::NpyArray a) { (void)io::ScoreTensorFile(std::move(a)).tensor(); });
  try_each(input, [](io::NpyArray a) {
    const io::EmbeddingFile file(std::move(a));
    (void)unit_rows(file.image(file.num_images() - 1), "input.npy");
  });
}

}  // namespace
}  // namespace caos::fuzz
