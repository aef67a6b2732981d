#include "apps/cli/text/text_model_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/cli/scores/calibration_output.hpp"
#include "apps/cli/text/text_inputs.hpp"
#include "apps/cli/text/text_scoring_options.hpp"
#include "caos/classification/vector_rules.hpp"

namespace caos::cli {
namespace {

CalibrationOutput calibration_of(const TextModelOutput& output) {
  CalibrationOutput calibration = describe(output.model.calibration, output.model.labels.size());
  calibration.file = output.file;
  calibration.label_names = output.model.labels.names();
  return calibration;
}

bool is_from_file(const TextModel& model) { return is_score_file(model.scoring.model); }

std::string template_name(const TextModel& model) {
  return model.scoring.prompt == text::PromptTemplate::paper().source() ? "paper" : "own";
}

std::string guarantee_text(const TextModel& model) { return guarantee_of(model).text(); }

/// The first few names.
std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  const std::vector<std::string> first(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size())));
  return fmt::format("{} ({}{})", names.size(), fmt::join(first, ", "),
                     names.size() > most ? ", ..." : "");
}

/// What full-kernel does with them is fixed, and CAOS uses the same votes.
std::string encoder_text(const TextModel& model) {
  const VectorClassifierOptions fixed;
  return fmt::format(
      "  encoder                  {}\n"
      "  its identity             {}\n"
      "  dimensions               {}\n"
      "  method                   full-kernel, T = {}, b = {}, with the names of labels\n",
      model.scoring.model, model.scoring.identity, model.vectors->texts.cols(), fixed.temperature,
      classification::kernel_options(fixed).prior_weight_of(true));
}

std::string scoring_text(const TextModel& model) {
  if (model.vectors) return encoder_text(model);
  if (is_from_file(model)) {
    return fmt::format("  scores                   {}\n", model.scoring.model);
  }
  return fmt::format(
      "  language model           {}\n"
      "  its identity             {}\n"
      "  prompt template          {}\n"
      "  normalization            {}\n",
      model.scoring.model, model.scoring.identity,
      template_name(model) == "paper" ? "the paper's" : "its own",
      normalization_name(model.scoring.normalization));
}

}  // namespace

Json to_json(const TextModelOutput& output) {
  const TextModel& model = output.model;
  Json json = to_json(calibration_of(output));
  json["kind"] = "text model";
  json["guarantee"] = guarantee_text(model);
  json["labels"] = model.labels.names();
  json["labels_from"] = model.labels_from_train ? "train" : "given";
  if (model.labels_from_train) json["risk"] = train_labels_risk;
  json["text_columns"] = model.text_columns;
  json["model"] = model.scoring.model;
  if (is_from_file(model)) return json;
  json["model_identity"] = model.scoring.identity;
  if (model.vectors) {
    json["method"] = method_name(Method::full_kernel);
    json["dimensions"] = model.vectors->texts.cols();
    return json;
  }
  json["template"] = template_name(model);
  json["prompt"] = model.scoring.prompt;
  json["normalization"] = normalization_name(model.scoring.normalization);
  json["context"] = model.scoring.context > 0 ? Json(model.scoring.context) : Json(nullptr);
  json["chat"] = model.scoring.chat;
  return json;
}

std::string to_text(const TextModelOutput& output) {
  const TextModel& model = output.model;
  return fmt::format(
      "{}: a text model\n"
      "  labeled texts n          {}\n"
      "  scores added k           {}\n"
      "  labels                   {}\n"
      "  labels from              {}\n"
      "  text columns             {}\n"
      "  groups                   {}\n"
      "{}"
      "  smallest feasible alpha  {:.4g}\n"
      "  guarantee                {}, if {}\n\n{}{}",
      output.file, model.examples.size(), model.calibration.k(), names_text(model.labels.names()),
      model.labels_from_train ? "the training table alone; others are never in a set"
                              : "those named when it was calibrated",
      fmt::join(model.text_columns, ", "), grouping_name(model.calibration.grouping().kind()),
      scoring_text(model), smallest_feasible_alpha(model.calibration.size()), guarantee_text(model),
      assumption, model.vectors ? "With --method caos:\n" : "",
      alphas_text(calibration_of(output)));
}

}  // namespace caos::cli
