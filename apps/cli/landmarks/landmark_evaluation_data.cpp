#include "apps/cli/landmarks/landmark_evaluation_data.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/landmarks/split_file.hpp"
#include "caos/error.hpp"
#include "caos/io/arrays/embedding_file.hpp"
#include "caos/landmarks/embedding/patch_exchange.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"

namespace caos::cli {
namespace {

/// The number of patches of every test image; 0 where they differ.
std::size_t common_size(const AnnotatedImages& images, const Indices& test) {
  const std::size_t first = images.patches.num_labels(test.at(0));
  const bool same = std::ranges::all_of(
      test, [&](std::size_t i) { return images.patches.num_labels(i) == first; });
  return same ? first : 0;
}

/// Of one label in each of the images, in square pixels of the original.
std::vector<double> label_areas(const AnnotatedImages& images, const Indices& test) {
  std::vector<double> areas;
  for (const std::size_t i : test) {
    const vision::Frame& frame = images.frames[i];
    const auto side = static_cast<double>(frame.grid.patch_size);
    const vision::Point corner = frame.to_original({side, side});
    areas.push_back(corner.x * corner.y);
  }
  return areas;
}

/// The areas of labels of test images; none unless every one has a scale.
std::vector<double> in_square_millimeters(const LandmarkEvaluationData& data) {
  std::vector<double> areas;
  for (std::size_t x = 0; x < data.roles.test.size(); ++x) {
    const std::optional<double>& scale = data.image_units[data.roles.test[x]].millimeters;
    if (!scale) return {};
    areas.push_back(data.test.label_areas[x] * *scale * *scale);
  }
  return areas;
}

LandmarkSplit random_split(const AnnotatedImages& images, std::uint64_t seed, ImageTarget target) {
  const SplitSizes sizes = default_split_sizes(num_subjects(images.patches));
  return draw_landmark_split(images.patches, sizes, seed, target);
}

}  // namespace

LandmarkEvaluationData read_arrays(const LandmarksEvaluateCommandOptions& options) {
  LandmarkEvaluationData data;
  data.labeled =
      read_labeled_arrays(options.embeddings, options.labels, options.grid, options.threads);
  const std::size_t dimension = data.labeled.images.at(0).cols();
  const auto test =
      std::make_shared<io::EmbeddingFile>(io::EmbeddingFile::open(options.test_embeddings));
  require(test->dimension() == dimension, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has embeddings of dimension {}; {} has {}", options.test_embeddings,
                       test->dimension(), options.embeddings, dimension);
  });
  data.test.image = [test](std::size_t i) { return unit_image(*test, i); };
  data.test.travel = options.test_embeddings == "-";  // which the first process alone can read
  data.test.labels = read_label_table(options.test_labels, *test);
  require(data.test.labels.cols() == data.labeled.num_tasks(), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} landmarks; {} has {}", options.test_labels,
                       data.test.labels.cols(), options.labels, data.labeled.num_tasks());
  });
  data.num_patches = test->num_patches();
  data.test.num_patches.assign(data.test.size(), data.num_patches);
  if (const auto grid = parse_grid(options.grid.grid, test->num_patches())) {
    data.test.grids.assign(test->num_images(), *grid);
    if (!options.test_positions.empty()) {
      static_cast<void>(read_positions(options.test_positions, data.test.labels, *grid));
    }
  }
  return data;
}

LandmarkEvaluationData read_images(const LandmarksEvaluateCommandOptions& options,
                                   dist::Communicator& processes) {
  const auto images = std::make_shared<AnnotatedImages>(
      read_annotated(options.common, options.annotations, options.embedding,
                     options.score.parse(options.embedding.backbone), options.threads, &processes));
  const LandmarkSplit roles =
      options.split.empty() ? random_split(*images, options.seed, parse_target(options.target))
                            : read_split(options.split, *images);
  LandmarkEvaluationData data;
  data.labeled = select(images->patches, roles.labeled());
  data.labeled.subjects = subjects_of(images->patches, roles.labeled());
  data.test.subjects = subjects_of(images->patches, roles.test);
  data.partition = roles.partition();
  data.test.labels = select(images->patches.labels, roles.test);
  data.test.image = [images, test = roles.test](std::size_t x) {
    return images->patches.images[test[x]];
  };
  data.test.num_patches = patch_counts(images->patches, roles.test);
  data.test.label_areas = label_areas(*images, roles.test);
  data.test.grids = select(images->patches.grids, roles.test);
  if (images->patches.has_cells()) {
    data.test.cells = [images, test = roles.test](std::size_t x) {
      return images->patches.cells.sources[test[x]];
    };
  }
  data.test.travel = true;
  data.num_patches = common_size(*images, roles.test);
  data.embedding = embedding_record(options.embedding, images->identity);
  data.images = images;
  data.roles = roles;
  data.units = point_units(options.points, *images);
  data.image_units = image_units(*images, data.units);
  data.test.label_areas_mm2 = in_square_millimeters(data);
  return data;
}

}  // namespace caos::cli
