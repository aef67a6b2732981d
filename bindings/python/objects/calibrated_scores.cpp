#include "bindings/python/objects/calibrated_scores.hpp"

#include <fmt/format.h>

#include "caos/error.hpp"
#include "caos/io/artifact.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/text/text_model.hpp"

namespace caos::python {

CalibratedScores::CalibratedScores(OwnScores own, Calibration calibration, std::size_t num_labels)
    : own_(std::move(own)), calibration_(std::move(calibration)), num_labels_(num_labels) {}

CalibratedScores::CalibratedScores(CalibratedScores&& other) noexcept
    : own_(std::move(other.own_)),
      calibration_(std::move(other.calibration_)),
      growing_(std::move(other.growing_)),
      num_labels_(other.num_labels_) {}

CalibratedScores CalibratedScores::load(const std::string& path) {
  io::SafetensorsFile file = io::SafetensorsFile::open(path);
  require(io::model_kind(file.metadata()) != io::ModelKind::landmarks, ErrorKind::bad_format, [&] {
    return fmt::format("{}: is a landmark model; caos.patches.load reads it", file.name());
  });
  require(io::model_kind(file.metadata()) != io::ModelKind::text, ErrorKind::bad_format,
          [&] { return fmt::format("{}: is a text model; caos.text.load reads it", file.name()); });
  const io::Artifact artifact(std::move(file));
  return {artifact.own_scores(), artifact.calibration(), artifact.num_labels()};
}

void CalibratedScores::save(const std::string& path) const {
  read_all([&](const OwnScores& own, const Calibration& calibration) {
    io::write_artifact(path, calibration, own, num_labels_);
  });
}

GrowingCalibration& CalibratedScores::growing() {
  if (!growing_) {
    growing_.emplace(*own_, *calibration_);
    own_.reset();
    calibration_.reset();
  }
  return *growing_;
}

void CalibratedScores::add_example(std::span<const Score> under_others,
                                   std::span<const Score> of_others, std::optional<GroupId> group) {
  const std::unique_lock lock(mutex_);
  GrowingCalibration& all = growing();
  const bool grouped = all.calibration().grouping().kind() != Grouping::Kind::none;
  require(grouped == group.has_value(), ErrorKind::invalid_input, [&] {
    return grouped ? "the calibration has groups; give the group of the example (group=...)"
                   : "the calibration has no groups; leave out group";
  });
  all.add_example(under_others, of_others, group.value_or(0));
}

void CalibratedScores::remove_example(std::size_t i) {
  const std::unique_lock lock(mutex_);
  growing().remove_example(i);
}

}  // namespace caos::python
