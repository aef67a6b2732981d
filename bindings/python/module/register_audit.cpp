#include <fmt/format.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <vector>

#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/arguments/confidence_argument.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/module/register.hpp"
#include "caos/conformal/audit_report.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

// What users read.

constexpr const char* bound_class_text =
    R"(What follows from the hits of an audit: a lower bound on the share of hits among the rest.)";

constexpr const char* bound_text =
    R"(The exact lower confidence bound on the share of hits among the units that were not audited.

hits: how many of the audited units are hits.
audited: how many units were audited: the first ones of a random order, a number fixed beforehand.
pool_size: how many units the audited ones were drawn from, including them. None means independent
    draws from a population; the bound is then on the probability of a hit.
confidence: the probability, over the random order, with which the bound is true.
statements: how many such bounds are to hold together (Bonferroni).

Returns an AuditBound.)";

constexpr const char* report_class_text =
    R"(What an audit says about the regions that were not audited.

A sequence of AuditFinding: one for each landmark and, where there are several, one for whole
images. print(report) says it in words.)";

constexpr const char* report_text =
    R"(What blindly labeled images say about the frozen regions of the others.

outcomes: [m, L], for each audited unit and landmark: 1 where the region contains the landmark,
    0 where it does not, -1 where the image lacks the landmark, which counts as a hit.
pool_size: how many units have regions, the audited ones among them; None means independent draws.
landmarks: their names; numbers from 0 if not given.
confidence: the probability, over the random order, with which a statement is true.
together: all statements hold together with that confidence (Bonferroni), not each alone.
unit: 'image'; or 'subject', where one image of each subject, drawn at random, stands for it.

Returns an AuditReport. It holds if the regions were frozen before the audit, the audited units are
the first of a random order, their number was fixed beforehand, and they were labeled without seeing
regions or proposals.)";

constexpr const char* order_text =
    R"(The order in which the units of a pool are audited: a random permutation of 0 ... num_units - 1.

num_units: how many units have regions.
seed: draws the order; 'caos audit draw' draws the same.)";

// Arguments.

AuditUnit unit_of(const std::string& name) {
  require(name == "image" || name == "subject", ErrorKind::invalid_input,
          [&] { return fmt::format("unit: is '{}'; expected 'image' or 'subject'", name); });
  return name == "image" ? AuditUnit::image : AuditUnit::subject;
}

std::optional<std::size_t> pool_of(const std::optional<std::int64_t>& pool) {
  return pool ? std::optional(count_of(*pool, "pool_size", 1)) : std::nullopt;
}

AuditOutcome outcome_of(std::int64_t code) {
  require(-1 <= code && code <= 1, ErrorKind::invalid_input, [&] {
    return fmt::format("outcomes: {} is not one of 1 (contained), 0 (missed) and -1 (absent)",
                       code);
  });
  if (code < 0) return AuditOutcome::absent;
  return code == 1 ? AuditOutcome::contained : AuditOutcome::missed;
}

Matrix<AuditOutcome> outcomes_of(const py::object& object) {
  const auto codes = py::array_t<std::int64_t, py::array::c_style>::ensure(object);
  require(codes && codes.ndim() == 2, ErrorKind::invalid_input,
          "outcomes: must be an array [units, landmarks] of whole numbers");
  Matrix<AuditOutcome> outcomes(static_cast<std::size_t>(codes.shape(0)),
                                static_cast<std::size_t>(codes.shape(1)));
  for (py::ssize_t i = 0; i < codes.shape(0); ++i) {
    for (py::ssize_t t = 0; t < codes.shape(1); ++t) {
      outcomes(static_cast<std::size_t>(i), static_cast<std::size_t>(t)) =
          outcome_of(codes.at(i, t));
    }
  }
  return outcomes;
}

// Functions.

AuditBound bound(std::int64_t hits, std::int64_t audited, std::optional<std::int64_t> pool,
                 const py::object& confidence, std::int64_t statements) {
  return audit_bound({.hits = count_of(hits, "hits"),
                      .audited = count_of(audited, "audited", 1),
                      .pool = pool_of(pool)},
                     confidence_of(confidence), count_of(statements, "statements", 1));
}

AuditReport report(const py::object& outcomes, std::optional<std::int64_t> pool,
                   const std::optional<std::vector<std::string>>& landmarks,
                   const py::object& confidence, bool together, const std::string& unit) {
  const Matrix<AuditOutcome> found = outcomes_of(outcomes);
  const std::vector<std::string> names = landmarks ? *landmarks : numbered_names(found.cols());
  return audit_report(
      names, found.view(), pool_of(pool),
      {.confidence = confidence_of(confidence), .together = together, .unit = unit_of(unit)});
}

std::string text_of_bound(const AuditBound& self) {
  return fmt::format("AuditBound({} hits of {}: at least {} of the rest)", self.count.hits,
                     self.count.audited, audit_percent(self));
}

void register_bound(py::module_& module) {
  public_class<AuditBound>(module, "AuditBound", "caos", MadeBy{"caos.audit_bound gives one"},
                           bound_class_text)
      .def_property_readonly(
          "hits", [](const AuditBound& self) { return self.count.hits; },
          "How many of the audited units are hits.")
      .def_property_readonly(
          "audited", [](const AuditBound& self) { return self.count.audited; },
          "How many units were audited.")
      .def_property_readonly(
          "pool_size", [](const AuditBound& self) { return self.count.pool; },
          "How many units they were drawn from; None for independent draws.")
      .def_readonly("remaining", &AuditBound::remaining, "Units that were not audited, or None.")
      .def_readonly("remaining_hits", &AuditBound::remaining_hits,
                    "At least so many of them are hits, or None.")
      .def_readonly("share", &AuditBound::share, "The lower bound on the share of hits.")
      .def_readonly("statements", &AuditBound::statements,
                    "How many statements hold together with the confidence.")
      .def("__repr__", &text_of_bound);
}

void register_findings(py::module_& module) {
  public_class<AuditFinding>(module, "AuditFinding", "caos", MadeBy{"caos.audit_report gives them"},
                             "What an audit says of one landmark, or of whole images.")
      .def_readonly("landmark", &AuditFinding::landmark,
                    "Its name; None for all landmarks of an image at once.")
      .def_readonly("absent", &AuditFinding::absent, "Audited units that lack it.")
      .def_readonly("missed", &AuditFinding::missed,
                    "Positions of the audited units whose region does not contain it.")
      .def_readonly("bound", &AuditFinding::bound, "The AuditBound.")
      .def_readonly("statement", &AuditFinding::statement, "The claim, in one sentence.")
      .def("__repr__", [](const AuditFinding& self) { return self.statement; });
}

void register_report(py::module_& module) {
  public_class<AuditReport>(module, "AuditReport", "caos", MadeBy{"caos.audit_report gives one"},
                            report_class_text)
      .def("__len__", [](const AuditReport& self) { return self.findings.size(); })
      .def(
          "__getitem__",
          [](const AuditReport& self, py::ssize_t i) {
            return self.findings[index_of(i, self.findings.size(), "findings")];
          },
          py::arg("i"))
      .def_readonly("audited", &AuditReport::audited, "How many units were audited.")
      .def_readonly("pool_size", &AuditReport::pool, "How many they were drawn from, or None.")
      .def_readonly("assumption", &AuditReport::assumption, "What the statements rest on.")
      .def("__str__", [](const AuditReport& self) { return text_of(self); })
      .def("__repr__", [](const AuditReport& self) {
        return fmt::format("AuditReport({} findings of {} audited units)", self.findings.size(),
                           self.audited);
      });
}

}  // namespace

void register_audit(py::module_& module) {
  register_bound(module);
  register_findings(module);
  register_report(module);
  const py::float_ confidence(Confidence::parse(default_confidence).value());
  module.def("audit_bound", &bound, py::arg("hits"), py::arg("audited"),
             py::arg("pool_size") = py::none(), py::kw_only(), py::arg("confidence") = confidence,
             py::arg("statements") = 1, bound_text);
  module.def("audit_report", &report, py::arg("outcomes"), py::arg("pool_size") = py::none(),
             py::kw_only(), py::arg("landmarks") = py::none(), py::arg("confidence") = confidence,
             py::arg("together") = AuditReportOptions{}.together, py::arg("unit") = "image",
             report_text);
  module.def(
      "audit_order",
      [](std::int64_t num_units, std::int64_t seed) {
        return array_of(audit_order(count_of(num_units, "num_units"), count_of(seed, "seed")));
      },
      py::arg("num_units"), py::kw_only(), py::arg("seed") = 0, order_text);
}

}  // namespace caos::python
