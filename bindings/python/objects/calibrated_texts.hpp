#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "bindings/python/objects/shared_scorer.hpp"
#include "caos/text/text_model.hpp"

namespace caos::python {

/// What `caos.text.TextCalibration` is: calibrated texts with the scorer that new texts are scored
/// by. Safe to use from several threads, while one lets texts join included: a prediction uses
/// the texts that there were when it began.
class CalibratedTexts {
 public:
  CalibratedTexts(SharedScorer scorer, TextModel model);

  [[nodiscard]] const SharedScorer& scorer() const { return scorer_; }
  /// The texts and their calibration as they are now.
  [[nodiscard]] std::shared_ptr<const TextModel> model() const;

  /// Lets a labeled text join; without an id it is called by its number. Needs the GIL, and lets
  /// it go meanwhile.
  void add_example(text::LabeledText example, std::optional<std::string> id);

 private:
  struct State {
    std::mutex adding;  // held by the one who lets a text join
    std::mutex mutex;   // of the model, for as long as a pointer takes
    std::shared_ptr<const TextModel> model;
  };

  SharedScorer scorer_;
  std::unique_ptr<State> state_;
};

/// The sets of new texts: `PredictionSets`, or a list of them for several alphas. Warns of alphas
/// that are infeasible.
[[nodiscard]] pybind11::object predict_set(const CalibratedTexts& calibrated,
                                           const pybind11::object& texts,
                                           const pybind11::object& alpha, const std::string& method,
                                           bool clip_rank);

/// The p-values of every label, [m, K].
[[nodiscard]] pybind11::array_t<double> predict_p(const CalibratedTexts& calibrated,
                                                  const pybind11::object& texts,
                                                  const std::string& method);

/// The most likely label of each text: a list of names.
[[nodiscard]] pybind11::list predict(const CalibratedTexts& calibrated,
                                     const pybind11::object& texts);

/// `caos.text.SupportingReference`: a labeled text whose score a label's score adds.
struct SupportingText {
  std::size_t example = 0;
  std::string id{};
  std::string text{};
  std::string label{};
  Score score = 0;
};

/// For each text a dict from every label to its k strongest supporting references.
[[nodiscard]] pybind11::list supporting_references(const CalibratedTexts& calibrated,
                                                   const pybind11::object& texts);

}  // namespace caos::python
