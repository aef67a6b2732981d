#pragma once

#include <string>

#include "apps/cli/program.hpp"
#include "caos/text/text_model.hpp"

namespace caos::cli {

/// What people want to know about a text model.
struct TextModelOutput {
  std::string file;
  const TextModel& model;
};

[[nodiscard]] Json to_json(const TextModelOutput& output);
[[nodiscard]] std::string to_text(const TextModelOutput& output);

}  // namespace caos::cli
