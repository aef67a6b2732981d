#include "caos/evaluation/synthetic_task.hpp"

namespace caos {
namespace {

using Descriptor = ToyTask::Descriptor;

Descriptor sum(Descriptor a, const Descriptor& b) {
  for (std::size_t d = 0; d < a.size(); ++d) a[d] += b[d];
  return a;
}

double squared_distance(const Descriptor& a, const Descriptor& b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

}  // namespace

ToyTask::ToyTask(std::size_t num_patches, std::uint64_t seed) : rng_(seed), patches_(num_patches) {
  const Descriptor typical = draw(1.0);
  for (Descriptor& kind : landmark_) kind = sum(typical, draw(0.5));
  for (Descriptor& patch : patches_) patch = draw(1.0);
}

std::vector<ToyTask::Image> ToyTask::draw_images(std::size_t count) {
  std::vector<Image> images;
  for (std::size_t i = 0; i < count; ++i) images.push_back(draw_image());
  return images;
}

ToyTask::Image ToyTask::draw_image() {
  Image image{patches_, rng_.below(patches_.size())};
  image.patches[image.landmark] = landmark_[rng_.below(landmark_.size())];
  for (Descriptor& patch : image.patches) patch = sum(patch, draw(0.6));
  return image;
}

/// Nearly normal, by additions alone: the same bits everywhere.
double ToyTask::bell() {
  return rng_.uniform() + rng_.uniform() + rng_.uniform() + rng_.uniform() - 2.0;
}

ToyTask::Descriptor ToyTask::draw(double scale) {
  Descriptor descriptor;
  for (double& value : descriptor) value = scale * bell();
  return descriptor;
}

std::vector<float> toy_scores(std::span<const ToyTask::Image> images,
                              std::span<const ToyTask::Image> references) {
  std::vector<float> scores;
  for (const ToyTask::Image& image : images) {
    for (const Descriptor& patch : image.patches) {
      for (const ToyTask::Image& reference : references) {
        scores.push_back(
            static_cast<float>(squared_distance(patch, reference.patches[reference.landmark])));
      }
    }
  }
  return scores;
}

std::vector<Label> toy_labels(std::span<const ToyTask::Image> images) {
  std::vector<Label> labels;
  for (const ToyTask::Image& image : images) labels.push_back(image.landmark);
  return labels;
}

}  // namespace caos
