#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "bindings/python/arguments/scorer_arguments.hpp"
#include "bindings/python/objects/shared_scorer.hpp"
#include "caos/text/text_calibration.hpp"

namespace caos::python {

/// Opens the scorer that arguments describe. `model` is what `text::open_language_model` takes.
[[nodiscard]] SharedScorer open_scorer(const ScorerArguments& arguments, const std::string& model,
                                       text::LabelSpace labels);

/// Labeled texts and the scorer for them: what calibrating and evaluating begin with.
struct TextSetup {
  LabeledTexts texts{};
  SharedScorer scorer;
};

/// As users give it.
struct TextSetupArguments {
  pybind11::object texts{};
  pybind11::object labels{};
  pybind11::object label_names{};  ///< or None: those that occur
  pybind11::object model{};        ///< a str or a TextScorer
};

/// The labeled texts, and the scorer opened. Warns where the labels are those that occur. `check`
/// looks at the texts before anything is opened.
[[nodiscard]] TextSetup set_up(const ScorerArguments& arguments, const TextSetupArguments& given,
                               const std::function<void(const LabeledTexts&)>& check);

}  // namespace caos::python
