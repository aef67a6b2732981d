#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "caos/dist/bytes.hpp"
#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/evaluation/landmark_tally.hpp"

// How processes share the evaluation of test images; not for users of the library.
namespace caos {

/// The test images of a process: its own, or those that come with the work.
class TestImages {
 public:
  /// `test` must outlive it.
  TestImages(const TestPatches& test, dist::Communicator& processes);

  [[nodiscard]] const TestPatches& patches() const { return patches_; }

  /// What the images `first` to `last - 1` need to get to another process.
  void pack(dist::Packer& packer, std::size_t first, std::size_t last) const;
  void unpack(dist::Unpacker& unpacker, std::size_t first, std::size_t last);

 private:
  struct Arrived {
    std::size_t first = 0;
    std::vector<Matrix<float>> images{};
    std::vector<CellSource> cells{};
  };

  const TestPatches& original_;
  bool travel_;
  std::shared_ptr<Arrived> arrived_;
  TestPatches patches_;
};

/// Evaluates all test images on all processes by `evaluate(first, last)`, which records these
/// images in the tally; that of the first process holds all of them then.
void share_evaluation(TestImages& images, const LandmarkEvaluateOptions& options,
                      LandmarkTally& tally,
                      const std::function<void(std::size_t first, std::size_t last)>& evaluate);

}  // namespace caos
