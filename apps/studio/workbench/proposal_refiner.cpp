#include "apps/studio/workbench/proposal_refiner.hpp"

#include <algorithm>

#include "caos/landmarks/cells/patch_of_cell.hpp"
#include "caos/landmarks/matching/fitting_place.hpp"
#include "caos/landmarks/predict_stream.hpp"
#include "caos/landmarks/refinement/correlation_map.hpp"

namespace caos::studio {
namespace {

/// Positions in patches become pixels of the working image; landmarks that are not calibrated are
/// left out.
Shape in_pixels(const Calibrated& calibrated, ImageKey key, double side) {
  Shape shape = calibrated.shapes.at(key);
  for (std::size_t t = 0; t < shape.size(); ++t) {
    if (calibrated.landmarks.calibration(t) == nullptr) shape[t].reset();
    if (shape[t]) shape[t] = vision::Point{shape[t]->x * side, shape[t]->y * side};
  }
  return shape;
}

void add_templates(const vision::GrayImage& gray, const Shape& shape,
                   Matrix<std::uint8_t>& templates) {
  for (const auto& point : shape) {
    templates.push_row(point ? template_at(gray, *point) : TemplatePixels{});
  }
}

bool has_pixels(const Embedding& image) { return image.gray && image.gray->rows() > 0; }

/// The patches that an image was embedded in, which its cells are parts of.
const vision::PatchGrid& patches_of(const Embedding& image) {
  return image.cells ? image.cells->patches : image.frame.grid;
}

/// The patch of a landmark that the image has.
Label patch_of(const KeyedImage& image, std::size_t landmark) {
  const auto label = static_cast<Label>(image.labels[landmark]);
  return image.cells ? patch_of_cell(image.grid, label, image.cells->patches) : label;
}

/// In pixels of the working image.
vision::Point point_in_label(const ProposedPlace& place, const Embedding& image) {
  const vision::PatchGrid& labels = image.frame.grid;
  const auto side = static_cast<double>(labels.patch_size);
  const vision::Point corner = labels.corner(place.label);
  return {corner.x + place.offset.x * side, corner.y + place.offset.y * side};
}

}  // namespace

vision::Point unrefined_point(const ProposedPlace& place, const Embedding& image) {
  return place.estimate ? point_of_estimate(*place.estimate, patches_of(image))
                        : point_in_label(place, image);
}

ProposalRefiner::ProposalRefiner(const Calibrated& calibrated,
                                 const std::function<Embedding(Id)>& embedding_of)
    : calibration_(calibrated.number) {
  LabeledTemplates labeled{.pixels = Matrix<std::uint8_t>(0, template_size)};
  for (const ImageKey key : calibrated.landmarks.keys()) {
    const Embedding embedding = embedding_of(key);
    if (!has_pixels(embedding)) return;
    labeled.patch_size = embedding.frame.grid.patch_size;
    labeled.points.push_back(in_pixels(calibrated, key, static_cast<double>(labeled.patch_size)));
    add_templates(*embedding.gray, labeled.points.back(), labeled.pixels);
    images_.push_back(calibrated.landmarks.image(key));
  }
  if (!images_.empty()) refiner_.emplace(std::move(labeled));
}

Indices ProposalRefiner::references(std::span<const Id> left_out) const {
  Indices references;
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const Shape& shape = refiner_->labeled().points[i];
    const bool refers = std::ranges::any_of(shape, [](const auto& at) { return at.has_value(); });
    const bool is_left_out = std::ranges::find(left_out, images_[i].key) != left_out.end();
    if (refers && !is_left_out) references.push_back(i);
  }
  return references;
}

std::vector<std::optional<vision::Point>> ProposalRefiner::refine(
    const Embedding& image, std::span<const std::optional<ProposedPlace>> places,
    std::span<const Id> left_out) const {
  if (!refiner_ || !has_pixels(image)) {
    return std::vector<std::optional<vision::Point>>(places.size());
  }
  const ImagePixels pixels{*image.gray, patches_of(image)};
  std::vector<std::optional<PatchProposal>> proposals;
  for (const auto& place : places) {
    std::optional<PatchProposal>& proposal = proposals.emplace_back();
    if (!place) continue;
    proposal = PatchProposal{
        .patch =
            image.cells ? patch_of_cell(image.frame.grid, place->label, pixels.grid) : place->label,
        .point = point_in_label(*place, image)};
  }
  const std::vector<Label> padding = image.cells ? patches_beyond(pixels) : padding_of(image.frame);
  const PatchEvidence evidence{
      .patches = image.patches->view(),
      .impossible = padding,
      .reference =
          [&](std::size_t i, std::size_t landmark) {
            return images_[i].patches->row(patch_of(images_[i], landmark)).data();
          },
      .references = references(left_out)};
  return refiner_->refine(pixels, proposals, evidence);
}

}  // namespace caos::studio
