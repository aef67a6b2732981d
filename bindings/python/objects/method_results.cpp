#include "bindings/python/objects/method_results.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace caos::python {
namespace py = pybind11;
namespace {

using namespace py::literals;

/// JSON has no infinity: it and nothing are None.
py::object finite(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? py::object(py::float_(*value)) : py::none();
}

void add_evaluation(py::dict& dict, const Evaluation& e) {
  const auto& interval = e.coverage_interval;
  dict["coverage"] = e.coverage;
  dict["coverage_low"] = interval ? py::object(py::float_(interval->low)) : py::none();
  dict["coverage_high"] = interval ? py::object(py::float_(interval->high)) : py::none();
  dict["coverage_interval"] = std::string(interval_name(e.interval_kind));
  dict["coverage_standard_error"] = finite(e.coverage_standard_error);
  dict["mean_set_size"] = e.mean_set_size;
  dict["median_set_size"] = e.median_set_size;
  dict["singleton_rate"] = e.singleton_rate;
  dict["empty_rate"] = e.empty_rate;
}

py::dict dict_of(const GroupResult& group, const std::vector<std::string>& names) {
  py::dict dict("group"_a = group.id, "n"_a = group.n, "rank"_a = group.rank,
                "threshold"_a = finite(group.threshold), "feasible"_a = group.feasible,
                "num_test"_a = group.num_test);
  if (!names.empty()) dict["label"] = group_name(group, names);
  if (group.evaluation) add_evaluation(dict, *group.evaluation);
  return dict;
}

py::dict dict_of(const MethodResult& result, const std::vector<std::string>& names) {
  py::dict dict("method"_a = std::string(method_name(result.method)),
                "alpha"_a = result.alpha.value(), "guarantee"_a = result.guarantee.text(),
                "rank"_a = result.rank, "threshold"_a = finite(result.threshold),
                "feasible"_a = result.feasible);
  add_evaluation(dict, result.evaluation);
  if (!result.groups.empty()) {
    py::list groups;
    for (const GroupResult& group : result.groups) groups.append(dict_of(group, names));
    dict["groups"] = groups;
  }
  return dict;
}

// HTML.

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string html_row(const std::vector<std::string>& cells, const char* tag) {
  std::string row = "<tr>";
  for (std::size_t c = 0; c < cells.size(); ++c) {
    row += fmt::format("<{0} style=\"text-align: {1}\">{2}</{0}>", tag, c == 0 ? "left" : "right",
                       escaped(cells[c]));
  }
  return row + "</tr>\n";
}

std::string html_table(const Table& table) {
  std::string html = "<table>\n<thead>" + html_row(table.rows()[0], "th") + "</thead>\n<tbody>\n";
  for (std::size_t r = 1; r < table.rows().size(); ++r) html += html_row(table.rows()[r], "td");
  return html + "</tbody>\n</table>\n";
}

// State.

py::tuple state_of(const Evaluation& e) {
  py::object interval = py::none();
  if (e.coverage_interval) {
    interval = py::make_tuple(e.coverage_interval->low, e.coverage_interval->high);
  }
  return py::make_tuple(e.coverage, interval, static_cast<int>(e.interval_kind),
                        e.coverage_standard_error, e.mean_set_size, e.median_set_size,
                        e.singleton_rate, e.empty_rate);
}

Evaluation evaluation_from(const py::tuple& state) {
  Evaluation e{.coverage = state[0].cast<double>(),
               .coverage_interval = std::nullopt,
               .interval_kind = static_cast<IntervalKind>(state[2].cast<int>()),
               .coverage_standard_error = state[3].cast<std::optional<double>>(),
               .mean_set_size = state[4].cast<double>(),
               .median_set_size = state[5].cast<double>(),
               .singleton_rate = state[6].cast<double>(),
               .empty_rate = state[7].cast<double>()};
  if (!state[1].is_none()) {
    const auto [low, high] = state[1].cast<std::pair<double, double>>();
    e.coverage_interval = Interval{low, high};
  }
  return e;
}

template <typename T>
py::list states_of(const std::vector<T>& values) {
  py::list states;
  for (const T& value : values) states.append(python::state_of(value));
  return states;
}

/// Coverage, size, singleton and empty of every outcome: [m, 4].
py::array_t<double> outcome_array(const std::vector<Outcome>& outcomes) {
  py::array_t<double> array({outcomes.size(), std::size_t{4}});
  double* out = array.mutable_data();
  for (const Outcome& o : outcomes) {
    for (const double value : {o.covered, o.size, o.singleton, o.empty}) *out++ = value;
  }
  return array;
}

std::vector<Outcome> outcomes_from(const py::array_t<double>& array) {
  std::vector<Outcome> outcomes;
  for (py::ssize_t t = 0; t < array.shape(0); ++t) {
    outcomes.push_back({.covered = array.at(t, 0),
                        .size = array.at(t, 1),
                        .singleton = array.at(t, 2),
                        .empty = array.at(t, 3)});
  }
  return outcomes;
}

}  // namespace

py::list dicts_of(const EvaluationReport& report) {
  py::list dicts;
  for (const MethodResult& result : report.results) {
    dicts.append(dict_of(result, report.label_names));
  }
  return dicts;
}

std::string html_of(const EvaluationReport& report) {
  const auto paragraph = [](const std::string& text) {
    return fmt::format("<p>{}</p>\n", escaped(text));
  };
  std::string html = paragraph(title(report)) + html_table(summary_table(report));
  for (const MethodResult& result : report.results) {
    if (result.groups.empty()) continue;
    html +=
        paragraph(title_of_groups(result)) + html_table(group_table(result, report.label_names));
  }
  for (const std::string& line : guarantee_lines(report)) html += paragraph(line);
  return html;
}

py::array_t<double> outcomes_of(const MethodResult& result, double Outcome::*field) {
  py::array_t<double> values(static_cast<py::ssize_t>(result.outcomes.size()));
  std::ranges::transform(result.outcomes, values.mutable_data(),
                         [&](const Outcome& outcome) { return outcome.*field; });
  return values;
}

py::tuple state_of(const GroupResult& group) {
  py::object evaluation = py::none();
  if (group.evaluation) evaluation = state_of(*group.evaluation);
  return py::make_tuple(group.id, group.n, group.rank, group.threshold, group.feasible,
                        group.num_test, evaluation);
}

GroupResult group_result_from(const py::tuple& state) {
  GroupResult group{.id = state[0].cast<GroupId>(),
                    .n = state[1].cast<std::size_t>(),
                    .rank = state[2].cast<std::size_t>(),
                    .threshold = state[3].cast<std::optional<Score>>(),
                    .feasible = state[4].cast<bool>(),
                    .num_test = state[5].cast<std::size_t>(),
                    .evaluation = std::nullopt};
  if (!state[6].is_none()) group.evaluation = evaluation_from(state[6]);
  return group;
}

py::tuple state_of(const MethodResult& result) {
  return py::make_tuple(std::string(method_name(result.method)), result.alpha.text(),
                        static_cast<int>(result.guarantee.kind), result.guarantee.why_none,
                        result.rank, result.threshold, result.feasible, state_of(result.evaluation),
                        outcome_array(result.outcomes), states_of(result.groups),
                        result.guarantee.listed_labels_only, result.guarantee.scope);
}

MethodResult method_result_from(const py::tuple& state) {
  MethodResult result{.method = parse_method(state[0].cast<std::string>()),
                      .alpha = Miscoverage::parse(state[1].cast<std::string>())};
  result.guarantee = {.kind = static_cast<Guarantee::Kind>(state[2].cast<int>()),
                      .why_none = state[3].cast<std::string>(),
                      .listed_labels_only = state[10].cast<bool>(),
                      .scope = state[11].cast<std::string>()};
  result.rank = state[4].cast<std::optional<std::size_t>>();
  result.threshold = state[5].cast<std::optional<Score>>();
  result.feasible = state[6].cast<bool>();
  result.evaluation = evaluation_from(state[7]);
  result.outcomes = outcomes_from(state[8].cast<py::array_t<double>>());
  for (const py::handle group : state[9]) {
    result.groups.push_back(group_result_from(py::reinterpret_borrow<py::tuple>(group)));
  }
  return result;
}

py::tuple state_of(const EvaluationReport& report) {
  return py::make_tuple(report.n, report.num_labels, report.num_test, report.k, report.label_names,
                        states_of(report.results));
}

EvaluationReport report_from(const py::tuple& state) {
  EvaluationReport report{.n = state[0].cast<std::size_t>(),
                          .num_labels = state[1].cast<std::size_t>(),
                          .num_test = state[2].cast<std::size_t>(),
                          .k = state[3].cast<std::size_t>(),
                          .label_names = state[4].cast<std::vector<std::string>>()};
  for (const py::handle result : state[5]) {
    report.results.push_back(method_result_from(py::reinterpret_borrow<py::tuple>(result)));
  }
  return report;
}

}  // namespace caos::python
