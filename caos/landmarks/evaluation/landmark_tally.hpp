#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "caos/conformal/clustered_evaluation.hpp"
#include "caos/dist/bytes.hpp"
#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/evaluation/landmark_methods.hpp"

namespace caos {

/// Collects what every method's sets were worth on every test image. Threads may record different
/// images at once.
class LandmarkTally {
 public:
  LandmarkTally(const CalibratedLandmarks& landmarks, const TestPatches& test);

  /// Some test images are compared with these: what is said of all must be true of them, too.
  void weaken(const CalibratedLandmarks& others);

  /// Whether test image x has the landmark: only then is there an outcome.
  [[nodiscard]] bool has(std::size_t x, std::size_t t) const {
    return position_[t][x] != no_position;
  }
  [[nodiscard]] Label truth(std::size_t x, std::size_t t) const {
    return static_cast<Label>(test_.labels(x, t));
  }

  /// `first` is the method's place among the results at the first alpha.
  void record(std::size_t first, std::size_t a, std::size_t x, std::size_t t,
              const Outcome& outcome) {
    evaluation_.methods[first + a].outcomes[t][position_[t][x]] = outcome;
  }
  /// CAOS at the v-th k of the ablation, counted from 1.
  void record_ablation(std::size_t v, std::size_t a, std::size_t x, std::size_t t,
                       const Outcome& outcome) {
    const std::size_t first = (v - 1) * landmarks_.num_alphas();
    evaluation_.ablation[first + a].outcomes[t][position_[t][x]] = outcome;
  }
  /// The outcomes of a family of split methods, in the order of its results.
  void record(const MethodFamily& family, std::size_t x, std::size_t t,
              const std::vector<Outcome>& outcomes);

  /// One landmark of an image under the threshold for all, and whether its own set holds it.
  void record_jointly(std::size_t a, std::size_t x, const Outcome& together, bool separately);

  [[nodiscard]] bool keeps(Method method) const { return landmarks_.options.keep_sets == method; }
  void keep(std::size_t a, std::size_t x, std::size_t t, PredictionSet set) {
    evaluation_.sets[a][x][t] = std::move(set);
  }

  /// The place of a method, which must be asked for.
  [[nodiscard]] std::size_t slot(Method method) const;

  [[nodiscard]] LandmarkEvaluation finish();

  /// What is recorded of images `first` to `last - 1`, as a message to another tally like this.
  [[nodiscard]] dist::Bytes pack(std::size_t first, std::size_t last);
  void place(std::size_t first, std::size_t last, std::span<const std::byte> message);

 private:
  /// All landmarks of one image.
  struct Together {
    bool covered = true;
    bool covered_separately = true;
    double size = 0;
    std::size_t count = 0;
  };

  /// Calls `f` for everything that is recorded of these images, in an order that all agree on.
  template <typename F>
  void for_each_record(std::size_t first, std::size_t last, const F& f);

  void add_results();
  [[nodiscard]] LandmarkMethodResult describe_all(Method method, std::size_t a,
                                                  std::size_t v) const;
  [[nodiscard]] MethodResult describe_one(Method method, std::size_t a, std::size_t v,
                                          std::size_t t) const;
  void weaken(const CalibratedLandmarks& others, LandmarkMethodResult& result, std::size_t v) const;
  [[nodiscard]] LandmarkResult landmark_of(Method method, const MethodResult& task, std::size_t v,
                                           std::size_t t) const;
  [[nodiscard]] std::size_t num_calibrating(Method method, std::size_t t) const;
  [[nodiscard]] std::size_t num_subjects(const Indices& images) const;
  [[nodiscard]] Indices images_with_a_landmark() const;
  void add_joint_results();
  void set_shares();
  [[nodiscard]] std::vector<ClusterShare> shares(std::size_t t) const;
  void summarize_landmarks(LandmarkMethodResult& result) const;
  /// What a set of this size is in test image x.
  using RegionMeasure = std::function<double(double size, std::size_t x)>;
  [[nodiscard]] double mean_region(const std::vector<Outcome>& outcomes, std::size_t t,
                                   const RegionMeasure& measure) const;
  [[nodiscard]] double mean_region(const LandmarkMethodResult& result,
                                   const RegionMeasure& measure) const;
  void summarize_images(std::size_t a);

  static constexpr std::size_t no_position = std::numeric_limits<std::size_t>::max();

  const CalibratedLandmarks& landmarks_;
  const TestPatches& test_;
  std::vector<std::vector<std::size_t>> position_;  ///< by landmark and image, among those present
  std::vector<std::size_t> num_present_;
  LandmarkEvaluation evaluation_;
  std::vector<std::vector<Together>> together_;  ///< by alpha, then image
  std::vector<ClusterShare> shares_;             ///< by test image; empty where all count alike
};

}  // namespace caos
