#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "bindings/python/arguments/alphas.hpp"
#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/arguments/text_arguments.hpp"
#include "bindings/python/module/errors.hpp"
#include "bindings/python/module/register.hpp"
#include "bindings/python/objects/calibrated_texts.hpp"
#include "bindings/python/objects/text_setup.hpp"
#include "caos/error.hpp"
#include "caos/io/utf8.hpp"
#include "caos/text/text_table.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

constexpr const char* home = "caos.text";

// What users read.

constexpr const char* class_text =
    R"(Labeled texts, calibrated once for every alpha, with the model that scores new ones.

Made by caos.text.calibrate or read from a file with caos.text.load. Safe to use from several
threads.)";

constexpr const char* calibrate_text =
    R"(Calibrate labeled texts by leaving each out in turn.

texts: the labeled texts; a list, an array of str, a pandas Series.
labels: the label of each, a name.
model: which language model scores them, such as 'llama:FILE.gguf' or 'server:URL'. 'builtin' needs
    nothing, but is weak: it merely compares words. Or a TextScorer; the arguments below are then
    the scorer's, and not to be given here.
label_names: all labels that there are. None means those of the TextScorer, or else those that occur
    in labels: a label that occurs nowhere is in no set then, and a warning says so.
k: how many of the smallest scores a CAOS score adds, from 1 to n - 1. Fix it before seeing results.
groups: None; or 'labels' for a guarantee within each label, which needs enough texts of each.
ids: what the texts are called, for support; None numbers them from 1.
text_columns: the columns of the table that the texts are from, for the program 'caos text predict';
    None means 'text'.

Further arguments are as in TextScorer: prompt, store, normalization, context, chat, server_model,
key_variable, key_file, timeout_seconds, retries, concurrency, threads and progress.

Returns a TextCalibration.)";

constexpr const char* load_text =
    R"(Read what TextCalibration.save or the program 'caos text calibrate' wrote, and open its model.

path: the file.
model: where the language model lies now; None: where it was. It must be the same model by its
    identity. Where texts would leave this process, for a server or a program, it must be given: a
    file alone does not decide that.

Prompt, normalization, context and chat are those of the labeled texts. Further arguments are as in
TextScorer: store, server_model, key_variable, key_file, timeout_seconds, retries, concurrency,
threads and progress.

Returns a TextCalibration.)";

constexpr const char* predict_set_text =
    R"(The sets of new texts: each contains the true label with probability at least 1 - alpha.

texts: the new texts; they are scored under every labeled text.
alpha: the accepted miscoverage, such as 0.1. A list of alphas gives a list of sets, at the cost of
    one.
method: 'caos', or 'full-caos' for smaller sets at the price of further scoring.
clip_rank: where there are too few texts for alpha, use the largest score as the paper does; voids
    the guarantee.

Returns PredictionSets; their sets are lists of names. Where alpha is infeasible with so few
labeled texts, every set is every label, and a warning says so.)";

constexpr const char* predict_p_text =
    R"(The conformal p-value of every label, [m, K]: in the set at alpha if it is > alpha.

texts: the new texts.
method: 'caos', or 'full-caos', which scores the labeled texts under every label of every new
    text.)";

constexpr const char* references_text =
    R"(The supporting references: for each text a dict from every label to k SupportingReference.

texts: the new texts.

They are the labeled texts under which the label scores best, the strongest first; the CAOS score
of the label is the sum of their scores.)";

constexpr const char* add_example_text =
    R"(Let a labeled text join, as if it had been there from the start.

text: the text.
label: its label, a name.
id: what it is called; None means its number.

It is scored under the others, and they under it: 2 n pairs. Texts cannot be removed.)";

// What is calibrated.

std::vector<std::string> ids_of(const py::object& ids, std::size_t count) {
  std::vector<std::string> result;
  if (!ids.is_none()) {
    result = texts_of(ids, "ids");
    require_as_many(result.size(), "ids", count, "texts");
    return result;
  }
  for (std::size_t i = 1; i <= count; ++i) result.push_back(fmt::format("{}", i));
  return result;
}

CalibratedTexts calibrate_given(const ScorerArguments& arguments, const py::object& texts,
                                const py::object& labels, const py::object& model,
                                const py::object& label_names, std::int64_t k,
                                const py::object& groups, const py::object& ids,
                                const py::object& text_columns) {
  const TextCalibrateOptions options{.k = count_of(k, "k"),
                                     .by_label = is_by_label(groups),
                                     .threads = count_of(arguments.connection.threads, "threads")};
  TextSetup setup = set_up(
      arguments, {.texts = texts, .labels = labels, .label_names = label_names, .model = model},
      [&](const LabeledTexts& all) { check_k(options.k, all.examples.size()); });
  LabeledTexts& all = setup.texts;
  all.ids = ids_of(ids, all.examples.size());
  all.text_columns = columns_of(text_columns);
  if (all.text_columns.empty()) all.text_columns = {text::default_text_column};
  TextModel calibrated = setup.scorer.run([&](TextSession& session) {
    const Matrix<Score> scores = session.score_labeled(all.examples);
    const ScoreTensor tensor{
        .rows = scores.view(), .num_labels = all.labels.size(), .name = "the model's scores"};
    return calibrate_texts(std::move(all), tensor, session.record(), options);
  });
  return {std::move(setup.scorer), std::move(calibrated)};
}

CalibratedTexts load(const ConnectionArguments& arguments, const std::filesystem::path& path,
                     const std::optional<std::string>& model_now) {
  const std::string file = path.string();
  TextSessionOptions given = arguments.session_options();
  given.model = model_now.value_or("");
  TextModel model = [&] {
    const py::gil_scoped_release released;
    return read_text_model(file);
  }();
  require(!text::is_score_file(model.scoring.model), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{}: was calibrated with {}, not with a language model that could score new texts", file,
        model.scoring.model);
  });
  if (!model_now) check_consent(model.scoring, file, "model=");
  SharedScorer scorer(
      [&] { return reopen_session(model.scoring, model.labels, file, std::move(given)); },
      arguments.progress);
  if (model.labels_from_train) warn(train_labels_risk);
  return {std::move(scorer), std::move(model)};
}

// What it tells of itself.

std::string repr_of(const CalibratedTexts& self) {
  const auto model = self.model();
  const Grouping::Kind kind = model->calibration.grouping().kind();
  return fmt::format("TextCalibration({} texts, {} labels, k = {}{}, model {}; {})",
                     model->examples.size(), model->labels.size(), model->calibration.k(),
                     kind == Grouping::Kind::none ? "" : ", by label",
                     self.scorer().session().model().description(), guarantee_of(*model).text());
}

std::string repr_of(const SupportingText& reference) {
  return fmt::format("SupportingReference({}, {}, {}, score {:.4g})", reference.id,
                     text::in_quotes(reference.text), reference.label, reference.score);
}

/// The number of the group that a label's name stands for; without groups there is but one.
std::size_t group_number(const TextModel& model, const std::optional<std::string>& label) {
  const bool grouped = model.calibration.grouping().kind() != Grouping::Kind::none;
  require(grouped == label.has_value(), ErrorKind::invalid_input, [&] {
    return grouped ? "each label has its own threshold; say of which one (label=...)"
                   : "the calibration has no groups; leave out label";
  });
  return grouped
             ? model.calibration.grouping().of_candidate(label_of(*label, model.labels, "label"), 0)
             : 0;
}

py::object threshold(const CalibratedTexts& self, const py::object& alpha,
                     const std::optional<std::string>& label, bool clip_rank) {
  const Alphas alphas(alpha);
  const auto model = self.model();
  const RankRule rule = clip_rank ? RankRule::clip : RankRule::every_label;
  const std::size_t group = group_number(*model, label);
  std::vector<Score> thresholds;
  for (const Miscoverage& one : alphas.values) {
    thresholds.push_back(model->calibration.threshold(one, group, rule));
  }
  if (alphas.single) return py::float_(thresholds[0]);
  return array_of(thresholds);
}

py::list examples(const CalibratedTexts& self) {
  const auto model = self.model();
  py::list list;
  for (const text::LabeledText& example : model->examples) {
    list.append(py::make_tuple(example.text, model->labels[example.label]));
  }
  return list;
}

void register_supporting_reference(py::module_& module) {
  public_class<SupportingText>(module, "SupportingReference", home,
                               "A labeled text whose score a label's score adds.")
      .def_readonly("example", &SupportingText::example, "Its position among the labeled texts.")
      .def_readonly("id", &SupportingText::id, "What it is called.")
      .def_readonly("text", &SupportingText::text, "The text itself.")
      .def_readonly("label", &SupportingText::label, "Its own label.")
      .def_readonly("score", &SupportingText::score,
                    "The score of the label under it; smaller is better.")
      .def("__repr__", [](const SupportingText& reference) { return repr_of(reference); });
}

void define_predictions(py::class_<CalibratedTexts>& calibration) {
  const TextPredictOptions defaults;
  const std::string method(method_name(defaults.method));
  const bool clip = defaults.rule == RankRule::clip;
  calibration
      .def("predict_set",
           py::overload_cast<const CalibratedTexts&, const py::object&, const py::object&,
                             const std::string&, bool>(&predict_set),
           py::arg("texts"), py::arg("alpha"), py::kw_only(), py::arg("method") = method,
           py::arg("clip_rank") = clip, predict_set_text)
      .def("predict_p",
           py::overload_cast<const CalibratedTexts&, const py::object&, const std::string&>(
               &predict_p),
           py::arg("texts"), py::kw_only(), py::arg("method") = method, predict_p_text)
      .def("predict", py::overload_cast<const CalibratedTexts&, const py::object&>(&predict),
           py::arg("texts"),
           "The label with the smallest CAOS score for each of the texts: a list of names.")
      .def("supporting_references", &supporting_references, py::arg("texts"), references_text)
      .def("support", &supporting_references, py::arg("texts"),
           "The supporting references of texts, under its old name, for one version.")
      .def("threshold", &threshold, py::arg("alpha"), py::kw_only(), py::arg("label") = py::none(),
           py::arg("clip_rank") = clip,
           "The largest CAOS score that conforms at alpha; infinity where alpha is infeasible, "
           "unless clip_rank takes the largest score. Several alphas give an array. With "
           "groups='labels', label says of which one.")
      .def(
          "is_feasible",
          [](const CalibratedTexts& self, const py::object& alpha) {
            return self.model()->calibration.is_feasible(alpha_of(alpha));
          },
          py::arg("alpha"),
          "Whether there are labeled texts enough for alpha, of every label with "
          "groups='labels'. If not, sets are large.");
}

void define_properties(py::class_<CalibratedTexts>& calibration) {
  const auto told = [](auto get) {
    return [get](const CalibratedTexts& self) { return get(*self.model()); };
  };
  calibration.def("__len__", told([](const TextModel& m) { return m.examples.size(); }))
      .def_property_readonly("k", told([](const TextModel& m) { return m.calibration.k(); }),
                             "The number of smallest scores in the sum of a CAOS score.")
      .def_property_readonly("label_names",
                             told([](const TextModel& m) { return tuple_of(m.labels.names()); }),
                             "The names of the labels that sets can hold.")
      .def_property_readonly("labels_from_train",
                             told([](const TextModel& m) { return m.labels_from_train; }),
                             "Whether the labels were not listed (label_names=None; the "
                             "program's --labels-from train), so that they are merely those of the "
                             "labeled texts. A label that none of these has is in no set then, so "
                             "texts that have it are missed on top of alpha.")
      .def_property_readonly("examples", &examples, "The labeled texts: (text, label) each.")
      .def_property_readonly("ids", told([](const TextModel& m) { return m.ids; }),
                             "What the labeled texts are called.")
      .def_property_readonly("text_columns",
                             told([](const TextModel& m) { return m.text_columns; }),
                             "The columns of the table that the texts are from.")
      .def_property_readonly(
          "scores", told([](const TextModel& m) { return array_of(m.calibration.scores()); }),
          "The leave-one-out CAOS score of each labeled text.")
      .def_property_readonly(
          "guarantee", told([](const TextModel& m) { return guarantee_of(m).text(); }),
          "What holds for the sets: marginal or group-conditional; for listed labels only where the "
          "list is that of the labeled texts.")
      .def_property_readonly(
          "assumption", [](const CalibratedTexts&) { return assumption; },
          "The assumptions of the guarantee.")
      .def_property_readonly(
          "scorer", [](const CalibratedTexts& self) { return self.scorer(); },
          "The TextScorer of new texts.")
      .def("__repr__", [](const CalibratedTexts& self) { return repr_of(self); });
}

void define_changes(py::class_<CalibratedTexts>& calibration) {
  calibration
      .def(
          "add_example",
          [](CalibratedTexts& self, const py::object& text, const py::object& label,
             const py::object& id) {
            const Label y = label_of(text_of(label, "label"), self.model()->labels, "label");
            self.add_example({text_of(text, "text"), y},
                             id.is_none() ? std::nullopt : std::optional(text_of(id, "id")));
          },
          py::arg("text"), py::arg("label"), py::kw_only(), py::arg("id") = py::none(),
          add_example_text)
      .def(
          "save",
          [](const CalibratedTexts& self, const std::filesystem::path& path) {
            write_text_model(path.string(), *self.model());
          },
          py::call_guard<py::gil_scoped_release>(), py::arg("path"),
          "Write a file that caos.text.load and the program 'caos text predict' read, whole or not "
          "at all. It holds the texts.\n\npath: where.");
}

}  // namespace

void register_text_calibration(py::module_& module) {
  register_supporting_reference(module);
  auto calibration = public_class<CalibratedTexts>(module, "TextCalibration", home, class_text);
  define_predictions(calibration);
  define_properties(calibration);
  define_changes(calibration);
  const TextCalibrateOptions defaults;
  const std::string builtin = TextSessionOptions{}.model;
  std::apply(
      [&](const auto&... args) {
        public_function(module, "text_calibrate", "calibrate", home,
                        taking_scorer(&calibrate_given), py::arg("texts"), py::arg("labels"),
                        py::kw_only(), py::arg("model") = builtin,
                        py::arg("label_names") = py::none(), py::arg("k") = defaults.k,
                        py::arg("groups") = py::none(), py::arg("ids") = py::none(),
                        py::arg("text_columns") = py::none(), args..., calibrate_text);
      },
      scorer_args());
  std::apply(
      [&](const auto&... args) {
        public_function(module, "text_load", "load", home, taking_connection(&load),
                        py::arg("path"), py::kw_only(), py::arg("model") = py::none(), args...,
                        load_text);
        calibration.def_static("load", taking_connection(&load), py::arg("path"), py::kw_only(),
                               py::arg("model") = py::none(), args..., load_text);
      },
      connection_args());
}

}  // namespace caos::python
