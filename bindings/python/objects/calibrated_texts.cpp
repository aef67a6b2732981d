#include "bindings/python/objects/calibrated_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "bindings/python/arguments/alphas.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/arguments/text_arguments.hpp"
#include "bindings/python/module/errors.hpp"
#include "bindings/python/objects/prediction_sets.hpp"
#include "caos/predict.hpp"
#include "caos/text/text_calibration.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

/// New texts, predicted with the labeled ones that there were at one moment.
struct Predicted {
  std::shared_ptr<const TextModel> model{};
  std::vector<TextPrediction> texts{};
};

Predicted predict_all(const CalibratedTexts& calibrated, const py::object& texts,
                      const TextPredictOptions& options) {
  check_predicts(options.method);
  const std::vector<std::string> all = texts_of(texts, "texts");
  const std::shared_ptr<const TextModel> model = calibrated.model();
  return {.model = model,
          .texts = calibrated.scorer().run(
              [&](TextSession& session) { return predict_texts(*model, session, all, options); },
              all.size() * model->examples.size())};
}

PredictionSets sets_at(const Predicted& predicted, const TextPredictOptions& options,
                       std::size_t a) {
  const TextModel& model = *predicted.model;
  const std::size_t num_labels = model.labels.size();
  const Miscoverage& alpha = options.alphas[a];
  PredictionSets sets{.mask = py::array_t<bool>({predicted.texts.size(), num_labels}),
                      .alpha = alpha,
                      .method = options.method,
                      .guarantee = guarantee_of(model, options, alpha),
                      .feasible = model.calibration.is_feasible(alpha),
                      .label_names = tuple_of(model.labels.names())};
  bool* row = sets.mask.mutable_data();
  std::fill_n(row, sets.mask.size(), false);
  for (const TextPrediction& text : predicted.texts) {
    for (const Label y : text.sets[a]) row[y] = true;
    row += num_labels;
  }
  return sets;
}

py::list supporting_references_of(const std::vector<SupportingReference>& references,
                                  const TextModel& model) {
  py::list list;
  for (const SupportingReference& one : references) {
    const text::LabeledText& example = model.examples[one.example];
    list.append(SupportingText{.example = one.example,
                               .id = model.ids[one.example],
                               .text = example.text,
                               .label = model.labels[example.label],
                               .score = one.score});
  }
  return list;
}

}  // namespace

CalibratedTexts::CalibratedTexts(SharedScorer scorer, TextModel model)
    : scorer_(std::move(scorer)), state_(std::make_unique<State>()) {
  state_->model = std::make_shared<const TextModel>(std::move(model));
}

std::shared_ptr<const TextModel> CalibratedTexts::model() const {
  const std::lock_guard lock(state_->mutex);
  return state_->model;
}

void CalibratedTexts::add_example(text::LabeledText example, std::optional<std::string> id) {
  scorer_.run([&](TextSession& session) {
    const std::lock_guard alone(state_->adding);
    const std::shared_ptr<const TextModel> before = model();
    auto grown = std::make_shared<const TextModel>(
        with_example(*before, session, std::move(example),
                     id.value_or(fmt::format("{}", before->examples.size() + 1))));
    const std::lock_guard lock(state_->mutex);
    state_->model = std::move(grown);
    return true;
  });
}

py::object predict_set(const CalibratedTexts& calibrated, const py::object& texts,
                       const py::object& alpha, const std::string& method, bool clip_rank) {
  const Alphas alphas(alpha);
  const TextPredictOptions options{
      .alphas = alphas.values, .method = parse_method(method), .rule = rank_rule(clip_rank)};
  const Predicted predicted = predict_all(calibrated, texts, options);
  py::list all;
  for (std::size_t a = 0; a < alphas.values.size(); ++a) {
    const auto warning = feasibility_warning(*predicted.model, options, alphas.values[a]);
    if (warning) warn(*warning);
    all.append(sets_at(predicted, options, a));
  }
  return alphas.single ? py::object(all[0]) : all;
}

py::array_t<double> predict_p(const CalibratedTexts& calibrated, const py::object& texts,
                              const std::string& method) {
  const Predicted predicted = predict_all(calibrated, texts, {.method = parse_method(method)});
  py::array_t<double> result({predicted.texts.size(), predicted.model->labels.size()});
  double* out = result.mutable_data();
  for (const TextPrediction& text : predicted.texts) {
    for (const std::optional<double>& p : text.p_values) *out++ = *p;
  }
  return result;
}

py::list predict(const CalibratedTexts& calibrated, const py::object& texts) {
  const Predicted predicted = predict_all(calibrated, texts, {});
  py::list names;
  for (const TextPrediction& text : predicted.texts) {
    names.append(predicted.model->labels[text.point]);
  }
  return names;
}

py::list supporting_references(const CalibratedTexts& calibrated, const py::object& texts) {
  const Predicted predicted = predict_all(calibrated, texts, {});
  const TextModel& model = *predicted.model;
  py::list all;
  for (const TextPrediction& text : predicted.texts) {
    py::dict by_label;
    for (Label y = 0; y < model.labels.size(); ++y) {
      by_label[py::str(model.labels[y])] =
          supporting_references_of(text.supporting_references[y], model);
    }
    all.append(by_label);
  }
  return all;
}

}  // namespace caos::python
