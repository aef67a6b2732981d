#include "bindings/python/objects/patch_evaluation.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "bindings/python/arguments/arrays.hpp"
#include "caos/error.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

using namespace py::literals;

/// A mean over landmarks, its error over test images, and how far landmarks differ.
void add_mean(py::dict& dict, const std::string& name, const LandmarkMethodResult& result,
              MeanWithError TaskSummary::*figure) {
  const std::string error = name + "_standard_error";
  const std::string over_landmarks = error + "_over_landmarks";
  if (!result.summary) {
    for (const std::string& key : {name, error, over_landmarks}) dict[key.c_str()] = py::none();
    return;
  }
  dict[name.c_str()] = ((*result.summary).*figure).mean;
  dict[error.c_str()] = ((*result.summary).*figure).standard_error;
  dict[over_landmarks.c_str()] = ((*result.over_landmarks).*figure).standard_error;
}

py::dict head_of(const LandmarkMethodResult& result) {
  return py::dict("method"_a = std::string(method_name(result.method)), "k"_a = result.k,
                  "alpha"_a = result.alpha.value(), "guarantee"_a = result.guarantee.text());
}

py::object figure_of(const std::optional<Evaluation>& evaluation, double Evaluation::*figure) {
  return evaluation ? py::object(py::float_((*evaluation).*figure)) : py::none();
}

void add_landmarks(py::list& rows, const LandmarkMethodResult& result,
                   const std::vector<std::string>& names) {
  for (std::size_t t = 0; t < names.size(); ++t) {
    const LandmarkResult& landmark = result.landmarks[t];
    py::dict row = head_of(result);
    row["landmark"] = names[t];
    row["n"] = landmark.n;
    row["rank"] = landmark.rank;
    row["feasible"] = landmark.feasible;
    row["coverage"] = figure_of(landmark.evaluation, &Evaluation::coverage);
    row["mean_set_size"] = figure_of(landmark.evaluation, &Evaluation::mean_set_size);
    rows.append(row);
  }
}

}  // namespace

py::array_t<double> by_landmark(const LandmarkMethodResult& result, double Evaluation::*figure) {
  std::vector<double> values;
  for (const LandmarkResult& landmark : result.landmarks) {
    values.push_back(landmark.evaluation ? (*landmark.evaluation).*figure : std::nan(""));
  }
  return array_of(values);
}

py::dict dict_of(const LandmarkMethodResult& result) {
  py::dict dict = head_of(result);
  const auto add = [&](const char* name, MeanWithError TaskSummary::*figure) {
    add_mean(dict, name, result, figure);
  };
  add("coverage", &TaskSummary::coverage);
  add("mean_set_size", &TaskSummary::mean_set_size);
  add("median_set_size", &TaskSummary::median_set_size);
  add("singleton_rate", &TaskSummary::singleton_rate);
  add("empty_rate", &TaskSummary::empty_rate);
  return dict;
}

py::dict dict_of(const SimultaneousResult& result) {
  return py::dict("alpha"_a = result.alpha.value(), "guarantee"_a = result.guarantee.text(),
                  "n"_a = result.n, "num_subjects"_a = result.num_subjects,
                  "feasible"_a = result.feasible, "coverage"_a = result.evaluation.coverage,
                  "mean_set_size"_a = result.evaluation.mean_set_size,
                  "covered_separately"_a = result.covered_separately);
}

py::list PatchEvaluation::dicts(bool with_landmarks) const {
  py::list rows;
  for (const auto* results : {&report.evaluation.methods, &report.evaluation.ablation}) {
    for (const LandmarkMethodResult& result : *results) {
      if (with_landmarks) {
        add_landmarks(rows, result, report.landmarks);
      } else {
        rows.append(dict_of(result));
      }
    }
  }
  return rows;
}

std::size_t PatchEvaluation::common_size() const {
  const auto [least, most] = std::ranges::minmax(num_patches);
  require(least == most, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "the test images have {} to {} patches, so that their sets are no array; "
        "PatchCalibration.predict_set gives them one by one",
        least, most);
  });
  return least;
}

py::object PatchEvaluation::sets() const {
  const auto& kept = report.evaluation.sets;
  if (kept.empty()) return py::none();
  const std::size_t size = common_size();
  py::array_t<bool> array({kept.size(), num_patches.size(), report.landmarks.size(), size});
  bool* out = array.mutable_data();
  std::fill_n(out, array.size(), false);
  for (const auto& images : kept) {
    for (const auto& landmarks : images) {
      for (const PredictionSet& set : landmarks) {
        for (const Label y : set) out[y] = true;
        out += size;
      }
    }
  }
  return array;
}

py::object PatchEvaluation::packed_sets() const {
  const auto& kept = report.evaluation.sets;
  if (kept.empty()) return py::none();
  const std::vector<std::uint8_t> bytes = caos::packed_sets(report.evaluation, common_size());
  py::array_t<std::uint8_t> array(
      {kept.size(), num_patches.size(), report.landmarks.size(), packed_size(common_size())});
  std::ranges::copy(bytes, array.mutable_data());
  return array;
}

}  // namespace caos::python
