#include "caos/landmarks/split_landmarks.hpp"

#include <fmt/format.h>

#include <utility>

#include "caos/error.hpp"
#include "caos/landmarks/matching/patch_matcher.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"

namespace caos {
namespace {

split::Partition partition_of(const PatchTask& task, const split::Partition& partition,
                              std::size_t k) {
  split::Partition own{.references = positions_in(task, partition.references),
                       .calibration = positions_in(task, partition.calibration)};
  require(own.references.size() >= k && !own.calibration.empty(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "landmark {}: {} of the references and {} of the calibration images have it; split-caos "
        "needs at least {} and 1: label more images, or calibrate with a smaller k",
        task.name, own.references.size(), own.calibration.size(), k);
  });
  return own;
}

}  // namespace

LandmarkModel split_landmarks(LandmarkModel model, const split::Partition& partition,
                              std::size_t threads) {
  require(!model.by_subject(), ErrorKind::invalid_input,
          "split-caos needs one image of each subject, and some have several; label one image of "
          "each, or choose caos or full-caos");
  require(!model.pool, ErrorKind::invalid_input,
          "split-caos has no form with the target image; calibrate with another target, or choose "
          "caos or full-caos");
  split::check_partition(partition, model.images.size());
  const auto matcher = make_matcher(model.labeled, model.references, model.score, threads);
  const auto own = matcher->own_scores(threads);
  for (std::size_t t = 0; t < model.references.tasks.size(); ++t) {
    PatchTask& task = model.references.tasks[t];
    const split::Partition halves = partition_of(task, partition, model.k());
    split::SplitCaos split =
        split::calibrate_split(own->table(t), Grouping::none(task.images.size()), halves,
                               Method::split_caos, model.calibrations[t].k());
    task = restricted_to(task, halves.references);
    model.calibrations[t] = std::move(split.calibration);
  }
  model.calibrating = partition.calibration;
  model.is_split = true;
  return model;
}

void check_conditional(const LabeledPatches& labeled,
                       const std::optional<TrainingConditional>& conditional) {
  if (!conditional || !conditional->remaining) return;
  for (std::size_t i = 0; i < labeled.labels.rows(); ++i) {
    for (std::size_t t = 0; t < labeled.num_tasks(); ++t) {
      require(labeled.labels(i, t) != missing_label, ErrorKind::invalid_input, [&] {
        return fmt::format(
            "landmark {}: a labeled image lacks it, so how many images of the pool have it is "
            "unknown; leave the pool out, for independent draws",
            labeled.tasks[t]);
      });
    }
  }
}

}  // namespace caos
