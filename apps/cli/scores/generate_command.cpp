#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "caos/error.hpp"
#include "caos/evaluation/synthetic_task.hpp"
#include "caos/io/arrays/npy.hpp"
#include "caos/io/folder.hpp"

namespace caos::cli {
namespace {

struct GenerateCommandOptions {
  CommonOptions common;
  std::string out;
  std::size_t n = 100;
  std::size_t num_labels = 40;
  std::size_t num_test = 200;
  std::uint64_t seed = 0;
};

using Images = std::vector<ToyTask::Image>;

/// Where the arrays of one set of images go.
struct Files {
  std::filesystem::path scores;
  std::filesystem::path labels;
};

void write_images(const Files& files, const Images& images, const Images& references) {
  std::vector<std::int64_t> labels;
  for (const Label label : toy_labels(images)) labels.push_back(static_cast<std::int64_t>(label));
  io::write_npy(files.labels, {labels.size()}, labels);
  io::write_npy(files.scores, {images.size(), references.front().patches.size(), references.size()},
                toy_scores(images, references));
}

void check_size(const GenerateCommandOptions& options) {
  constexpr double most_scores = 1e9;
  const auto scores_per_example =
      static_cast<double>(options.n) * static_cast<double>(options.num_labels);
  const auto examples = static_cast<double>(options.n) + static_cast<double>(options.num_test);
  require(scores_per_example * examples <= most_scores, ErrorKind::invalid_input,
          "the synthetic task would have more than 10^9 scores; give fewer examples or labels");
}

Json to_json(const GenerateCommandOptions& options) {
  return {{"folder", options.out},
          {"files", {"labeled.npy", "labels.npy", "test.npy", "test-labels.npy"}},
          {"symmetric", true}};
}

std::string to_text(const GenerateCommandOptions& options) {
  return fmt::format(
      "{}: labeled.npy, labels.npy, test.npy, test-labels.npy ({} labeled and {} test examples, {} "
      "labels, symmetric scores)\n",
      options.out, options.n, options.num_test, options.num_labels);
}

void run(const GenerateCommandOptions& options) {
  check_size(options);
  Manifest manifest(options.common, {.folder = options.out});
  io::make_folder(options.out);
  const std::filesystem::path folder = options.out;
  ToyTask task(options.num_labels, options.seed);
  const Images labeled = task.draw_images(options.n);
  const Images test = task.draw_images(options.num_test);
  write_images({folder / "labeled.npy", folder / "labels.npy"}, labeled, labeled);
  write_images({folder / "test.npy", folder / "test-labels.npy"}, test, labeled);
  print_result(options.common, options);
  for (const char* name : {"labeled.npy", "labels.npy", "test.npy", "test-labels.npy"}) {
    manifest.add_outputs({(folder / name).string()});
  }
  manifest.write();
}

}  // namespace

void add_generate(Command& app) {
  Command& command = app.add_subcommand("generate", "Generate the scores of a synthetic task");
  const auto options = std::make_shared<GenerateCommandOptions>();
  add_output(command, options->out, "Folder for the arrays")->required()->type_name("DIR");
  add_whole_number(command, "--n", options->n, "Labeled examples", 2);
  add_whole_number(command, "--num-labels", options->num_labels, "Labels", 2);
  add_whole_number(command, "--num-test", options->num_test, "Test examples");
  add_whole_number(command, "--seed", options->seed, "Seed", 0);
  add_result_options(command, options->common);
  command.footer("Example:\n  caos generate -o example");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
