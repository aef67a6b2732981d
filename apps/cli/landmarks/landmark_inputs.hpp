#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/options.hpp"
#include "caos/dist/communicator.hpp"
#include "caos/error.hpp"
#include "caos/io/arrays/embedding_file.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/embedding/patch_source.hpp"
#include "caos/landmarks/formats/landmark_file.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/scorers/patch_score.hpp"
#include "caos/vision/drawing/marking.hpp"

namespace caos::cli {

/// Where embeddings are kept.
struct CacheOptions {
  std::string folder;  ///< empty: the user's own
  std::string size = "2GB";
  bool none = false;
};

void add_cache_options(Command& command, CacheOptions& options);

/// How image files become embeddings, as texts from the command line.
struct EmbeddingOptions {
  std::string backbone = default_backbone;
  std::string preset;
  std::string output;
  std::string onnxruntime;
  std::string working_size{vision::default_working_size};
  std::string precision = "float16";
  std::size_t patch_size = 16;
  std::optional<std::size_t> cell;  ///< as `ScoreOption::settle` says; nothing: patches
  std::string location_sigma;
  std::string location_weight;
  bool ignore_orientation = false;
  std::string rotation = "none";
  std::size_t max_megapixels = 200;
  CacheOptions cache;
};

void add_embedding_options(Command& command, EmbeddingOptions& options);

/// Adds --rotation, where images are labeled.
void add_rotation_option(Command& command, EmbeddingOptions& options);

/// Throws `invalid_input` for what can be found wrong before a file is opened.
[[nodiscard]] PatchSourceOptions source_options(const EmbeddingOptions& options,
                                                std::size_t threads);

/// The files of the backbone: its model and what lies beside it, where it has any.
[[nodiscard]] std::vector<std::string> backbone_files(const std::string& backbone);

/// Files that are read to embed images: the backbone's own, and those in the folder of the images.
/// No output may replace one.
[[nodiscard]] std::vector<std::string> inputs_of(const EmbeddingOptions& options,
                                                 const std::string& folder);

/// Whether nothing was said about them.
[[nodiscard]] bool is_plain(const EmbeddingOptions& options);

/// What a model remembers of them; `identity` is the backbone's.
[[nodiscard]] EmbeddingRecord embedding_record(const EmbeddingOptions& options,
                                               const std::string& identity);

/// The annotated images.
struct AnnotationFileOptions {
  std::string images;
  std::string landmarks;
  std::string format;
  std::string tps_y;
  std::string tps_curves = "skip";
  std::string csv_y = "top";
  std::string image_extension;
  std::string instances = "error";
  bool instance_subjects = false;
  std::string missing_images = "error";
  std::string outside = "refuse";
  std::string duplicates = "error";
  bool use_hidden = false;
};

/// The meaning of a word that an option was given; others are misuse.
template <typename T>
T choose(const char* option, const std::string& word,
         std::initializer_list<std::pair<const char*, T>> meanings) {
  std::string known;
  for (const auto& [name, meaning] : meanings) {
    if (word == name) return meaning;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw Error(ErrorKind::invalid_input,
              std::string(option) + ": '" + word + "' is not one of " + known);
}

/// What all formats may be told to read a file, wherever landmark files are read.
void add_reading_options(Command& command, AnnotationFileOptions& options);

/// The formats of landmark files, as options spell them.
[[nodiscard]] std::vector<std::string> landmark_formats();

void add_annotation_options(Command& command, AnnotationFileOptions& options);
/// Parts of them, for landmark files without images.
void add_landmark_format_options(Command& command, AnnotationFileOptions& options);
void add_use_hidden(Command& command, AnnotationFileOptions& options);

/// Adds --target, subject or image: which new image the guarantee is for where subjects have
/// several.
void add_target(Command& command, std::string& target);

[[nodiscard]] landmarks::FileOptions file_options(const AnnotationFileOptions& options,
                                                  bool apply_orientation);

/// Reads the landmark file, finds its images in their folder, and says what was decided.
[[nodiscard]] landmarks::LandmarkTable read_table(const CommonOptions& common,
                                                  const AnnotationFileOptions& options,
                                                  const landmarks::FileOptions& how);

/// Reads the landmark file and embeds its images, with a bar; warns of images that are left out.
/// Sizes of images, where the format needs them, are taken from the images themselves.
/// Of rotated images, the score decides what is kept.
/// With `processes`, it is for the first of them; they share the embedding, and the others
/// meanwhile `help_to_embed`.
[[nodiscard]] AnnotatedImages read_annotated(const CommonOptions& common,
                                             const AnnotationFileOptions& annotations,
                                             const EmbeddingOptions& embedding,
                                             const PatchScore& score, std::size_t threads,
                                             dist::Communicator* processes = nullptr);
void help_to_embed(const EmbeddingOptions& embedding, std::size_t threads,
                   dist::Communicator& processes);

/// Unit rows of image `i` in a file of embeddings.
[[nodiscard]] Matrix<float> unit_image(const io::EmbeddingFile& file, std::size_t i);

/// Labels [images, landmarks] of the images in a file of embeddings; patches of theirs, or missing.
[[nodiscard]] Matrix<std::int64_t> read_label_table(const std::string& path,
                                                    const io::EmbeddingFile& embeddings);

/// How the patches of arrays lie in their images.
struct GridOptions {
  std::string grid{};       ///< as in 12x14
  std::string positions{};  ///< file of the labeled images' landmarks in patches

  [[nodiscard]] bool is_plain() const { return grid.empty() && positions.empty(); }
};

void add_grid_options(Command& command, GridOptions& options);

/// From `12x14`, columns x rows, for images of so many patches; nothing from an empty text.
[[nodiscard]] std::optional<vision::PatchGrid> parse_grid(const std::string& text,
                                                          std::size_t num_patches);

/// Where in their patches landmarks lie, [images, landmarks], from positions in patches, [images,
/// landmarks, 2]. Throws `bad_format` for a position outside its patch; those of missing landmarks
/// are not looked at.
[[nodiscard]] Matrix<Offset> read_positions(const std::string& path,
                                            const Matrix<std::int64_t>& labels,
                                            const vision::PatchGrid& grid);

/// Embeddings [images, patches, D] and labels [images, landmarks]; landmarks are called by number.
[[nodiscard]] LabeledPatches read_labeled_arrays(const std::string& embeddings,
                                                 const std::string& labels,
                                                 const GridOptions& layout, std::size_t threads);

/// Adds --names, which says whether names are written beside landmarks in drawings.
void add_names_option(Command& command, std::string& names);
[[nodiscard]] vision::Labels parse_names(const std::string& text);

/// Adds --refine, which says how proposed points are refined.
void add_refine_option(Command& command, std::string& refine);
[[nodiscard]] bool parse_refine(const std::string& text);

/// One line per image that could not be used, as warnings; the first few and how many more.
void warn_of_failed(const CommonOptions& common, const std::vector<FailedImage>& failed);

}  // namespace caos::cli
