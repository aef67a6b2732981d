#include "apps/cli/classify/vector_prediction_output.hpp"

#include <fmt/format.h>

#include "apps/cli/classify/vector_parameters.hpp"
#include "caos/classification/label_list.hpp"
#include "caos/guarantee.hpp"
#include "caos/io/csv.hpp"

namespace caos::cli {

VectorPredictionRows::VectorPredictionRows(const ClassificationModel& model,
                                           const VectorPredictOptions& options, RowFormat format)
    : model_(model), options_(options), format_(format) {
  for (const Miscoverage& alpha : options.alphas) {
    guarantees_.push_back(guarantee_of(model, alpha, options.rule).text());
  }
}

std::vector<std::string> VectorPredictionRows::set_names(const PredictionSet& set) const {
  std::vector<std::string> names;
  for (const Label y : set) names.push_back(model_.label_names[y]);
  return names;
}

std::string VectorPredictionRows::header() const {
  if (format_ == RowFormat::jsonl) return {};
  std::vector<std::string> fields = {"id", "alpha", "prediction", "set", "set_size", "guarantee"};
  for (const std::string& label : model_.label_names) fields.push_back("p:" + label);
  return io::csv_row(fields);
}

std::string VectorPredictionRows::rows(const std::string& id,
                                       const VectorPrediction& prediction) const {
  std::string text;
  for (std::size_t a = 0; a < options_.alphas.size(); ++a) {
    text += format_ == RowFormat::csv ? row_csv(id, prediction, a)
                                      : json_text(row_json(id, prediction, a)) + "\n";
  }
  return text;
}

Json VectorPredictionRows::row_json(const std::string& id, const VectorPrediction& prediction,
                                    std::size_t a) const {
  Json json = {{"id", id},
               {"alpha", options_.alphas[a].value()},
               {"set", set_names(prediction.sets[a])},
               {"prediction", model_.label_names[prediction.point]},
               {"guarantee", guarantees_[a]}};
  json["p_values"] = Json::object();
  for (Label y = 0; y < model_.label_names.size(); ++y) {
    json["p_values"][model_.label_names[y]] = prediction.p_values[y];
  }
  return json;
}

std::string VectorPredictionRows::row_csv(const std::string& id, const VectorPrediction& prediction,
                                          std::size_t a) const {
  std::vector<std::string> fields = {id,
                                     options_.alphas[a].text(),
                                     model_.label_names[prediction.point],
                                     joined_names(set_names(prediction.sets[a])),
                                     fmt::format("{}", prediction.sets[a].size()),
                                     guarantees_[a]};
  for (const double p : prediction.p_values) fields.push_back(fmt::format("{}", p));
  return io::csv_row(fields);
}

VectorPredictionSummary::VectorPredictionSummary(std::string out,
                                                 const ClassificationModel& of_model,
                                                 const VectorPredictOptions& options)
    : file(std::move(out)), model(of_model), smoothed(options.smoothing_seed.has_value()) {
  for (const Miscoverage& alpha : options.alphas) {
    levels.emplace_back(alpha, guarantee_of(model, alpha, options.rule),
                        model.classifier.is_feasible(alpha));
  }
}

void VectorPredictionSummary::add(const VectorPrediction& prediction) {
  ++num_vectors;
  for (std::size_t a = 0; a < levels.size(); ++a) levels[a].add(prediction.sets[a].size());
}

Json to_json(const VectorPredictionSummary& summary) {
  const VectorClassifierOptions& how = summary.model.classifier.options();
  const bool named = summary.model.classifier.labeled().label_vectors.rows() > 0;
  Json json = {{"file", summary.file},
               {"num_vectors", summary.num_vectors},
               {"num_labels", summary.model.label_names.size()},
               {"method", method_name(how.method)},
               {"parameters", parameters_json(how, named)},
               {"standardize", how.standardize ? Json("batch") : Json(nullptr)},
               {"smoothed", summary.smoothed},
               {"labels_from", summary.model.labels_from_train ? "train" : "given"},
               {"assumption", assumption}};
  if (summary.model.labels_from_train) json["risk"] = classification::listed_labels_risk;
  json["results"] = to_json(summary.levels, summary.num_vectors);
  return json;
}

std::string to_text(const VectorPredictionSummary& summary) {
  const VectorClassifierOptions& how = summary.model.classifier.options();
  const bool named = summary.model.classifier.labeled().label_vectors.rows() > 0;
  return fmt::format("{}: sets for {} vectors, {} labels, method {}: {}\n",
                     summary.file == "-" ? "standard output" : summary.file, summary.num_vectors,
                     summary.model.label_names.size(), method_name(how.method),
                     parameters_text(how, named)) +
         (how.standardize ? fmt::format("{}\n", standardized_batch) : "") +
         to_text(summary.levels, summary.num_vectors) +
         fmt::format("Guarantees hold if {}.\n", assumption);
}

}  // namespace caos::cli
