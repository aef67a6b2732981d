#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>

#include "caos/core/error.hpp"
#include "caos/core/rng.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/npy.hpp"
#include "options.hpp"
#include "program.hpp"

namespace caos::cli {
namespace {

struct Options {
  CommonOptions common;
  std::string out;
  std::size_t n = 100;
  std::size_t num_labels = 40;
  std::size_t num_test = 200;
  std::uint64_t seed = 0;
};

/// A toy landmark task. Every image has one descriptor per patch; the landmark lies in one of them.
/// Its descriptor depends on the kind of person in the image, so that a reference serves well only
/// for images of its own kind; all other patches look like themselves in every image.
class ToyTask {
 public:
  ToyTask(std::size_t num_patches, std::uint64_t seed) : rng_(seed), patches_(num_patches) {
    const Descriptor typical = draw(1.0);
    for (Descriptor& kind : landmark_) kind = sum(typical, draw(0.5));
    for (Descriptor& patch : patches_) patch = draw(1.0);
  }

  static constexpr std::size_t dimension = 8;
  using Descriptor = std::array<double, dimension>;

  struct Image {
    std::vector<Descriptor> patches;
    std::size_t landmark;
  };

  Image draw_image() {
    Image image{patches_, rng_.below(patches_.size())};
    image.patches[image.landmark] = landmark_[rng_.below(landmark_.size())];
    for (Descriptor& patch : image.patches) patch = sum(patch, draw(0.6));
    return image;
  }

 private:
  static Descriptor sum(Descriptor a, const Descriptor& b) {
    for (std::size_t d = 0; d < dimension; ++d) a[d] += b[d];
    return a;
  }

  /// Nearly normal, by additions alone: the same bits everywhere.
  double bell() { return rng_.uniform() + rng_.uniform() + rng_.uniform() + rng_.uniform() - 2.0; }

  Descriptor draw(double scale) {
    Descriptor descriptor;
    for (double& value : descriptor) value = scale * bell();
    return descriptor;
  }

  Rng rng_;
  std::array<Descriptor, 4> landmark_{};
  std::vector<Descriptor> patches_;
};

/// Squared distance: symmetric, like the cosine distance of real descriptors.
double score(const ToyTask::Descriptor& a, const ToyTask::Descriptor& b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

using Images = std::vector<ToyTask::Image>;

Images draw_images(ToyTask& task, std::size_t count) {
  Images images;
  for (std::size_t i = 0; i < count; ++i) images.push_back(task.draw_image());
  return images;
}

/// The score of every patch of every image under every reference.
std::vector<float> all_scores(const Images& images, const Images& references) {
  std::vector<float> scores;
  for (const ToyTask::Image& image : images) {
    for (const ToyTask::Descriptor& patch : image.patches) {
      for (const ToyTask::Image& reference : references) {
        scores.push_back(static_cast<float>(score(patch, reference.patches[reference.landmark])));
      }
    }
  }
  return scores;
}

/// Where the arrays of one set of images go.
struct Files {
  std::filesystem::path scores;
  std::filesystem::path labels;
};

void write_images(const Files& files, const Images& images, const Images& references) {
  std::vector<std::int64_t> labels;
  for (const ToyTask::Image& image : images) {
    labels.push_back(static_cast<std::int64_t>(image.landmark));
  }
  io::write_npy(files.labels, {labels.size()}, labels);
  io::write_npy(files.scores, {images.size(), references.front().patches.size(), references.size()},
                all_scores(images, references));
}

void check_size(const Options& options) {
  constexpr double most_scores = 1e9;
  const auto scores_per_example =
      static_cast<double>(options.n) * static_cast<double>(options.num_labels);
  const auto examples = static_cast<double>(options.n) + static_cast<double>(options.num_test);
  require(scores_per_example * examples <= most_scores, ErrorKind::invalid_input,
          "that toy task would have more than 10^9 scores; ask for fewer examples or labels");
}

Json to_json(const Options& options) {
  return {{"folder", options.out},
          {"files", {"labeled.npy", "labels.npy", "test.npy", "test-labels.npy"}},
          {"symmetric", true}};
}

std::string to_text(const Options& options) {
  return fmt::format(
      "{}: labeled.npy, labels.npy, test.npy, test-labels.npy ({} labelled and {} test examples, {} "
      "labels, symmetric scores)\n",
      options.out, options.n, options.num_test, options.num_labels);
}

void run(const Options& options) {
  check_size(options);
  io::make_folder(options.out);
  const std::filesystem::path folder = options.out;
  ToyTask task(options.num_labels, options.seed);
  const Images labeled = draw_images(task, options.n);
  const Images test = draw_images(task, options.num_test);
  write_images({folder / "labeled.npy", folder / "labels.npy"}, labeled, labeled);
  write_images({folder / "test.npy", folder / "test-labels.npy"}, test, labeled);
  print_result(options.common, options);
}

}  // namespace

void add_generate(CLI::App& app) {
  CLI::App& verb =
      *app.add_subcommand("generate", "Make up the scores of a toy task, to try things out");
  const auto options = std::make_shared<Options>();
  add_path(verb, "--out", options->out, "Folder for the arrays")->required()->type_name("DIR");
  add_whole_number(verb, "--n", options->n, "Labelled examples", 2);
  add_whole_number(verb, "--num-labels", options->num_labels, "Labels", 2);
  add_whole_number(verb, "--num-test", options->num_test, "Test examples");
  add_whole_number(verb, "--seed", options->seed, "Seed", 0);
  add_common_options(verb, options->common);
  verb.footer("Example:\n  caos generate --out example");
  verb.callback([options] { run(*options); });
}

}  // namespace caos::cli
