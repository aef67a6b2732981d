#include "apps/cli/text/text_predictor.hpp"

#include <fmt/format.h>

#include "caos/error.hpp"
#include "caos/numerics/check_scores.hpp"

namespace caos::cli {
namespace {

/// Scores of another kind mean something else. A file of scores was that of the labelled texts:
/// using it again would give answers about them.
void check_same_kind(const TextScoreRecord& record, const std::string& given,
                     const std::string& file) {
  const bool from_file = is_score_file(record.model);
  require(!from_file || is_score_file(given), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{}: was calibrated with {}; give --model scores:FILE.npy with those of the new texts",
        file, record.model);
  });
  require(from_file || !is_score_file(given), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: was calibrated with the model {}; {} would be other scores", file,
                       record.model, given);
  });
}

}  // namespace

TextPredictor::TextPredictor(const CommonOptions& common, const TextModel& model,
                             const std::string& file, TextPredictorOptions options,
                             const text::TextTable& table)
    : model_(model), table_(table), options_(std::move(options)) {
  check_same_kind(model.scoring, options_.scoring.model, file);
  if (options_.scoring.model.empty()) check_consent(model.scoring, file, "--model ");
  options_.scoring = options_like(model.scoring, std::move(options_.scoring));
  check(options_.scoring, options_.reverse);
  check_reverse(options_.scoring, options_.reverse, options_.what.method == Method::full_caos);
  if (is_score_file(options_.scoring.model)) {
    open_files();
  } else {
    open_session(common, file);
  }
}

void TextPredictor::open_session(const CommonOptions& common, const std::string& file) {
  session_ = std::make_unique<ScoringSession>(
      common, options_.scoring, question_of(model_, file),
      [&](const text::LanguageModel& model) { check_identity(model_.scoring, model, file); });
  session_->expect(table_.size() * model_.examples.size());
}

void TextPredictor::open_files() {
  const std::size_t n = model_.examples.size();
  const std::size_t num_labels = model_.labels.size();
  scores_ = open_scores(score_file(options_.scoring.model), table_.size(), num_labels, n);
  for (std::size_t t = 0; t < table_.size(); ++t) check_input(scores_->tensor(), t);
  if (options_.reverse.empty()) return;
  reverse_ = open_scores(options_.reverse, table_.size(), num_labels, n);
  for (std::size_t t = 0; t < table_.size(); ++t) check_input(reverse_->tensor(), t);
}

std::vector<TextPrediction> TextPredictor::predict(std::size_t first, std::size_t count) {
  if (session_) return predict_by_model(first, count);
  std::vector<TextPrediction> predictions;
  for (std::size_t t = first; t < first + count; ++t) predictions.push_back(predict_from_file(t));
  return predictions;
}

std::vector<TextPrediction> TextPredictor::predict_by_model(std::size_t first, std::size_t count) {
  const auto texts = std::span(table_.texts).subspan(first, count);
  return predict_texts(model_, session_->scorer(), texts, options_.what);
}

/// One text at a time: two texts may read the same and still have scores of their own.
TextPrediction TextPredictor::predict_from_file(std::size_t t) const {
  const ScoreRows pools = scores_->tensor().input(t);
  Matrix<Score> scores(pools.rows(), pools.cols());
  for (std::size_t y = 0; y < pools.rows(); ++y) pools.copy_row(y, scores.row(y));
  const auto reverse = [&](std::span<const text::LabeledText> candidates) {
    const ScoreRows rows = reverse_->tensor().input(t);
    Matrix<Score> own(candidates.size(), rows.cols());
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      rows.copy_row(candidates[c].label, own.row(c));
    }
    return own;
  };
  return predict_texts(model_, std::span(table_.texts).subspan(t, 1), std::as_const(scores).view(),
                       options_.what, reverse)
      .front();
}

ScoringReport TextPredictor::report() {
  if (session_) return session_->report();
  return {.model = options_.scoring.model};
}

}  // namespace caos::cli
