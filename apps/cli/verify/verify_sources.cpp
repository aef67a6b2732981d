#include "apps/cli/verify/verify_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apps/cli/progress_bar.hpp"
#include "caos/classification/vector_methods.hpp"
#include "caos/classification/vote_scores.hpp"
#include "caos/core/random_use.hpp"
#include "caos/error.hpp"
#include "caos/evaluation/synthetic_task.hpp"
#include "caos/io/arrays/score_file.hpp"
#include "caos/verify/landmark_verification.hpp"
#include "caos/verify/score_verification.hpp"
#include "caos/verify/synthetic_patches.hpp"
#include "caos/verify/vector_verification.hpp"

namespace caos::cli {
namespace {

// Synthetic tasks, where no data is given.
constexpr std::size_t toy_examples = 80;
constexpr std::size_t toy_patches = 20;
constexpr std::size_t synthetic_faces = 60;

constexpr double most_vote_bytes = 1e9;

std::vector<Method> methods_of(const VerifyCommandOptions& options) {
  return has_vectors(options) ? parse_vector_methods(options.methods)
                              : parse_methods(options.methods);
}

VerifyOptions engine_options(const VerifyCommandOptions& options, std::size_t default_splits,
                             ProgressBar& bar) {
  VerifyOptions what;
  what.methods = methods_of(options);
  what.alphas = parse_alphas(options.alphas);
  what.k = options.k;
  what.splits = options.splits > 0 ? options.splits : default_splits;
  what.test_size = options.test_size;
  what.seed = options.seed;
  what.threads = options.threads;
  what.progress = [&bar](std::size_t done, std::size_t total) { bar.show(done, total); };
  return what;
}

Verification verify(const VerifyCommandOptions& options, const ScoreExamples& examples) {
  ProgressBar bar(options.common, "splitting scores");
  return verify_scores(examples, engine_options(options, splits_of_scores, bar));
}

Verification verify(const VerifyCommandOptions& options, const LabeledPatches& images,
                    const std::string& backbone) {
  ProgressBar bar(options.common, "splitting images");
  const PatchScore score = options.score.parse(backbone);
  require(!score.reads_positions(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "--score {}: verify also checks full-caos, which is not available with this score; choose "
        "cosine, margin or softmax",
        patch_score_text(score));
  });
  return verify_landmarks(images, score, engine_options(options, splits_of_images, bar));
}

// Where examples come from.

Verification verify_toy(const VerifyCommandOptions& options) {
  // Splits use the seed itself: examples need another.
  const std::uint64_t seed =
      stream_for(RandomUse::generated_examples, options.seed).below(1'000'000);
  ToyTask task(toy_patches, seed);
  const std::vector<ToyTask::Image> images = task.draw_images(toy_examples);
  const std::vector<float> scores = toy_scores(images, images);
  ScoreExamples examples;
  examples.scores.rows =
      MatrixView<const float>(scores.data(), toy_examples * toy_patches, toy_examples);
  examples.scores.num_labels = toy_patches;
  examples.scores.name = "synthetic scores";
  examples.labels = toy_labels(images);
  examples.symmetric = true;
  Verification part = verify(options, examples);
  part.source = fmt::format("synthetic, as by 'caos generate --n {} --num-labels {} --seed {}'",
                            toy_examples, toy_patches, seed);
  return part;
}

Verification verify_synthetic_faces(const VerifyCommandOptions& options) {
  Verification part = verify(options, drawn_patches(synthetic_faces, options.seed, options.threads),
                             default_backbone);
  part.source = fmt::format("synthetic, as by 'caos landmarks synthesize --n {} --seed {}'",
                            synthetic_faces, options.seed);
  return part;
}

Verification verify_arrays(const VerifyCommandOptions& options) {
  const io::ScoreTensorFile file = io::open_tensor(options.labeled);
  ScoreExamples examples;
  examples.scores = file.tensor();
  check_labeled(examples.scores);
  examples.labels =
      read_labels(options.labels, examples.scores.num_inputs(), examples.scores.num_labels);
  std::optional<io::ScoreTensorFile> reverse;
  if (!options.reverse.reverse.empty()) {
    reverse = io::open_tensor(options.reverse.reverse);
    examples.reverse = reverse->tensor();
  }
  examples.symmetric = options.reverse.symmetric;
  Verification part = verify(options, examples);
  file.require_unchanged();
  if (reverse) reverse->require_unchanged();
  part.source = options.labeled;
  return part;
}

Verification verify_images(const VerifyCommandOptions& options, Manifest& manifest) {
  const AnnotatedImages images =
      read_annotated(options.common, options.annotations, options.embedding,
                     options.score.parse(options.embedding.backbone), options.threads);
  Verification part = verify(options, images.patches, options.embedding.backbone);
  part.source = fmt::format("{} with {}, backbone {}", options.annotations.images,
                            options.annotations.landmarks, options.embedding.backbone);
  manifest.add_inputs(backbone_files(options.embedding.backbone));
  manifest.add_inputs(images.files);
  manifest.set_backbone(embedding_record(options.embedding, images.identity));
  return part;
}

/// Every text with every label as the reference: what Full CAOS asks for in any split.
Matrix<Score> all_reverse_scores(const ReverseScorer& scorer, const LabeledTable& table) {
  std::vector<Candidate> candidates;
  Indices all;
  for (std::size_t t = 0; t < table.size(); ++t) {
    all.push_back(t);
    for (Label y = 0; y < table.labels.size(); ++y) candidates.push_back({.text = t, .label = y});
  }
  return scorer(candidates, all);
}

Verification verify_texts(const VerifyCommandOptions& options, Manifest& manifest) {
  const LabeledTable table = read_labeled_table(options.common, options.train);
  check_enough_texts(table.name, table.size(), options.k + 1);
  ScoringOptions scoring = options.scoring;
  scoring.threads = options.threads;
  TableScores scores(options.common, scoring, options.reverse.reverse, table);
  ScoreExamples examples{.scores = scores.tensor(), .labels = table.example_labels()};
  Matrix<Score> reverse;
  if (asks_for_full(options)) {
    reverse = all_reverse_scores(scores.reverse(), table);
    examples.reverse = ScoreTensor{.rows = ScoreRows(std::as_const(reverse).view()),
                                   .num_labels = table.labels.size(),
                                   .name = "reverse scores"};
  }
  add_to(manifest, table, options.scoring, scores.report());  // which takes the bar off the screen
  Verification part = verify(options, examples);
  part.part = "texts";
  part.source = fmt::format("{}, model {}", options.train.train, options.scoring.model);
  return part;
}

/// Labeled vectors with all labels that occur, if none are named.
LabeledVectors read_vectors_to_verify(const VerifyCommandOptions& options) {
  const VectorExamples examples = read_examples(options.vectors);
  CommonOptions quiet = options.common;  // labels of tested examples occur, too: there is no risk
  quiet.quiet = true;
  return labeled_vectors(examples, read_label_source(quiet, options.vectors, examples.labels));
}

/// The paper's methods take the votes of single vectors, as arrays.
Verification verify_votes(const VerifyCommandOptions& options, const LabeledVectors& examples) {
  const classification::VoteArrays votes(examples, classifier_options(options.how, Method::caos));
  Verification part = verify(options, ScoreExamples{.scores = votes.scores(),
                                                    .labels = examples.labels,
                                                    .reverse = votes.reverse()});
  part.part = "votes of vectors";
  return part;
}

/// Full conformal prediction and, where their arrays are not too large, the paper's methods.
std::vector<Verification> verify_vector_parts(const VerifyCommandOptions& options) {
  const LabeledVectors examples = read_vectors_to_verify(options);
  const std::vector<Method> methods = methods_of(options);
  const auto asked = [&](bool full) {
    return methods.empty() || std::ranges::any_of(methods, [&](Method m) {
             return is_full_conformal_of_vectors(m) == full;
           });
  };
  std::vector<Verification> parts;
  if (asked(true)) {
    ProgressBar bar(options.common, "splitting vectors");
    parts.push_back(verify_vectors(examples, classifier_options(options.how, Method::full_ratio),
                                   engine_options(options, splits_of_scores, bar)));
  }
  const bool fits = classification::VoteArrays::bytes(examples) <= most_vote_bytes;
  if (asked(false) && (fits || !methods.empty())) {
    VerifyCommandOptions of_arrays = options;
    std::erase_if(of_arrays.methods, [](const std::string& name) {
      return is_full_conformal_of_vectors(classification::parse_vector_method(name));
    });
    parts.push_back(verify_votes(of_arrays, examples));
  } else if (!fits) {
    parts.back().notes.emplace_back(
        "The paper's methods are left out, as their arrays would be large; name them to see them.");
  }
  for (Verification& part : parts) part.source = options.vectors.train;
  return parts;
}

}  // namespace

bool has_arrays(const VerifyCommandOptions& options) {
  return !options.labeled.empty() || !options.labels.empty();
}

bool has_images(const VerifyCommandOptions& options) {
  return !options.annotations.images.empty() || !options.annotations.landmarks.empty();
}

bool has_texts(const VerifyCommandOptions& options) { return !options.train.train.empty(); }

bool has_vectors(const VerifyCommandOptions& options) { return !options.vectors.train.empty(); }

bool asks_for_full(const VerifyCommandOptions& options) {
  const std::vector<Method> methods = methods_of(options);
  return std::ranges::find(methods, Method::full_caos) != methods.end();
}

std::vector<Verification> verify_sources(const VerifyCommandOptions& options, Manifest& manifest) {
  if (has_arrays(options)) return {verify_arrays(options)};
  if (has_images(options)) return {verify_images(options, manifest)};
  if (has_texts(options)) return {verify_texts(options, manifest)};
  if (has_vectors(options)) return verify_vector_parts(options);
  return {verify_toy(options), verify_synthetic_faces(options)};
}

}  // namespace caos::cli
