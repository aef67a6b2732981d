#pragma once

#include <string>
#include <vector>

#include "caos/classification.hpp"
#include "caos/io/safetensors.hpp"

namespace caos {

/// A classifier with the names of its labels, as files keep it (docs/reference/formats.md).
struct ClassificationModel {
  VectorClassifier classifier;
  std::vector<std::string> label_names{};  ///< [K], distinct
  bool labels_from_train = false;          ///< the list is what the labeled examples have
  std::vector<std::string> features{};     ///< [D], distinct names of the dimensions; or empty
};

/// The guarantee of its sets, with the cost of a list of labels that comes from the examples.
[[nodiscard]] Guarantee guarantee_of(const ClassificationModel& model, const Miscoverage& alpha,
                                     RankRule rule = RankRule::every_label);

/// Writes a model with its labeled vectors, whole or not at all. Vectors are float32 where that
/// loses nothing. Throws `invalid_input` for names of labels or features that are not distinct
/// UTF-8 texts.
void write_classification_model(const std::string& path, const ClassificationModel& model);

/// Throws `bad_format` unless it is an unaltered model of a known version.
[[nodiscard]] ClassificationModel read_classification_model(const std::string& path);
[[nodiscard]] ClassificationModel read_classification_model(io::SafetensorsFile file);

}  // namespace caos
