#pragma once

#include <string>

#include "apps/predictions/json_text.hpp"
#include "caos/classification/classification_model.hpp"

namespace caos::cli {

/// What `caos inspect` says of a classification model.
struct ClassificationModelOutput {
  std::string file;
  const ClassificationModel& model;
};

[[nodiscard]] predictions::Json to_json(const ClassificationModelOutput& output);
[[nodiscard]] std::string to_text(const ClassificationModelOutput& output);

}  // namespace caos::cli
