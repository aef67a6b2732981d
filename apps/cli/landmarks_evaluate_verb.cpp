#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "caos/core/error.hpp"
#include "caos/engine/landmark_evaluation.hpp"
#include "caos/engine/patch_tasks.hpp"
#include "caos/io/embedding_file.hpp"
#include "caos/io/integers.hpp"
#include "caos/io/npy.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "landmark_output.hpp"
#include "options.hpp"
#include "program.hpp"
#include "progress_bar.hpp"

namespace caos::cli {
namespace {

struct Options {
  CommonOptions common;
  std::string embeddings;
  std::string labels;
  std::string test_embeddings;
  std::string test_labels;
  std::vector<std::string> alphas = {"0.05", "0.1", "0.2"};
  std::size_t k = 3;
  std::vector<std::string> methods = {"caos"};
  std::string score = "cosine";
  bool simultaneous = false;
  std::uint64_t seed = 0;
  bool clip_rank = false;
  std::string sets;
  std::size_t threads = 0;
};

Matrix<float> unit_image(const io::EmbeddingFile& file, std::size_t i) {
  return unit_rows(file.image(i).view(), fmt::format("{}: image {}", file.name(), i));
}

Matrix<std::int64_t> read_label_table(const std::string& path, std::size_t num_images) {
  Matrix<std::int64_t> labels = io::read_integer_table(path, "images x landmarks");
  require(labels.rows() == num_images, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has labels for {} images; the embeddings are of {}", path,
                       labels.rows(), num_images);
  });
  return labels;
}

LabeledPatches read_labeled(const Options& options) {
  const auto file = io::EmbeddingFile::open(options.embeddings);
  LabeledPatches labeled;
  labeled.labels = read_label_table(options.labels, file.num_images());
  for (std::size_t t = 0; t < labeled.labels.cols(); ++t) {
    labeled.tasks.push_back(fmt::format("{}", t));
  }
  for (std::size_t i = 0; i < file.num_images(); ++i) labeled.images.push_back(unit_image(file, i));
  return labeled;
}

std::vector<std::uint8_t> pack(const LandmarkEvaluation& evaluation, std::size_t num_patches) {
  const std::size_t row = (num_patches + 7) / 8;
  std::vector<std::uint8_t> bytes;
  for (const auto& images : evaluation.sets) {
    for (const auto& landmarks : images) {
      for (const PredictionSet& set : landmarks) {
        const std::size_t start = bytes.size();
        bytes.resize(start + row);
        for (const Label y : set) {
          bytes[start + y / 8] |= static_cast<std::uint8_t>(1U << (y % 8));
        }
      }
    }
  }
  return bytes;
}

void write_sets(const std::string& path, const LandmarkEvaluation& evaluation,
                std::size_t num_patches) {
  const std::size_t num_test = evaluation.sets.at(0).size();
  const std::size_t num_landmarks = num_test == 0 ? 0 : evaluation.sets[0][0].size();
  io::write_npy(path, {evaluation.sets.size(), num_test, num_landmarks, (num_patches + 7) / 8},
                pack(evaluation, num_patches));
}

std::vector<Method> parse_methods(const std::vector<std::string>& names) {
  std::vector<Method> methods;
  for (const std::string& name : names) {
    const Method method = parse_method(name);
    if (std::ranges::find(methods, method) == methods.end()) methods.push_back(method);
  }
  return methods;
}

/// The method whose sets are written: the first.
std::optional<Method> method_of_sets(const Options& options, const std::vector<Method>& methods) {
  if (options.sets.empty()) return std::nullopt;
  require(methods.at(0) == Method::caos || methods[0] == Method::full_caos,
          ErrorKind::invalid_input,
          "--sets writes the sets of the first of --methods, which must be caos or full-caos");
  return methods[0];
}

LandmarkEvaluateOptions engine_options(const Options& options) {
  LandmarkEvaluateOptions what;
  what.methods = parse_methods(options.methods);
  what.alphas = parse_alphas(options.alphas);
  what.k = options.k;
  what.simultaneous = options.simultaneous;
  what.score = parse_patch_score(options.score);
  what.rule = options.clip_rank ? RankRule::clip : RankRule::every_label;
  what.keep_sets = method_of_sets(options, what.methods);
  what.seed = options.seed;
  what.threads = options.threads;
  return what;
}

void run(const Options& options) {
  LandmarkEvaluateOptions what = engine_options(options);
  check_outputs({options.sets},
                {options.embeddings, options.labels, options.test_embeddings, options.test_labels});
  LabeledPatches labeled = read_labeled(options);
  const auto file = io::EmbeddingFile::open(options.test_embeddings);
  TestPatches test{.image = [&](std::size_t i) { return unit_image(file, i); },
                   .labels = read_label_table(options.test_labels, file.num_images())};
  what.partition = split::halve(labeled.size(), options.seed);
  ProgressBar bar(options.common, "evaluating");
  what.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  LandmarkOutput output{.num_labeled = labeled.size(),
                        .num_test = test.size(),
                        .landmarks = labeled.tasks,
                        .left_out = {},
                        .k = options.k,
                        .score = what.score};
  output.evaluation = evaluate_landmarks(labeled, test, what);
  bar.clear();
  if (!options.sets.empty()) write_sets(options.sets, output.evaluation, file.num_patches());
  print_result(options.common, output);
}

}  // namespace

void add_landmarks_evaluate(CLI::App& landmarks) {
  CLI::App& verb = *landmarks.add_subcommand("evaluate", "Coverage and set sizes of every method");
  const auto options = std::make_shared<Options>();
  add_path(verb, "--embeddings", options->embeddings,
           "Patch embeddings of the labelled images, .npy [images, patches, D]");
  add_path(verb, "--labels", options->labels,
           "Their patches that hold the landmarks, .npy [images, landmarks]; -1 is missing");
  add_path(verb, "--test-embeddings", options->test_embeddings, "The same of the test images");
  add_path(verb, "--test-labels", options->test_labels, "Their patches that hold the landmarks");
  verb.add_option("--alpha", options->alphas, "Accepted miscoverage, one or more decimals")
      ->delimiter(',')
      ->type_name("A,...")
      ->default_str("0.05,0.1,0.2");
  add_k(verb, options->k);
  verb.add_option("--methods", options->methods, "Among caos, full-caos, scos, ...")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->default_str("caos");
  verb.add_option("--score", options->score, "cosine, margin[:weight] or softmax[:temperature]");
  verb.add_flag("--simultaneous", options->simultaneous, "Also one threshold for all landmarks");
  add_path(verb, "--sets", options->sets, "Write the sets of the first method, .npy of bits");
  add_whole_number(verb, "--seed", options->seed, "Seed of the random halving", 0);
  add_clip_rank(verb, options->clip_rank);
  add_threads(verb, options->threads);
  add_common_options(verb, options->common);
  verb.callback([options] { run(*options); });
}

}  // namespace caos::cli
