#include "apps/cli/text/text_prediction_output.hpp"

#include <fmt/format.h>

#include "apps/cli/text/text_inputs.hpp"
#include "caos/guarantee.hpp"
#include "caos/io/csv.hpp"

namespace caos::cli {
namespace {

std::vector<std::string> reference_ids(const std::vector<SupportingReference>& references,
                                       const TextModel& model) {
  std::vector<std::string> ids;
  for (const SupportingReference& one : references) ids.push_back(model.ids[one.example]);
  return ids;
}

Json references_json(const std::vector<SupportingReference>& references, const TextModel& model) {
  Json list = Json::array();
  for (const SupportingReference& one : references) {
    list.push_back({{"id", model.ids[one.example]},
                    {"label", model.labels[model.examples[one.example].label]},
                    {"score", json_number(one.score)}});
  }
  return list;
}

Json similar_json(const std::vector<SimilarText>& similar, const TextModel& model) {
  Json list = Json::array();
  for (const SimilarText& one : similar) {
    const text::LabeledText& example = model.examples[one.example];
    list.push_back({{"id", model.ids[one.example]},
                    {"label", model.labels[example.label]},
                    {"similarity", one.similarity},
                    {"text", example.text}});
  }
  return list;
}

}  // namespace

TextPredictionRows::TextPredictionRows(const TextModel& model, const TextPredictOptions& options,
                                       RowFormat format, bool explains)
    : model_(model), options_(options), format_(format), explains_(explains) {
  for (const Miscoverage& alpha : options.alphas) {
    guarantees_.push_back(guarantee_of(model, options, alpha).text());
  }
}

std::vector<std::string> TextPredictionRows::set_names(const TextPrediction& prediction,
                                                       std::size_t a) const {
  std::vector<std::string> names;
  for (const Label y : prediction.sets[a]) names.push_back(model_.labels[y]);
  return names;
}

std::string TextPredictionRows::header() const {
  if (format_ == RowFormat::jsonl) return {};
  std::vector<std::string> fields = {"id", "alpha", "prediction", "set", "set_size", "guarantee"};
  for (const std::string& label : model_.labels.names()) fields.push_back("p:" + label);
  for (const char* key : {"supporting_references", "support"}) {  // the latter for one version
    for (const std::string& label : model_.labels.names()) {
      fields.push_back(fmt::format("{}:{}", key, label));
    }
  }
  if (explains_) fields.emplace_back("most_similar");
  return io::csv_row(fields);
}

std::string TextPredictionRows::rows(const std::string& id, const TextPrediction& prediction,
                                     const std::vector<SimilarText>& similar) const {
  std::string text;
  for (std::size_t a = 0; a < options_.alphas.size(); ++a) {
    text += format_ == RowFormat::csv ? row_csv(id, prediction, similar, a)
                                      : json_text(row_json(id, prediction, similar, a)) + "\n";
  }
  return text;
}

Json TextPredictionRows::row_json(const std::string& id, const TextPrediction& prediction,
                                  const std::vector<SimilarText>& similar, std::size_t a) const {
  Json json = {{"id", id},
               {"alpha", options_.alphas[a].value()},
               {"set", set_names(prediction, a)},
               {"prediction", model_.labels[prediction.point]},
               {"guarantee", guarantees_[a]}};
  json["p_values"] = Json::object();
  Json references = Json::object();
  for (Label y = 0; y < model_.labels.size(); ++y) {
    json["p_values"][model_.labels[y]] = json_number(prediction.p_values[y]);
    references[model_.labels[y]] = references_json(prediction.supporting_references[y], model_);
  }
  json["supporting_references"] = references;
  json["support"] = std::move(references);  // the old key, for one version
  if (explains_) json["most_similar"] = similar_json(similar, model_);
  return json;
}

std::string TextPredictionRows::row_csv(const std::string& id, const TextPrediction& prediction,
                                        const std::vector<SimilarText>& similar,
                                        std::size_t a) const {
  std::vector<std::string> fields = {id,
                                     options_.alphas[a].text(),
                                     model_.labels[prediction.point],
                                     joined_names(set_names(prediction, a)),
                                     fmt::format("{}", prediction.sets[a].size()),
                                     guarantees_[a]};
  for (const std::optional<double>& p : prediction.p_values) {
    fields.push_back(p ? fmt::format("{}", *p) : "");
  }
  std::vector<std::string> references;
  for (const std::vector<SupportingReference>& of_label : prediction.supporting_references) {
    references.push_back(joined_names(reference_ids(of_label, model_)));
  }
  fields.insert(fields.end(), references.begin(), references.end());
  fields.insert(fields.end(), references.begin(), references.end());  // the old columns
  if (explains_) {
    std::vector<std::string> ids;
    for (const SimilarText& one : similar) ids.push_back(model_.ids[one.example]);
    fields.push_back(joined_names(ids));
  }
  return io::csv_row(fields);
}

TextPredictionSummary::TextPredictionSummary(std::string out, const TextModel& model,
                                             const TextPredictOptions& options)
    : file(std::move(out)),
      method(method_name(options.method)),
      num_labels(model.labels.size()),
      labels_from_train(model.labels_from_train) {
  for (const Miscoverage& alpha : options.alphas) {
    levels.emplace_back(alpha, guarantee_of(model, options, alpha),
                        model.calibration.is_feasible(alpha));
  }
}

void TextPredictionSummary::add(const TextPrediction& prediction) {
  ++num_texts;
  for (std::size_t a = 0; a < levels.size(); ++a) {
    levels[a].add(prediction.sets[a].size());
  }
}

Json to_json(const TextPredictionSummary& summary) {
  Json json = {{"file", summary.file},
               {"num_texts", summary.num_texts},
               {"num_labels", summary.num_labels},
               {"method", summary.method},
               {"labels_from", summary.labels_from_train ? "train" : "given"},
               {"assumption", assumption}};
  if (summary.labels_from_train) json["risk"] = train_labels_risk;
  add_to(json, summary.scoring);
  json["results"] = to_json(summary.levels, summary.num_texts);
  return json;
}

std::string to_text(const TextPredictionSummary& summary) {
  const std::string text = fmt::format("{}: sets for {} texts, {} labels, method {}\n",
                                       summary.file == "-" ? "standard output" : summary.file,
                                       summary.num_texts, summary.num_labels, summary.method);
  return text + to_text(summary.levels, summary.num_texts) + to_text(summary.scoring) +
         fmt::format("Guarantees hold if {}.\n", assumption);
}

}  // namespace caos::cli
