#include "apps/cli/landmarks/prediction/image_renderer.hpp"

#include <filesystem>
#include <utility>

#include "apps/cli/landmarks/prediction/prediction_target.hpp"
#include "caos/error.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/vision/codecs/encode.hpp"

namespace caos::cli {
namespace {

/// None or one, as a list that can be packed.
std::vector<double> listed(std::optional<double> value) {
  return value ? std::vector<double>{*value} : std::vector<double>{};
}

std::optional<double> first_of(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(values[0]);
}

}  // namespace

std::string ImageFile::name() const { return std::filesystem::path(path).filename().string(); }

void pack(dist::Packer& packer, const RenderedImage& image) {
  packer.put_text(image.text).put_text(image.summary.image);
  packer.put_all(std::span(image.summary.set_sizes)).put_all(std::span(image.drawing));
  packer.put_all(std::span(image.tile));
  packer.put_text(image.not_drawn).put(image.summary.conformity);
  packer.put_all(std::span(image.proposals.points));
  packer.put(image.summary.region_share).put(image.summary.region_area);
  const std::vector<double> square_millimeters = listed(image.summary.region_area_mm2);
  packer.put_all(std::span(square_millimeters));
  packer.put(image.proposals.width).put(image.proposals.height);
}

RenderedImage unpack_rendered(dist::Unpacker& unpacker) {
  RenderedImage image{.text = unpacker.get_text()};
  image.summary.image = unpacker.get_text();
  image.summary.set_sizes = unpacker.get_all<std::size_t>();
  image.drawing = unpacker.get_all<std::byte>();
  image.tile = unpacker.get_all<std::byte>();
  image.not_drawn = unpacker.get_text();
  image.summary.conformity = unpacker.get<ImageConformity>();
  image.proposals.points = unpacker.get_all<Proposal>();
  image.summary.region_share = unpacker.get<double>();
  image.summary.region_area = unpacker.get<double>();
  image.summary.region_area_mm2 = first_of(unpacker.get_all<double>());
  image.proposals.width = unpacker.get<std::size_t>();
  image.proposals.height = unpacker.get<std::size_t>();
  return image;
}

ImageRenderer::ImageRenderer(const LandmarkModel& model, const Options& options,
                             RemarksOf remarks_of)
    : model_(model),
      shapes_(model),
      options_(options),
      remarks_of_(std::move(remarks_of)),
      text_(model.labeled.tasks, model.images, options.csv) {}

RenderedImage ImageRenderer::render(EmbeddedImage&& image,
                                    std::vector<LandmarkPrediction>&& landmarks,
                                    const ImageFile& file) const {
  ImagePrediction prediction{.image = file.name(),
                             .frame = image.frame,
                             .scale = file.scale,
                             .landmarks = std::move(landmarks)};
  if (!remark_keys(model_, options_.csv).empty()) {
    prediction.remarks = remarks_of_(prediction.image);
  }
  RenderedImage result{.text = text_.of(prediction), .summary = ImageSummary(prediction, shapes_)};
  result.proposals = proposals_of(prediction.landmarks, prediction.frame);
  if (options_.draw) draw(file, std::move(image.picture), prediction, result);
  return result;
}

/// `picture` is absent where embeddings came from a file or the cache.
void ImageRenderer::draw(const ImageFile& file, std::optional<vision::Image> picture,
                         const ImagePrediction& prediction, RenderedImage& result) const {
  try {
    if (!picture) {
      const io::MappedFile bytes = io::MappedFile::read(file.path);
      picture = vision::decode_image(bytes.bytes(), file.path, options_.decode);
    }
    const std::vector<vision::Region> regions = regions_of(prediction, model_);
    result.drawing = vision::encode_jpeg(vision::draw_overlay(*picture, regions, options_.names));
    result.tile = vision::encode_jpeg(vision::draw_small_overlay(*picture, regions));
  } catch (const Error& error) {
    // Embeddings from a file do not need the image.
    if (error.kind() != ErrorKind::bad_format) throw;
    result.not_drawn = error.what();
  }
}

}  // namespace caos::cli
