#include <fmt/format.h>

#include <optional>
#include <utility>

#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/arguments/scorer_arguments.hpp"
#include "bindings/python/arguments/text_arguments.hpp"
#include "bindings/python/module/register.hpp"
#include "bindings/python/objects/shared_scorer.hpp"
#include "bindings/python/objects/text_setup.hpp"
#include "caos/text/text_session.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

constexpr const char* home = "caos.text";

// What users read.

constexpr const char* scorer_text =
    R"(A language model, the question that it is asked, and the store of its answers.

label_names: all labels that there are.
model: 'builtin' (words in common; weak, needs nothing), 'llama:FILE.gguf', 'server:URL'
    (OpenAI-compatible completions, or llama.cpp's server) or 'command:PROGRAM ARGUMENTS'. The last
    two get the texts: see sends_texts_to.
prompt: None for the paper's; or a template with the fields {reference_text}, {reference_label} and
    {text}; or the file that holds it.
store: folder that keeps what the model said, so that it is never asked twice, now or
    later; the program's --store reads and writes it as well. None keeps it in memory, as long as
    the scorer lives and up to about a gigabyte.
normalization: how likelihoods become scores: 'average' per token, 'sum', 'per-byte', 'pmi' or
    'softmax'. Choose before looking at results.
context: tokens that a llama model or a server may see; 0 means as many as it says.
chat: wrap the prompt in the model's own chat template (llama, server).
server_model: which of a server's models; None means its first.
key_variable: environment variable that holds the key for a server.
key_file: file that holds it.
timeout_seconds: of one request to a server.
retries: further tries where a server is busy or fails.
concurrency: requests to a server under way at once.
threads: 0 means one per core. Results do not depend on it.
progress: called now and then with (done, total), the number of pairs of a reference and a text.

Opening loads the model. Scores are smaller for better labels. Ctrl-C ends scoring after the few
dozen texts at hand; what was finished is kept. Safe to use from several threads. It scores texts
for this module; caos.OneShotPredictors take scorers of another kind (caos.scorers.Scorer).)";

constexpr const char* score_text =
    R"(Scores of texts under labeled references, [m, K, n]: smaller is better.

reference_texts: the texts of the n references.
reference_labels: the label of each, a name.
texts: the m texts.

Entry (t, y, j) is the score of label y for text t under reference j, as caos.calibrate and
Calibration.predict_set take it.)";

constexpr const char* score_labeled_text =
    R"(Scores of labeled texts under each other, [n, K, n], as caos.calibrate takes them.

texts: the n texts.
labels: the label of each, a name.

The scores of a text under itself are infinity.)";

constexpr const char* score_own_text =
    R"(Scores of the own labels of labeled texts under each reference, [references, texts].

reference_texts: the texts of the references.
reference_labels: the label of each, a name.
texts: the labeled texts.
labels: the label of each, a name.

With a new text and a label that it may have as the reference, these are the reverse scores that
Full CAOS needs.)";

constexpr const char* plan_text =
    R"(What score_labeled would take, without doing it.

texts: the texts.
labels: the label of each, a name.

Scores a few pairs to see how long that takes, and keeps nothing of it; a server is sent nothing.)";

// What it does.

SharedScorer make_scorer(const ScorerArguments& arguments, const py::object& label_names,
                         const std::string& model) {
  return open_scorer(arguments, model,
                     text::LabelSpace(texts_of(label_names, "label_names"), "label_names"));
}

std::vector<text::LabeledText> labeled(const SharedScorer& scorer, const py::object& texts,
                                       const char* texts_name, const py::object& labels,
                                       const char* labels_name) {
  std::vector<std::string> all = texts_of(texts, texts_name);
  const std::vector<std::string> names = texts_of(labels, labels_name);
  require_as_many(names.size(), labels_name, all.size(), texts_name);
  return labeled_texts_of(std::move(all), names, scorer.labels(), labels_name);
}

/// Scores [m x K, n] as an array [m, K, n].
py::array_t<double> tensor_of(const Matrix<Score>& scores, std::size_t num_labels) {
  const std::size_t inputs = scores.rows() / num_labels;
  py::array_t<double> result({inputs, num_labels, scores.cols()});
  std::copy_n(scores.view().data(), scores.rows() * scores.cols(), result.mutable_data());
  return result;
}

py::array_t<double> score(const SharedScorer& self, const py::object& reference_texts,
                          const py::object& reference_labels, const py::object& texts) {
  const auto references =
      labeled(self, reference_texts, "reference_texts", reference_labels, "reference_labels");
  const std::vector<std::string> all = texts_of(texts, "texts");
  return tensor_of(self.run([&](TextSession& session) { return session.score(references, all); }),
                   self.labels().size());
}

py::array_t<double> score_labeled(const SharedScorer& self, const py::object& texts,
                                  const py::object& labels) {
  const auto examples = labeled(self, texts, "texts", labels, "labels");
  return tensor_of(self.run([&](TextSession& session) { return session.score_labeled(examples); }),
                   self.labels().size());
}

py::array_t<double> score_own(const SharedScorer& self, const py::object& reference_texts,
                              const py::object& reference_labels, const py::object& texts,
                              const py::object& labels) {
  const auto references =
      labeled(self, reference_texts, "reference_texts", reference_labels, "reference_labels");
  const auto examples = labeled(self, texts, "texts", labels, "labels");
  const Matrix<Score> scores =
      self.run([&](TextSession& session) { return session.score_own(references, examples); });
  return array_of(scores.view());
}

TextForecast plan(const SharedScorer& self, const py::object& texts, const py::object& labels) {
  const auto examples = labeled(self, texts, "texts", labels, "labels");
  const py::gil_scoped_release released;
  return self.forecast(examples);
}

// What it tells of itself.

std::optional<std::string> if_any(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

std::optional<std::uint64_t> if_known(std::uint64_t number, bool is_known) {
  return is_known ? std::optional(number) : std::nullopt;
}

std::string repr_of(const SharedScorer& self) {
  const std::string& path = self.store_path();
  return fmt::format("TextScorer({}, {} labels, {}; store {})",
                     self.session().model().description(), self.labels().size(),
                     normalization_name(self.session().options().normalization),
                     path.empty() ? "in memory" : path);
}

std::string repr_of(const TextScoringTally& tally) {
  return fmt::format("Tally({} pairs, {} of them from the store; {} tokens, {} shortened)",
                     tally.pairs, tally.pairs_from_store, tally.tokens, tally.shortened);
}

std::string repr_of(const TextForecast& forecast) {
  const auto seconds = forecast.estimated_seconds();
  return fmt::format(
      "Plan({} pairs, {} of them in the store; {} prompts{}{})", forecast.plan.pairs,
      forecast.plan.pairs_in_store, forecast.prompts(),
      seconds ? fmt::format(", about {:.2g} s", *seconds) : "",
      forecast.destination.empty() ? "" : fmt::format("; texts go to {}", forecast.destination));
}

void register_tally(py::module_& module) {
  public_class<TextScoringTally>(module, "Tally", home, "What a TextScorer has done so far.")
      .def_readonly("pairs", &TextScoringTally::pairs, "Pairs of a reference and a text.")
      .def_readonly("pairs_from_store", &TextScoringTally::pairs_from_store,
                    "Those that the store knew.")
      .def_property_readonly(
          "pairs_computed",
          [](const TextScoringTally& tally) { return tally.pairs - tally.pairs_from_store; },
          "Those that the model was asked for.")
      .def_readonly("tokens", &TextScoringTally::tokens,
                    "Tokens that the model evaluated; 0 for models without tokens.")
      .def_readonly("shortened", &TextScoringTally::shortened,
                    "Pairs that did not fit the context, so that texts were cut.")
      .def("__repr__", [](const TextScoringTally& tally) { return repr_of(tally); });
}

void register_plan(py::module_& module) {
  const auto cost = [](auto field) {
    return [field](const TextForecast& forecast) { return forecast.plan.cost.*field; };
  };
  const auto tokens = [](auto field) {
    return [field](const TextForecast& forecast) {
      return if_known(forecast.plan.cost.*field, forecast.plan.cost.tokens > 0);
    };
  };
  using Cost = text::ScoringCost;
  public_class<TextForecast>(module, "Plan", home,
                             "What scoring would take; the program's --dry-run says the same.")
      .def_property_readonly(
          "pairs", [](const TextForecast& forecast) { return forecast.plan.pairs; },
          "Pairs of a reference and a text.")
      .def_property_readonly(
          "pairs_in_store",
          [](const TextForecast& forecast) { return forecast.plan.pairs_in_store; },
          "Those that the store knows.")
      .def_property_readonly("pairs_to_compute", &TextForecast::pairs_to_compute,
                             "Those that the model would be asked for.")
      .def_property_readonly("prompts", &TextForecast::prompts,
                             "Prompts of those: one for each label.")
      .def_property_readonly("tokens", tokens(&Cost::tokens),
                             "Tokens to be evaluated; None where that is not known.")
      .def_property_readonly("tokens_separately", tokens(&Cost::separate_tokens),
                             "Tokens if every prompt were evaluated by itself; None as for tokens.")
      .def_property_readonly(
          "shortened",
          [](const TextForecast& forecast) {
            return if_known(forecast.plan.cost.shortened, forecast.knows_shortened());
          },
          "Pairs that do not fit the context, so that texts are cut; None where a server would "
          "have to see them first.")
      .def_property_readonly("estimated_seconds", &TextForecast::estimated_seconds,
                             "From a few pairs; None for servers, and where nothing is to be done.")
      .def_property_readonly(
          "sends_texts_to", [](const TextForecast& f) { return if_any(f.destination); },
          "Where texts are sent: a host or a program; None if they stay here.")
      .def_property_readonly("requests", cost(&Cost::requests), "To a server or a program.")
      .def_property_readonly("bytes_sent", cost(&Cost::bytes_sent), "With these requests.")
      .def("__repr__", [](const TextForecast& forecast) { return repr_of(forecast); });
}

void define_properties(py::class_<SharedScorer>& scorer) {
  const auto told = [](auto get) {
    return [get](const SharedScorer& self) { return std::string(get(self.session())); };
  };
  scorer
      .def_property_readonly(
          "label_names", [](const SharedScorer& self) { return tuple_of(self.labels().names()); },
          "The names of all labels.")
      .def_property_readonly("model", told([](const TextSession& s) { return s.options().model; }),
                             "The model, as it was asked for.")
      .def_property_readonly("description",
                             told([](const TextSession& s) { return s.model().description(); }),
                             "The model, for people.")
      .def_property_readonly("identity",
                             told([](const TextSession& s) { return s.model().identity(); }),
                             "Everything that the likelihoods depend on besides prompt, labels and "
                             "texts. Models with one identity give the same scores.")
      .def_property_readonly("normalization", told([](const TextSession& s) {
                               return normalization_name(s.options().normalization);
                             }),
                             "How likelihoods become scores.")
      .def_property_readonly(
          "prompt", told([](const TextSession& s) { return s.options().question.prompt.source(); }),
          "The template of the prompt.")
      .def_property_readonly(
          "store_path", [](const SharedScorer& self) { return if_any(self.store_path()); },
          "The file of the store; None: in memory.")
      .def_property_readonly(
          "sends_texts_to",
          [](const SharedScorer& self) {
            return if_any(text::destination_of(self.session().options().model));
          },
          "Where texts are sent when this model scores them: a host or a program; None: nowhere, "
          "they stay in this process.")
      .def_property_readonly("tally", &SharedScorer::tally,
                             "Counts of the work done so far, by all users of this object.")
      .def("__repr__", [](const SharedScorer& self) { return repr_of(self); });
}

}  // namespace

void register_text_scorer(py::module_& module) {
  register_tally(module);
  register_plan(module);
  auto scorer = public_class<SharedScorer>(module, "TextScorer", home, scorer_text);
  const std::string builtin = TextSessionOptions{}.model;
  std::apply(
      [&](const auto&... args) {
        scorer.def(py::init(taking_scorer(&make_scorer)), py::arg("label_names"),
                   py::arg("model") = builtin, py::kw_only(), args...);
      },
      scorer_args());
  define_properties(scorer);
  scorer
      .def("score", &score, py::arg("reference_texts"), py::arg("reference_labels"),
           py::arg("texts"), score_text)
      .def("score_labeled", &score_labeled, py::arg("texts"), py::arg("labels"), score_labeled_text)
      .def("score_own", &score_own, py::arg("reference_texts"), py::arg("reference_labels"),
           py::arg("texts"), py::arg("labels"), score_own_text)
      .def("plan", &plan, py::arg("texts"), py::arg("labels"), plan_text);
}

}  // namespace caos::python
