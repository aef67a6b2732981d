#include "caos/text/text_calibration.hpp"

#include <fmt/format.h>

#include <utility>

#include "caos/error.hpp"
#include "caos/growing.hpp"

namespace caos {

std::vector<Label> LabeledTexts::example_labels() const {
  std::vector<Label> result;
  result.reserve(examples.size());
  for (const text::LabeledText& example : examples) result.push_back(example.label);
  return result;
}

TextModel calibrate_texts(LabeledTexts texts, const ScoreTensor& scores, TextScoreRecord record,
                          const TextCalibrateOptions& options) {
  const std::vector<Label> labels = texts.example_labels();
  const Grouping grouping = options.by_label ? Grouping::by_label(labels, texts.labels.size())
                                             : Grouping::none(labels.size());
  return {.scoring = std::move(record),
          .text_columns = std::move(texts.text_columns),
          .labels = std::move(texts.labels),
          .labels_from_train = texts.labels_from_train,
          .examples = std::move(texts.examples),
          .ids = std::move(texts.ids),
          .calibration = calibrate(OwnScores::of_labeled(scores, labels), grouping,
                                   {.k = options.k, .threads = options.threads})};
}

TextModel with_example(const TextModel& model, text::LabeledText example, std::string id,
                       std::span<const Score> under_others, std::span<const Score> of_others) {
  require(example.label < model.labels.size(), ErrorKind::invalid_input, [&] {
    return fmt::format("the new text has label {}, but there are {} labels", example.label,
                       model.labels.size());
  });
  TextModel grown = model;
  grown.calibration =
      with_example(model.calibration, under_others, of_others, static_cast<GroupId>(example.label));
  grown.examples.push_back(std::move(example));
  grown.ids.push_back(std::move(id));
  return grown;
}

TextModel with_example(const TextModel& model, TextSession& session, text::LabeledText example,
                       std::string id) {
  const Matrix<Score> under_others = session.score(model.examples, std::span(&example.text, 1));
  const Matrix<Score> of_others = session.score_own(std::span(&example, 1), model.examples);
  const std::size_t row = example.label;
  return with_example(model, std::move(example), std::move(id), under_others.row(row),
                      of_others.row(0));
}

}  // namespace caos
