#include "caos/text/text_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "caos/error.hpp"
#include "caos/evaluation/caos_sets.hpp"
#include "caos/evaluation/evaluation_warnings.hpp"
#include "caos/full.hpp"
#include "caos/numerics/check_scores.hpp"
#include "caos/predict.hpp"

namespace caos {
namespace {

// Checks.

void check_options(const TextPredictOptions& options, bool has_reverse) {
  check_predicts(options.method);
  require(options.method == Method::caos || has_reverse, ErrorKind::invalid_input,
          "full-caos needs the reverse scores of new texts, which only a language model gives");
}

void check_shape(const TextModel& model, std::size_t num_texts, MatrixView<const Score> scores) {
  const std::size_t num_labels = model.labels.size();
  const std::size_t n = model.examples.size();
  require(scores.rows() == num_texts * num_labels && scores.cols() == n, ErrorKind::invalid_input,
          [&] {
            return fmt::format(
                "the scores of {} texts are {} x {}; expected {} x {}: {} labels of each, under {} "
                "examples",
                num_texts, scores.rows(), scores.cols(), num_texts * num_labels, n, num_labels, n);
          });
}

void check_numbers(const TextModel& model, MatrixView<const Score> scores) {
  const std::size_t num_labels = model.labels.size();
  for (std::size_t r = 0; r < scores.rows(); ++r) {
    const auto row = scores.row(r);
    const auto bad = std::ranges::find_if_not(row, is_score);
    require(bad == row.end(), ErrorKind::bad_format, [&] {
      const auto example = static_cast<std::size_t>(bad - row.begin());
      return fmt::format(
          "text {} of {}, label '{}': the score under example '{}' is {}; scores must be numbers "
          "or +inf",
          r / num_labels + 1, scores.rows() / num_labels, model.labels[r % num_labels],
          model.ids[example], *bad);
    });
  }
}

// One text.

/// The k references that give the smallest scores; earlier ones first on ties.
std::vector<SupportingReference> supporting_references(std::span<const Score> pool, std::size_t k) {
  std::vector<SupportingReference> all(pool.size());
  for (std::size_t j = 0; j < pool.size(); ++j) all[j] = {.example = j, .score = pool[j]};
  const auto is_stronger = [](const SupportingReference& a, const SupportingReference& b) {
    return a.score != b.score ? a.score < b.score : a.example < b.example;
  };
  std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(k), is_stronger);
  all.resize(k);
  return all;
}

Label first_smallest(std::span<const Score> scores) {
  return static_cast<Label>(std::ranges::min_element(scores) - scores.begin());
}

std::vector<std::optional<double>> caos_p_values(const Calibration& calibration,
                                                 std::span<const Score> label_scores) {
  std::vector<std::optional<double>> result;
  for (Label y = 0; y < label_scores.size(); ++y) {
    const SortedScores& peers = calibration.peers(y, 0);
    result.push_back(p_value(peers.exceedances(label_scores[y]), peers.size()));
  }
  return result;
}

/// Predicts with CAOS, and says what Full CAOS would have to look at.
class Predictor {
 public:
  Predictor(const TextModel& model, const TextPredictOptions& options)
      : calibration_(model.calibration), alphas_(options.alphas) {
    for (Label y = 0; y < model.labels.size(); ++y) every_label_.push_back(y);
    if (!alphas_.empty()) sets_.emplace(calibration_, alphas_, options.rule);
  }

  [[nodiscard]] TextPrediction caos(MatrixView<const Score> pools) const {
    const std::vector<Score> scores = calibration_.label_scores(pools);
    TextPrediction result{.p_values = caos_p_values(calibration_, scores),
                          .point = first_smallest(scores)};
    if (sets_) result.sets = sets_->caos(scores);
    for (Label y = 0; y < scores.size(); ++y) {
      result.supporting_references.push_back(supporting_references(pools.row(y), calibration_.k()));
    }
    return result;
  }

  /// The labels that Full CAOS looks at: the CAOS set at the smallest alpha.
  [[nodiscard]] const PredictionSet& candidates(const TextPrediction& caos) const {
    if (alphas_.empty()) return every_label_;
    const auto smallest = std::ranges::min_element(alphas_) - alphas_.begin();
    return caos.sets[static_cast<std::size_t>(smallest)];
  }

  /// Replaces the sets and p-values of CAOS by those of Full CAOS. `reverse` has one row for each
  /// of the candidates.
  void make_full(MatrixView<const Score> pools, MatrixView<const Score> reverse,
                 TextPrediction& prediction) const {
    const PredictionSet looked_at = candidates(prediction);
    const std::vector<Score> scores = calibration_.label_scores(pools);
    // Full CAOS looks at the candidates alone.
    Matrix<Score> all(pools.rows(), pools.cols(), std::numeric_limits<Score>::infinity());
    for (std::size_t c = 0; c < looked_at.size(); ++c) {
      std::ranges::copy(reverse.row(c), all.row(looked_at[c]).begin());
    }
    const TestInput input{.pools = pools, .reverse = std::as_const(all).view()};
    prediction.p_values.assign(pools.rows(), std::nullopt);
    for (const Label y : looked_at) {
      const Exceedances e = full::exceedances(calibration_, input, y, scores[y]);
      prediction.p_values[y] = p_value(e, calibration_.peers(y, 0).size());
    }
    if (sets_) prediction.sets = sets_->full(scores, input);
  }

 private:
  const Calibration& calibration_;
  const std::vector<Miscoverage>& alphas_;
  PredictionSet every_label_;
  std::optional<CaosSets> sets_;  // nothing without alphas
};

// Full CAOS.

std::vector<Candidate> all_candidates(const Predictor& predictor,
                                      const std::vector<TextPrediction>& predictions) {
  std::vector<Candidate> candidates;
  for (std::size_t t = 0; t < predictions.size(); ++t) {
    for (const Label y : predictor.candidates(predictions[t])) {
      candidates.push_back({.text = t, .label = y});
    }
  }
  return candidates;
}

std::vector<text::LabeledText> references_of(std::span<const Candidate> candidates,
                                             std::span<const std::string> texts) {
  std::vector<text::LabeledText> references;
  for (const Candidate& candidate : candidates) {
    references.push_back({.text = texts[candidate.text], .label = candidate.label});
  }
  return references;
}

Matrix<Score> reverse_scores(const TextModel& model, std::span<const Candidate> candidates,
                             const ReverseTextScorer& reverse) {
  const std::size_t n = model.examples.size();
  if (candidates.empty()) return Matrix<Score>(0, n);
  Matrix<Score> scores = reverse(candidates);
  require(scores.rows() == candidates.size() && scores.cols() == n, ErrorKind::invalid_input, [&] {
    return fmt::format("reverse scores: are {} x {}; expected {} x {}, candidates x examples",
                       scores.rows(), scores.cols(), candidates.size(), n);
  });
  for (std::size_t c = 0; c < scores.rows(); ++c) {
    check_scores(scores.row(c),
                 fmt::format("reverse scores under candidate {} of {}, label '{}'", c + 1,
                             candidates.size(), model.labels[candidates[c].label]));
  }
  return scores;
}

}  // namespace

std::vector<TextPrediction> predict_texts(const TextModel& model,
                                          std::span<const std::string> texts,
                                          MatrixView<const Score> scores,
                                          const TextPredictOptions& options,
                                          const ReverseTextScorer& reverse) {
  check_options(options, static_cast<bool>(reverse));
  check_shape(model, texts.size(), scores);
  check_numbers(model, scores);
  const std::size_t num_labels = model.labels.size();
  const Predictor predictor(model, options);
  std::vector<TextPrediction> predictions;
  for (std::size_t t = 0; t < texts.size(); ++t) {
    predictions.push_back(predictor.caos(scores.rows_from(t * num_labels, num_labels)));
  }
  if (options.method == Method::caos) return predictions;

  const auto candidates = all_candidates(predictor, predictions);
  const Matrix<Score> reversed = reverse_scores(model, candidates, reverse);
  std::size_t first = 0;
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const std::size_t count = predictor.candidates(predictions[t]).size();
    predictor.make_full(scores.rows_from(t * num_labels, num_labels),
                        reversed.view().rows_from(first, count), predictions[t]);
    first += count;
  }
  return predictions;
}

std::vector<TextPrediction> predict_texts(const TextModel& model, TextSession& session,
                                          std::span<const std::string> texts,
                                          const TextPredictOptions& options) {
  std::vector<TextPrediction> predictions;
  for (std::size_t first = 0; first < texts.size(); first += text_block) {
    const auto block = texts.subspan(first, std::min(text_block, texts.size() - first));
    const auto reverse = [&](std::span<const Candidate> candidates) {
      return session.score_own(references_of(candidates, block), model.examples);
    };
    const Matrix<Score> scores = session.score(model.examples, block);
    std::ranges::move(predict_texts(model, block, scores.view(), options, reverse),
                      std::back_inserter(predictions));
  }
  return predictions;
}

Guarantee guarantee_of(const TextModel& model) {
  Guarantee guarantee = guarantee_of(model.vectors ? Method::full_kernel : Method::caos,
                                     model.calibration.grouping().kind());
  guarantee.listed_labels_only = model.labels_from_train;
  return guarantee;
}

Guarantee guarantee_of(const TextModel& model, const TextPredictOptions& options,
                       const Miscoverage& alpha) {
  Guarantee guarantee = guarantee_of(options.method, model.calibration.grouping().kind(),
                                     model.calibration.clips_rank(alpha, options.rule));
  guarantee.listed_labels_only = model.labels_from_train;
  return guarantee;
}

std::optional<std::string> feasibility_warning(const TextModel& model,
                                               const TextPredictOptions& options,
                                               const Miscoverage& alpha) {
  if (model.calibration.is_feasible(alpha)) return std::nullopt;
  return warning_text({.alpha = alpha,
                       .count = model.calibration.size(),
                       .grouped = model.calibration.grouping().kind() != Grouping::Kind::none,
                       .rule = options.rule,
                       .examples = "texts",
                       .where = "of each label"});
}

}  // namespace caos
