#include "apps/studio/workbench/proposal_refiner.hpp"

#include <algorithm>

#include "caos/landmarks/predict_stream.hpp"
#include "caos/landmarks/refinement/correlation_map.hpp"
#include "caos/landmarks/refinement/refinement_start.hpp"

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

/// In pixels of the working image.
vision::Point point_in_label(const ProposedPlace& place, const Embedding& image) {
  const vision::PatchGrid& labels = image.frame.grid;
  const auto side = static_cast<double>(labels.patch_size);
  const vision::Point corner = labels.corner(place.label);
  return {corner.x + place.offset.x * side, corner.y + place.offset.y * side};
}

}  // namespace

vision::Point start_of(const ProposedPlace& place, const Embedding& image) {
  return place.estimate ? estimated_start(*place.estimate, patches_of(image))
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
  if (images_.empty()) return;
  if (images_.front().cells) add_cell_vectors(calibrated);
  refiner_.emplace(std::move(labeled));
}

void ProposalRefiner::add_cell_vectors(const Calibrated& calibrated) {
  const std::size_t dimension = images_.front().patches->cols();
  cell_vectors_ = Matrix<float>(0, dimension);
  const std::vector<float> none(dimension);
  for (const KeyedImage& image : images_) {
    for (std::size_t t = 0; t < image.labels.size(); ++t) {
      const bool has = image.labels[t] != missing_label;
      cell_vectors_.push_row(has ? calibrated.landmarks.reference(image.key, t).vector
                                 : std::span<const float>(none));
    }
  }
}

/// Of a landmark that the image has.
const float* ProposalRefiner::reference(std::size_t image, std::size_t landmark) const {
  const KeyedImage& labeled = images_[image];
  if (labeled.cells) return cell_vectors_.row(image * labeled.labels.size() + landmark).data();
  return labeled.patches->row(static_cast<std::size_t>(labeled.labels[landmark])).data();
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
    const vision::Point point = point_in_label(*place, image);
    proposal = PatchProposal{
        .patch = image.cells ? nearest_patch(pixels.grid, point) : place->label, .point = point};
    if (place->estimate) proposal->other = estimated_start(*place->estimate, pixels.grid);
  }
  const std::vector<Label> padding = image.cells ? patches_beyond(pixels) : padding_of(image.frame);
  PatchEvidence evidence{
      .patches = image.patches->view(),
      .impossible = padding,
      .reference = [&](std::size_t i, std::size_t landmark) { return reference(i, landmark); },
      .references = references(left_out)};
  std::optional<CellVectors> cells;
  if (image.cells) {
    const vision::PatchGrid& labels = image.frame.grid;
    cells.emplace(*image.cells, image.patches->view(), labels);
    evidence.at = [&](vision::Point point) { return cells->at(nearest_patch(labels, point)); };
  }
  return refiner_->refine(pixels, proposals, evidence);
}

}  // namespace caos::studio
