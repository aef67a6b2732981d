#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "apps/cli/landmarks/landmark_inputs.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/progress_bar.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "caos/error.hpp"
#include "caos/io/arrays/npy_header.hpp"
#include "caos/io/csv.hpp"
#include "caos/io/write_whole.hpp"

namespace caos::cli {
namespace {

struct LandmarksEmbedCommandOptions {
  CommonOptions common;
  std::string images;
  EmbeddingOptions embedding;
  std::string out;
  std::string names;
  std::size_t threads = 0;
};

/// Embeddings on their way into an .npy file: the number of images is known last.
class EmbeddingWriter {
 public:
  explicit EmbeddingWriter(io::Sink& sink) : sink_(sink) {}

  void add(const EmbeddedImage& image, const std::string& file) {
    const auto view = image.patches.view();
    if (num_images_ == 0) {
      patches_ = view.rows();
      dimension_ = view.cols();
      sink_.write(header());
    }
    require(view.rows() == patches_ && view.cols() == dimension_, ErrorKind::invalid_input, [&] {
      return fmt::format(
          "{}: has {} patches and images before it {}; give --working-size WIDTHxHEIGHT, so that "
          "all images share one grid",
          file, view.rows(), patches_);
    });
    sink_.write(std::as_bytes(std::span(view.data(), view.rows() * view.cols())));
    ++num_images_;
  }

  void finish() { sink_.write_at_start(header()); }

  [[nodiscard]] std::size_t num_images() const { return num_images_; }
  [[nodiscard]] io::Shape shape() const { return {num_images_, patches_, dimension_}; }

 private:
  [[nodiscard]] std::string header() const { return io::format_npy_header("<f4", shape()); }

  io::Sink& sink_;
  std::size_t num_images_ = 0;
  std::size_t patches_ = 0;
  std::size_t dimension_ = 0;
};

struct LandmarksEmbedOutput {
  std::string file;
  io::Shape shape;
  EmbeddingRecord embedding;
  std::vector<std::string> images;
  std::vector<FailedImage> failed;
};

Json to_json(const LandmarksEmbedOutput& output) {
  Json failed = Json::array();
  for (const FailedImage& image : output.failed) failed.push_back(image.reason);
  return {{"file", output.file},
          {"shape", output.shape},
          {"backbone", output.embedding.identity},
          {"working_size", output.embedding.working_size},
          {"precision", precision_name(output.embedding.precision)},
          {"images", output.images},
          {"failed", std::move(failed)}};
}

std::string to_text(const LandmarksEmbedOutput& output) {
  return fmt::format("{}: {} images of {} patches, {} numbers each ({}; {}){}\n", output.file,
                     output.shape[0], output.shape[1], output.shape[2], output.embedding.identity,
                     size_and_precision(output.embedding),
                     output.failed.empty()
                         ? ""
                         : fmt::format("; {} images could not be used", output.failed.size()));
}

void write_names(const std::string& path, const std::vector<std::string>& images) {
  io::write_whole(path, [&](io::Sink& sink) {
    sink.write("row,image\n");
    for (std::size_t i = 0; i < images.size(); ++i) {
      sink.write(io::csv_row(std::vector<std::string>{fmt::format("{}", i), images[i]}));
    }
  });
}

void run(const LandmarksEmbedCommandOptions& options) {
  PatchSourceOptions source_of = source_options(options.embedding, options.threads);
  require(!is_embedding_file(options.embedding.backbone), ErrorKind::invalid_input,
          "landmarks embed computes embeddings; give builtin-2, builtin or onnx:FILE");
  check_outputs({options.out, options.names}, inputs_of(options.embedding, options.images));
  const std::vector<std::string> files = image_files(options.images);
  Manifest manifest(options.common, {.inputs = backbone_files(options.embedding.backbone),
                                     .outputs = {options.out, options.names}});
  manifest.add_inputs(files);
  ProgressBar bar(options.common, "embedding");
  source_of.embed.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  const auto source = open_patch_source(source_of, files);
  LandmarksEmbedOutput output{.file = options.out,
                              .shape = {},
                              .embedding = embedding_record(options.embedding, source->identity()),
                              .images = {},
                              .failed = {}};
  io::write_whole(options.out, [&](io::Sink& sink) {
    EmbeddingWriter writer(sink);
    const auto add = [&](EmbeddedImage&& image) {
      writer.add(image, files[image.index]);
      output.images.push_back(std::filesystem::path(files[image.index]).filename().string());
    };
    output.failed = source->stream(files, in_order(add));
    bar.clear();
    require(writer.num_images() > 0, ErrorKind::bad_format, [&] {
      return fmt::format("{}: no image could be used; the first: {}", options.images,
                         output.failed.at(0).reason);
    });
    writer.finish();
    output.shape = writer.shape();
  });
  warn_of_failed(options.common, output.failed);
  if (!options.names.empty()) write_names(options.names, output.images);
  print_result(options.common, output);
  manifest.set_backbone(output.embedding);
  manifest.write();
}

}  // namespace

void add_landmarks_embed(Command& landmarks) {
  Command& command = landmarks.add_subcommand("embed", "Patch embeddings of image files");
  const auto options = std::make_shared<LandmarksEmbedCommandOptions>();
  add_path(command, "images", options->images, "A folder of images, or one image")
      ->required()
      ->type_name("");
  add_output(command, options->out,
             "Where to write the embeddings, .npy [images, patches, D], one row per readable image")
      ->required();
  add_path(command, "--names", options->names, "Write the image of each row (CSV)");
  add_embedding_options(command, options->embedding);
  add_threads(command, options->threads);
  add_result_options(command, options->common);
  command.footer(
      "Example (after 'caos landmarks synthesize -o faces'):\n"
      "  caos landmarks embed faces/labeled -o embeddings.npy");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
