#include "apps/cli/classify/classification_model_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/cli/classify/vector_parameters.hpp"
#include "caos/classification/vector_rules.hpp"
#include "caos/guarantee.hpp"
#include "caos/miscoverage.hpp"

namespace caos::cli {
namespace {

/// The first few labels.
std::string labels_text(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  const std::vector<std::string> first(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size())));
  return fmt::format("{} ({}{})", names.size(), fmt::join(first, ", "),
                     names.size() > most ? ", ..." : "");
}

bool is_named(const VectorClassifier& classifier) {
  return classifier.labeled().label_vectors.rows() > 0;
}

/// The guarantee at every alpha that the number of examples permits.
Guarantee feasible_guarantee(const ClassificationModel& model) {
  return guarantee_of(model, Miscoverage::parse("0.5"));
}

std::string parameter_lines(const VectorClassifier& classifier) {
  const VectorClassifierOptions& options = classifier.options();
  if (options.method == Method::full_ratio) {
    return fmt::format(
        "  neighbors k              {}\n"
        "  distance                 {}\n",
        options.k, distance_name(options.distance));
  }
  return fmt::format(
      "  temperature T            {}\n"
      "  prior weight b           {}\n",
      options.temperature,
      classification::kernel_options(options).prior_weight_of(is_named(classifier)));
}

}  // namespace

predictions::Json to_json(const ClassificationModelOutput& output) {
  const VectorClassifier& classifier = output.model.classifier;
  predictions::Json json;
  json["kind"] = "classification model";
  json["file"] = output.file;
  json["method"] = method_name(classifier.options().method);
  json["n"] = classifier.size();
  json["dimensions"] = classifier.labeled().vectors.cols();
  json["labels"] = output.model.label_names;
  json["labels_from"] = output.model.labels_from_train ? "train" : "given";
  json["guarantee"] = feasible_guarantee(output.model).text();
  json["assumption"] = assumption;
  json["smallest_feasible_alpha"] = classifier.smallest_feasible_alpha();
  json["label_vectors"] = is_named(classifier);
  json["standardize"] =
      classifier.options().standardize ? predictions::Json("batch") : predictions::Json(nullptr);
  json["groups"] = grouping_name(classifier.grouping().kind());
  json["features"] = output.model.features;
  const predictions::Json parameters = parameters_json(classifier.options(), is_named(classifier));
  for (const auto& [key, value] : parameters.items()) {
    json[key == "default" ? "default_parameters" : key] = value;
  }
  return json;
}

std::string to_text(const ClassificationModelOutput& output) {
  const VectorClassifier& classifier = output.model.classifier;
  return fmt::format(
      "{}: a classification model\n"
      "  method                   {}\n"
      "  labeled vectors n        {}\n"
      "  dimensions D             {}\n"
      "  labels                   {}\n"
      "{}"
      "  parameters               {}\n"
      "  groups                   {}\n"
      "  standardized             {}\n"
      "  smallest feasible alpha  {:.4g}{}\n"
      "  guarantee                {}, if {}\n",
      output.file, method_name(classifier.options().method), classifier.size(),
      classifier.labeled().vectors.cols(), labels_text(output.model.label_names),
      parameter_lines(classifier), parameters_mark(classifier.options(), is_named(classifier)),
      grouping_name(classifier.grouping().kind()),
      classifier.options().standardize ? "with each batch of new vectors" : "no",
      classifier.smallest_feasible_alpha(),
      classifier.grouping().kind() == Grouping::Kind::none ? "" : ", in every group",
      feasible_guarantee(output.model).text(), assumption);
}

}  // namespace caos::cli
