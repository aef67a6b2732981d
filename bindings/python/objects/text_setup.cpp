#include "bindings/python/objects/text_setup.hpp"

#include <fmt/format.h>

#include <utility>

#include "bindings/python/arguments/text_arguments.hpp"
#include "bindings/python/module/errors.hpp"
#include "caos/error.hpp"
#include "caos/io/utf8.hpp"
#include "caos/text/text_table.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

/// A scorer that was handed in, or a null pointer.
const SharedScorer* given_scorer(const py::object& model) {
  return py::isinstance<SharedScorer>(model) ? &model.cast<const SharedScorer&>() : nullptr;
}

std::string model_text(const py::object& model) {
  require(py::isinstance<py::str>(model), ErrorKind::invalid_input,
          "model: expected a text such as 'llama:FILE.gguf', or a TextScorer");
  return model.cast<std::string>();
}

/// The labels that there are: those that are named, else the scorer's, else those that occur.
text::LabelSpace label_space_of(const TextSetupArguments& given, const SharedScorer* scorer,
                                const std::vector<std::string>& labels) {
  if (given.label_names.is_none()) {
    return scorer != nullptr ? scorer->labels() : text::labels_among(labels, "labels");
  }
  text::LabelSpace space(texts_of(given.label_names, "label_names"), "label_names");
  require(scorer == nullptr || space == scorer->labels(), ErrorKind::invalid_input,
          "label_names: are not those of the scorer; leave them out");
  return space;
}

LabeledTexts labeled_of(const TextSetupArguments& given, const SharedScorer* scorer) {
  std::vector<std::string> texts = texts_of(given.texts, "texts");
  const std::vector<std::string> labels = texts_of(given.labels, "labels");
  require_as_many(labels.size(), "labels", texts.size(), "texts");
  LabeledTexts result{.labels = label_space_of(given, scorer, labels),
                      .labels_from_train = scorer == nullptr && given.label_names.is_none()};
  result.examples = labeled_texts_of(std::move(texts), labels, result.labels, "labels");
  return result;
}

}  // namespace

SharedScorer open_scorer(const ScorerArguments& arguments, const std::string& model,
                         text::LabelSpace labels) {
  require(!text::is_score_file(model), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "model: {} holds scores and is not a language model; caos.calibrate takes them",
        text::in_quotes(model));
  });
  TextSessionOptions options = arguments.session_options();
  options.model = model;
  options.question = {.prompt = prompt_of(arguments.prompt), .labels = std::move(labels)};
  return {[&] { return TextSession(std::move(options)); }, arguments.connection.progress};
}

TextSetup set_up(const ScorerArguments& arguments, const TextSetupArguments& given,
                 const std::function<void(const LabeledTexts&)>& check) {
  const SharedScorer* const scorer = given_scorer(given.model);
  LabeledTexts texts = labeled_of(given, scorer);
  check(texts);
  if (texts.labels_from_train) {
    warn(fmt::format("{}; name all of them with label_names", train_labels_risk));
  }
  if (scorer == nullptr) {
    text::LabelSpace labels = texts.labels;
    return {std::move(texts), open_scorer(arguments, model_text(given.model), std::move(labels))};
  }
  require(arguments.are_defaults(), ErrorKind::invalid_input,
          "a TextScorer has its own prompt, store and other options; give them to it, not here");
  return {std::move(texts), *scorer};
}

}  // namespace caos::python
