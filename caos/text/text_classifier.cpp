#include <utility>

#include "caos/error.hpp"
#include "caos/text.hpp"
#include "caos/text/text_calibration.hpp"
#include "caos/text/text_model.hpp"
#include "caos/text/text_session.hpp"
#include "caos/text/text_table.hpp"

namespace caos {
namespace {

TextSessionOptions session_options(const LanguageModelSettings& settings) {
  return {.model = settings.model,
          .model_options = {.context = settings.context,
                            .chat = settings.chat,
                            .server_model = settings.server_model,
                            .key_file = settings.key_file},
          .normalization = parse_normalization(settings.normalization),
          .store = settings.store,
          .threads = settings.threads};
}

text::Question question_of(const LanguageModelSettings& settings, const text::LabelSpace& labels) {
  return {.prompt = settings.prompt.empty() ? text::PromptTemplate::paper()
                                            : text::PromptTemplate::read(settings.prompt),
          .labels = labels};
}

TextProgress progress_of(const LanguageModelSettings& settings) {
  if (!settings.progress) return {};
  return [tell = settings.progress](const TextScoringTally& done, std::uint64_t total) {
    tell(done.pairs, total);
  };
}

LabeledTexts labeled_texts_of(const TextRows& rows, const std::vector<std::string>& labels) {
  require(rows.texts.size() == rows.labels.size(), ErrorKind::invalid_input,
          "every labeled text needs a label");
  LabeledTexts texts{.labels = labels.empty() ? text::labels_among(rows.labels, "labels")
                                              : text::LabelSpace(labels),
                     .labels_from_train = labels.empty(),
                     .text_columns = {text::default_text_column}};
  for (std::size_t i = 0; i < rows.texts.size(); ++i) {
    const std::optional<Label> label = texts.labels.find(rows.labels[i]);
    require(label.has_value(), ErrorKind::invalid_input,
            [&] { return "unknown label '" + rows.labels[i] + "'"; });
    texts.examples.push_back({rows.texts[i], *label});
    texts.ids.push_back(std::to_string(i + 1));
  }
  return texts;
}

TextPredictOptions predict_options(const Miscoverage& alpha, Method method) {
  require(method == Method::caos || method == Method::full_caos, ErrorKind::invalid_input,
          "label sets are predicted with caos or full-caos");
  return {.alphas = {alpha}, .method = method};
}

}  // namespace

struct TextClassifier::Parts {
  TextModel model;
  TextSession session;  ///< shared by threads: each call has its own with the same model and store
  TextProgress progress;

  [[nodiscard]] std::vector<TextPrediction> predict(std::span<const std::string> texts,
                                                    const TextPredictOptions& options) const {
    TextSession own = session.with_progress(progress, texts.size() * model.examples.size());
    return predict_texts(model, own, texts, options);
  }
};

TextRows read_text_rows(const std::string& path, const std::vector<std::string>& text_columns,
                        const std::string& label_column) {
  text::TextTable table =
      text::read_text_table(path, {.text = text_columns, .label = label_column});
  return {.texts = std::move(table.texts), .labels = std::move(table.labels)};
}

TextClassifier TextClassifier::calibrate(const TextRows& rows,
                                         const std::vector<std::string>& labels,
                                         const TextClassifierOptions& options) {
  LabeledTexts texts = labeled_texts_of(rows, labels);
  check_k(options.k, texts.examples.size());
  LanguageModelSettings settings = options.language_model;
  if (settings.model.empty()) settings.model = "builtin";
  TextSessionOptions how = session_options(settings);
  how.question = question_of(settings, texts.labels);
  const TextProgress progress = progress_of(settings);
  TextSession session = TextSession(std::move(how)).with_progress(progress);
  const Matrix<Score> scores = session.score_labeled(texts.examples);
  const ScoreTensor tensor{.rows = scores.view(), .num_labels = texts.labels.size()};
  TextModel model =
      calibrate_texts(std::move(texts), tensor, session.record(),
                      {.k = options.k, .by_label = options.by_label, .threads = settings.threads});
  return TextClassifier(
      std::make_shared<Parts>(Parts{std::move(model), std::move(session), progress}));
}

TextClassifier TextClassifier::load(const std::string& path,
                                    const LanguageModelSettings& settings) {
  TextModel model = read_text_model(path);
  if (settings.model.empty()) check_consent(model.scoring, path, "");
  TextSession session =
      reopen_session(model.scoring, model.labels, path, session_options(settings));
  return TextClassifier(
      std::make_shared<Parts>(Parts{std::move(model), std::move(session), progress_of(settings)}));
}

void TextClassifier::save(const std::string& path) const { write_text_model(path, parts_->model); }

const std::vector<std::string>& TextClassifier::labels() const {
  return parts_->model.labels.names();
}

std::size_t TextClassifier::size() const { return parts_->model.examples.size(); }

bool TextClassifier::is_feasible(const Miscoverage& alpha) const {
  return parts_->model.calibration.is_feasible(alpha);
}

Guarantee TextClassifier::guarantee(const Miscoverage& alpha, Method method) const {
  return guarantee_of(parts_->model, predict_options(alpha, method), alpha);
}

std::vector<TextLabels> TextClassifier::predict(std::span<const std::string> texts,
                                                const Miscoverage& alpha, Method method) const {
  std::vector<TextLabels> results;
  for (const TextPrediction& prediction : parts_->predict(texts, predict_options(alpha, method))) {
    TextLabels result{.best = labels()[prediction.point]};
    for (const Label y : prediction.sets[0]) result.set.push_back(labels()[y]);
    results.push_back(std::move(result));
  }
  return results;
}

Evaluation TextClassifier::evaluate(const TextRows& test, const Miscoverage& alpha,
                                    Method method) const {
  require(!test.texts.empty() && test.texts.size() == test.labels.size(), ErrorKind::invalid_input,
          "give test texts with a label each");
  std::vector<Outcome> outcomes;
  const auto predictions = parts_->predict(test.texts, predict_options(alpha, method));
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const Label truth = parts_->model.labels.find(test.labels[i]).value_or(unlisted_label);
    outcomes.push_back(outcome_of(predictions[i].sets[0], truth));
  }
  return summarize(outcomes);
}

}  // namespace caos
