#pragma once

#include <cstddef>
#include <string>

#include "caos/calibration.hpp"
#include "caos/io/model_file.hpp"
#include "caos/scores.hpp"

namespace caos::io {

/// The most labels that groups by label may have: each takes a group in memory.
inline constexpr std::size_t max_labels = 1'000'000;

/// Writes a calibration with the own-label scores that it came from, so that examples can be added
/// and removed later. `num_labels` is K if known, else 0. Written whole or not at all.
void write_artifact(const std::string& path, const Calibration& calibration, const OwnScores& own,
                    std::size_t num_labels);

/// A calibration on disk (docs/reference/formats.md), mapped. Opening verifies the checksum.
class Artifact {
 public:
  /// Throws `bad_format` for anything but an unaltered calibration of a version this library knows.
  [[nodiscard]] static Artifact open(const std::string& path);
  explicit Artifact(SafetensorsFile file);

  [[nodiscard]] const Calibration& calibration() const { return calibration_; }
  /// The number of labels, or 0 where the calibration does not know it.
  [[nodiscard]] std::size_t num_labels() const { return num_labels_; }
  [[nodiscard]] const std::string& name() const { return file_.name(); }
  [[nodiscard]] const std::string& checksum() const { return file_.arrays().checksum(); }
  /// The version of caos that wrote the file.
  [[nodiscard]] std::string written_by() const { return io::written_by(file_.metadata()); }

  /// Copied out of the map on demand: n x n scores, needed only to add or remove examples.
  [[nodiscard]] OwnScores own_scores() const;

 private:
  ModelFile file_;
  std::size_t num_labels_;
  Calibration calibration_;
  MatrixView<const Score> own_scores_;  // into the file
};

}  // namespace caos::io
