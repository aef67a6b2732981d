#pragma once

#include <string>

#include "caos/engine/text_model.hpp"
#include "program.hpp"

namespace caos::cli {

/// What people want to know about a text model.
struct TextModelOutput {
  std::string file;
  const TextModel& model;
};

[[nodiscard]] Json to_json(const TextModelOutput& output);
[[nodiscard]] std::string to_text(const TextModelOutput& output);

}  // namespace caos::cli
