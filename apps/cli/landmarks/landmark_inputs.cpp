#include "apps/cli/landmarks/landmark_inputs.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "apps/cli/program.hpp"
#include "apps/cli/progress_bar.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/io/arrays/integers.hpp"
#include "caos/io/byte_size.hpp"
#include "caos/io/folder.hpp"
#include "caos/landmarks/embedding/annotation_check.hpp"
#include "caos/landmarks/embedding/shared_patch_source.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "caos/vision/backbones/onnx_config.hpp"

namespace caos::cli {
namespace {

double parse_number(const char* option, const std::string& text, double least, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good =
      error == std::errc() && end == text.data() + text.size() && value >= least && value <= most;
  require(good, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: '{}' must be a number from {} to {}", option, text, least, most);
  });
  return value;
}

std::optional<vision::LocationPrior> location_of(const EmbeddingOptions& options) {
  if (options.location_sigma.empty() && options.location_weight.empty()) return std::nullopt;
  vision::LocationPrior prior;
  if (!options.location_sigma.empty()) {
    prior.sigma = parse_number("--location-sigma", options.location_sigma, 1, 1e4);
  }
  if (!options.location_weight.empty()) {
    prior.weight = parse_number("--location-weight", options.location_weight, 0, 1);
  }
  return prior;
}

/// The user's folder for what can be computed again; empty where the system names none.
std::string user_cache() {
  if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder != '\0') {
    return std::string(folder) + "/caos/embeddings";
  }
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? std::string(home) + "/.cache/caos/embeddings" : "";
}

CacheFolder folder_of(const CacheOptions& options) {
  const std::uint64_t bytes = io::parse_byte_size(options.size, "--cache-size");
  if (options.none) return nullptr;
  return cache_folder(options.folder.empty() ? user_cache() : options.folder, bytes);
}

vision::Rotation rotation_of(const EmbeddingOptions& options) {
  return vision::parse_rotation(options.rotation);
}

/// Arrays are used as they are.
EmbeddingPrecision precision_of(const EmbeddingOptions& options) {
  const EmbeddingPrecision precision = parse_precision(options.precision);
  return is_embedding_file(options.backbone) ? EmbeddingPrecision::float32 : precision;
}

}  // namespace

void add_cache_options(Command& command, CacheOptions& options) {
  Option* cache = add_path(command, "--cache", options.folder, "Folder for cached embeddings")
                      ->type_name("DIR");
  command
      .add_option(
          "--cache-size", options.size,
          "Largest size of that folder, such as 500MB; the least recently used embeddings are "
          "deleted")
      ->capture_default_str()
      ->type_name("SIZE");
  command.add_flag("--no-cache", options.none, "Do not cache embeddings")->excludes(cache);
}

void add_embedding_options(Command& command, EmbeddingOptions& options) {
  command
      .add_option(
          "--backbone", options.backbone,
          "builtin-2, builtin (of version 0.1.0), onnx:FILE, or embeddings:FILE.npy with one row "
          "per image, sorted by name")
      ->offers({"builtin-2", "builtin", "onnx:", "embeddings:"})
      ->capture_default_str()
      ->type_name("NAME");
  command
      .add_option("--preset", options.preset,
                  "Settings of an ONNX model: dinov2-small, -base, -large, dinov3-small, "
                  "-base, -large; otherwise model.json beside it")
      ->offers({"dinov2-small", "dinov2-base", "dinov2-large", "dinov3-small", "dinov3-base",
                "dinov3-large"})
      ->type_name("NAME");
  command.add_option("--onnx-output", options.output, "Name of the ONNX model's output to use")
      ->type_name("NAME");
  add_path(command, "--onnxruntime", options.onnxruntime, "ONNX Runtime's library, if not found");
  command
      .add_option("--working-size", options.working_size,
                  "Longest side (512) or box (192x224) to which images are made smaller, or "
                  "original; images are never enlarged")
      ->offers({"original"})
      ->capture_default_str()
      ->type_name("SIZE");
  command
      .add_option("--precision", options.precision,
                  "Precision of embeddings: float16, or float32 as in version 0.1.0")
      ->offers({"float16", "float32"})
      ->capture_default_str()
      ->type_name("NAME");
  add_whole_number(command, "--patch-size", options.patch_size,
                   "Side of a patch in embeddings:FILE.npy");
  command
      .add_option(
          "--location-sigma", options.location_sigma,
          "For aligned images: width of the location prior in pixels (24 if only the weight is "
          "given)")
      ->type_name("S");
  command
      .add_option(
          "--location-weight", options.location_weight,
          "For aligned images: weight of the location in the similarity (0.25 if only the width is "
          "given)")
      ->type_name("W");
  command.add_flag("--ignore-orientation", options.ignore_orientation,
                   "Take JPEG files as stored, not as EXIF turns them");
  add_whole_number(command, "--max-megapixels", options.max_megapixels, "Refuse larger images");
  add_cache_options(command, options.cache);
}

void add_rotation_option(Command& command, EmbeddingOptions& options) {
  command
      .add_option("--rotation", options.rotation,
                  "How images may be rotated against each other: none, small (up to 30 degrees) or "
                  "any; labeled images are then references at several angles")
      ->offers({"none", "small", "any"})
      ->capture_default_str()
      ->type_name("HOW");
}

std::vector<std::string> backbone_files(const std::string& backbone) {
  const std::size_t colon = backbone.find(':');
  if (colon == std::string::npos) return {};
  const std::string model = backbone.substr(colon + 1);
  if (!backbone.starts_with("onnx:")) return {model};
  // Weights that do not fit into the model lie beside it, under one of these names as a rule.
  return {model, vision::onnx_config_file(model), model + ".data", model + "_data"};
}

std::vector<std::string> inputs_of(const EmbeddingOptions& options, const std::string& folder) {
  std::vector<std::string> files = backbone_files(options.backbone);
  files.push_back(options.onnxruntime);
  if (!io::is_folder(folder)) {
    files.push_back(folder);
    return files;
  }
  for (const std::string& name : io::files_in(folder)) files.push_back(folder + "/" + name);
  return files;
}

bool is_plain(const EmbeddingOptions& options) {
  const EmbeddingOptions plain;
  return options.backbone == plain.backbone && options.preset.empty() && options.output.empty() &&
         options.working_size == plain.working_size && options.precision == plain.precision &&
         options.location_sigma.empty() && options.location_weight.empty() &&
         options.patch_size == plain.patch_size && !options.ignore_orientation &&
         options.rotation == plain.rotation;
}

PatchSourceOptions source_options(const EmbeddingOptions& options, std::size_t threads) {
  const bool onnx = options.backbone.starts_with("onnx:");
  require(onnx || (options.preset.empty() && options.output.empty()), ErrorKind::invalid_input,
          "--preset and --onnx-output go with --backbone onnx:FILE");
  PatchSourceOptions source;
  source.backbone = options.backbone;
  source.backbone_options = {.preset = options.preset,
                             .output = options.output,
                             .library = options.onnxruntime,
                             .threads = threads};
  source.embed.decode.max_pixels = options.max_megapixels * 1'000'000;
  source.embed.decode.apply_orientation = !options.ignore_orientation;
  source.embed.working_size = vision::WorkingSize::parse(options.working_size);
  source.embed.precision = precision_of(options);
  source.embed.location = location_of(options);
  source.embed.cell = options.cell;
  source.embed.rotation = rotation_of(options);
  require(!source.embed.location || source.embed.rotation == vision::Rotation::none,
          ErrorKind::invalid_input,
          "--location-sigma and --location-weight are for aligned images, --rotation for others; "
          "leave one of them out");
  source.embed.cache = folder_of(options.cache);
  source.embed.threads = threads;
  source.patch_size = options.patch_size;
  return source;
}

EmbeddingRecord embedding_record(const EmbeddingOptions& options, const std::string& identity) {
  return {.backbone = options.backbone,
          .preset = options.preset,
          .output = options.output,
          .identity = identity,
          .working_size = options.working_size,
          .precision = precision_of(options),
          .patch_size = options.patch_size,
          .cell = options.cell,
          .apply_orientation = !options.ignore_orientation,
          .location = location_of(options),
          .rotation = rotation_of(options)};
}

void add_target(Command& command, std::string& target) {
  command
      .add_option("--target", target,
                  "Where subjects have several images, the guarantee is for a random image of "
                  "a new subject (subject) or of the pool (image)")
      ->offers({"subject", "image"})
      ->capture_default_str()
      ->type_name("NAME");
}

void warn_of_failed(const CommonOptions& common, const std::vector<FailedImage>& failed) {
  constexpr std::size_t most = 10;
  for (std::size_t i = 0; i < std::min(most, failed.size()); ++i) warn(common, failed[i].reason);
  if (failed.size() > most) {
    warn(common, fmt::format("... and {} more images could not be used", failed.size() - most));
  }
}

namespace {

std::unique_ptr<PatchSource> open_source(const PatchSourceOptions& options,
                                         const std::vector<std::string>& files,
                                         dist::Communicator* processes) {
  if (processes == nullptr || processes->size() == 1) return open_patch_source(options, files);
  return std::make_unique<SharedPatchSource>(*processes, options, files);
}

}  // namespace

void help_to_embed(const EmbeddingOptions& embedding, std::size_t threads,
                   dist::Communicator& processes) {
  SharedPatchSource(processes, source_options(embedding, threads), {}).serve();
}

namespace {

AnnotationOptions annotation_options(const AnnotationFileOptions& options) {
  using landmarks::Outside;
  return {
      .use_hidden = options.use_hidden,
      .outside = choose<Outside>("--outside", options.outside,
                                 {{"refuse", Outside::refuse}, {"missing", Outside::to_missing}}),
      .duplicates = choose<Duplicates>(
          "--duplicates", options.duplicates,
          {{"error", Duplicates::refuse}, {"keep-first", Duplicates::keep_first}})};
}

/// All of them: which of two labels was kept matters.
void warn_of_duplicates(const CommonOptions& common, const std::string& file,
                        const std::vector<DuplicateImage>& duplicates) {
  for (const DuplicateImage& image : duplicates) {
    warn(common, fmt::format("{}: '{}' is left out, as '{}' is the same image", file,
                             image.left_out, image.kept));
  }
}

/// A place counts only where images are aligned: then they have one grid of patches.
void check_equal_sizes(const AnnotatedImages& images) {
  for (std::size_t i = 1; i < images.size(); ++i) {
    const vision::Frame& first = images.frames[0];
    const vision::Frame& other = images.frames[i];
    const bool equal =
        first.grid.columns == other.grid.columns && first.grid.rows == other.grid.rows;
    require(equal, ErrorKind::invalid_input, [&] {
      return fmt::format(
          "--location-sigma and --location-weight need images of one size: '{}' has {} x {} "
          "pixels, '{}' has {} x {}; crop or scale the images to one size, or leave these options "
          "out",
          images.names[0], first.width, first.height, images.names[i], other.width, other.height);
    });
  }
}

}  // namespace

AnnotatedImages read_annotated(const CommonOptions& common,
                               const AnnotationFileOptions& annotations,
                               const EmbeddingOptions& embedding, const PatchScore& score,
                               std::size_t threads, dist::Communicator* processes) {
  AnnotationOptions what = annotation_options(annotations);
  what.keep_all_rotated = score.reads_positions();
  PatchSourceOptions options = source_options(embedding, threads);
  const landmarks::LandmarkTable table =
      read_table(common, annotations, file_options(annotations, !embedding.ignore_orientation));
  ProgressBar bar(common, "embedding");
  options.embed.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  const auto files = is_embedding_file(embedding.backbone) ? image_files(annotations.images)
                                                           : std::vector<std::string>();
  const auto source = open_source(options, files, processes);
  AnnotatedImages images =
      embed_annotated(*source, annotations.images, table, annotations.landmarks, what);
  bar.clear();
  require(images.size() > 0 || images.failed.empty(), ErrorKind::bad_format, [&] {
    return fmt::format("{}: no image could be used; the first: {}", annotations.images,
                       images.failed[0].reason);
  });
  if (options.embed.location) check_equal_sizes(images);
  warn_of_failed(common, images.failed);
  warn_of_duplicates(common, annotations.landmarks, images.duplicates);
  const auto doubt = warning_of(check_annotations(images), annotations.landmarks);
  if (doubt) {
    warn(common, *doubt + " (--tps-y, --csv-y); 'caos landmarks show' draws the landmarks as read");
  }
  return images;
}

Matrix<float> unit_image(const io::EmbeddingFile& file, std::size_t i) {
  return unit_rows(file.image(i), fmt::format("{}: image {}", file.name(), i));
}

Matrix<std::int64_t> read_label_table(const std::string& path,
                                      const io::EmbeddingFile& embeddings) {
  Matrix<std::int64_t> labels = io::read_integer_table(path, "images x landmarks");
  const std::vector<std::size_t> num_patches(embeddings.num_images(), embeddings.num_patches());
  check_patch_labels(labels, num_patches, path, embeddings.name());
  return labels;
}

LabeledPatches read_labeled_arrays(const std::string& embeddings, const std::string& labels,
                                   const GridOptions& layout, std::size_t threads) {
  const auto file = io::EmbeddingFile::open(embeddings);
  LabeledPatches labeled;
  labeled.labels = read_label_table(labels, file);
  labeled.tasks = numbered_names(labeled.labels.cols());
  if (const auto grid = parse_grid(layout.grid, file.num_patches())) {
    labeled.grids.assign(file.num_images(), *grid);
    if (!layout.positions.empty()) {
      labeled.offsets = read_positions(layout.positions, labeled.labels, *grid);
    }
  }
  labeled.images.resize(file.num_images());
  parallel_for(file.num_images(), 1, threads,
               [&](std::size_t i, std::size_t) { labeled.images[i] = unit_image(file, i); });
  return labeled;
}

void add_refine_option(Command& command, std::string& refine) {
  command
      .add_option(
          "--refine", refine,
          "Refine proposed points with the pixels around labeled landmarks (pixels), or not "
          "(none); regions do not change")
      ->offers({"pixels", "none"})
      ->capture_default_str()
      ->type_name("HOW");
}

bool parse_refine(const std::string& text) {
  require(text == "pixels" || text == "none", ErrorKind::invalid_input,
          [&] { return fmt::format("--refine {}: give pixels or none", text); });
  return text == "pixels";
}

}  // namespace caos::cli
