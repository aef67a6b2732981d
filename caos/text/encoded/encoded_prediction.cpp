#include "caos/text/encoded/encoded_prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/calibration.hpp"
#include "caos/classification/vote_scores.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/kernels/dot.hpp"

namespace caos {
namespace {

using classification::VoteReferences;

VoteReferences votes_of(const TextVectors& vectors, std::span<const Label> labels,
                        std::size_t threads) {
  return {.vectors = vectors.texts.view(),
          .labels = labels,
          .num_labels = vectors.labels.rows(),
          .label_vectors = vectors.labels.view(),
          .options = {.threads = threads}};
}

/// The scores of every example's own label under all others, [n, n]: without those of other labels,
/// which would take K times as much.
Matrix<Score> own_votes(const VoteReferences& votes) {
  const std::size_t n = votes.labels.size();
  Matrix<Score> own(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    const Matrix<Score> of_labels = votes.scores(votes.vectors.rows_from(i, 1));
    std::ranges::copy(of_labels.row(votes.labels[i]), own.row(i).begin());
  }
  return own;
}

std::vector<Label> labels_of(const TextModel& model) {
  std::vector<Label> labels;
  for (const text::LabeledText& example : model.examples) labels.push_back(example.label);
  return labels;
}

VectorClassifier classifier_of(const TextModel& model, std::vector<Label> labels,
                               std::size_t threads) {
  return {LabeledVectors{.vectors = widened(model.vectors->texts.view()),
                         .labels = std::move(labels),
                         .num_labels = model.labels.size(),
                         .label_vectors = widened(model.vectors->labels.view()),
                         .name = "embeddings",
                         .label_vectors_name = "embeddings of the labels"},
          model.calibration.grouping(), VectorClassifierOptions{.threads = threads}};
}

}  // namespace

TextModel calibrate_embedded(EmbeddedTexts texts, TextScoreRecord record,
                             const TextCalibrateOptions& options) {
  const std::vector<Label> labels = texts.texts.example_labels();
  const Grouping grouping = options.by_label ? Grouping::by_label(labels, texts.texts.labels.size())
                                             : Grouping::none(labels.size());
  TextVectors vectors{.texts = std::move(texts.vectors), .labels = std::move(texts.label_vectors)};
  const Matrix<Score> own = own_votes(votes_of(vectors, labels, options.threads));
  return {.scoring = std::move(record),
          .text_columns = std::move(texts.texts.text_columns),
          .labels = std::move(texts.texts.labels),
          .labels_from_train = texts.texts.labels_from_train,
          .examples = std::move(texts.texts.examples),
          .ids = std::move(texts.texts.ids),
          .calibration = calibrate(OwnScores(own.view(), "votes"), grouping,
                                   {.k = options.k, .threads = options.threads}),
          .vectors = std::move(vectors)};
}

EncodedPredictor::EncodedPredictor(const TextModel& model, std::size_t threads)
    : model_(model),
      labels_(labels_of(model)),
      kernel_(classifier_of(model, labels_, threads)),
      threads_(threads) {}

std::vector<TextPrediction> EncodedPredictor::predict_by_votes(
    MatrixView<const float> vectors, const TextPredictOptions& options) const {
  const VoteReferences votes = votes_of(*model_.vectors, labels_, threads_);
  const auto reverse = [&](std::span<const Candidate> candidates) {
    const Matrix<Score> all = votes.reverse_scores(vectors);
    Matrix<Score> scores(candidates.size(), labels_.size());
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const std::size_t row = candidates[c].text * votes.num_labels + candidates[c].label;
      std::ranges::copy(all.row(row), scores.row(c).begin());
    }
    return scores;
  };
  const Matrix<Score> scores = votes.scores(vectors);
  const std::vector<std::string> texts(vectors.rows());  // only their number matters
  return predict_texts(model_, texts, scores.view(), options, reverse);
}

std::vector<TextPrediction> EncodedPredictor::predict(MatrixView<const float> vectors,
                                                      const TextPredictOptions& options) const {
  require(vectors.cols() == model_.vectors->texts.cols(), ErrorKind::invalid_input, [&] {
    return fmt::format("new texts have vectors of {} values, and labeled ones of {}",
                       vectors.cols(), model_.vectors->texts.cols());
  });
  if (options.method != Method::full_kernel) return predict_by_votes(vectors, options);
  std::vector<TextPrediction> predictions =
      predict_by_votes(vectors, {.method = Method::caos, .rule = options.rule});
  const auto by_kernel = kernel_.predict(
      widened(vectors).view(),
      {.alphas = options.alphas, .rule = options.rule, .name = "embeddings", .threads = threads_});
  for (std::size_t t = 0; t < predictions.size(); ++t) {
    predictions[t].sets = by_kernel[t].sets;
    predictions[t].p_values.assign(by_kernel[t].p_values.begin(), by_kernel[t].p_values.end());
    predictions[t].point = by_kernel[t].point;
  }
  return predictions;
}

std::vector<SimilarText> EncodedPredictor::most_similar(std::span<const float> vector,
                                                        std::size_t count) const {
  const MatrixView<const float> texts = model_.vectors->texts.view();
  std::vector<double> cosines(texts.rows());
  kernels::dot_rows(vector.data(), 1, texts.data(), texts.rows(), texts.cols(), cosines.data(),
                    texts.rows());
  std::vector<SimilarText> similar;
  for (std::size_t i = 0; i < cosines.size(); ++i) {
    similar.push_back({.example = i, .similarity = cosines[i]});
  }
  std::ranges::stable_sort(similar, std::ranges::greater(), &SimilarText::similarity);
  similar.resize(std::min(count, similar.size()));
  return similar;
}

}  // namespace caos
