#pragma once

#include <string>
#include <vector>

#include "caos/text/text_model.hpp"
#include "tests/text/text_problem.hpp"

namespace text_models {

inline caos::text::LabelSpace label_space(std::size_t num_labels) {
  std::vector<std::string> names;
  for (std::size_t y = 0; y < num_labels; ++y) names.push_back("label " + std::to_string(y));
  return caos::text::LabelSpace(std::move(names));
}

/// A model of the texts 0 ... n - 1 of a problem.
inline caos::TextModel of(const text_problem::Problem& problem, std::size_t n, std::size_t k,
                          bool by_label = false) {
  caos::Indices labeled;
  std::vector<caos::text::LabeledText> examples;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < n; ++i) {
    labeled.push_back(i);
    examples.push_back({.text = "text " + std::to_string(i), .label = problem.labels[i]});
    ids.push_back("id " + std::to_string(i));
  }
  caos::Matrix<caos::Score> own(0, n);
  for (const oracle::Pool& row : problem.own(labeled)) own.push_row(row);
  const std::vector<caos::Label> labels(problem.labels.begin(),
                                        problem.labels.begin() + static_cast<std::ptrdiff_t>(n));
  const caos::Grouping grouping =
      by_label ? caos::Grouping::by_label(labels, problem.num_labels) : caos::Grouping::none(n);
  return {.labels = label_space(problem.num_labels),
          .examples = std::move(examples),
          .ids = std::move(ids),
          .calibration = caos::calibrate(caos::OwnScores(std::as_const(own).view()), grouping,
                                         {.k = k, .threads = 1})};
}

}  // namespace text_models
