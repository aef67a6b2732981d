#include "landmark_prediction_file.hpp"

#include <fmt/format.h>

#include <utility>

namespace caos::cli {

PredictionSummary::PredictionSummary(std::string out, std::string what,
                                     std::vector<std::string> names)
    : file(std::move(out)),
      guarantee(std::move(what)),
      landmarks(std::move(names)),
      total_size(landmarks.size()) {}

ImageSummary::ImageSummary(const ImagePrediction& prediction) : image(prediction.image) {
  for (const LandmarkPrediction& one : prediction.landmarks) set_sizes.push_back(one.set.size());
}

void PredictionSummary::add(const ImageSummary& image) {
  double total = 0;
  for (std::size_t t = 0; t < image.set_sizes.size(); ++t) {
    total_size[t] += static_cast<double>(image.set_sizes[t]);
    total += static_cast<double>(image.set_sizes[t]);
  }
  ++num_images;
  const double mean = total / static_cast<double>(image.set_sizes.size());
  if (mean <= largest_mean) return;
  largest_mean = mean;
  largest_image = image.image;
}

double PredictionSummary::mean_size(std::size_t landmark) const {
  return total_size[landmark] / static_cast<double>(num_images);
}

double PredictionSummary::mean_size() const {
  double total = 0;
  for (std::size_t t = 0; t < landmarks.size(); ++t) total += mean_size(t);
  return total / static_cast<double>(landmarks.size());
}

Json to_json(const PredictionSummary& summary) {
  Json landmarks = Json::array();
  for (std::size_t t = 0; t < summary.landmarks.size(); ++t) {
    landmarks.push_back(
        {{"landmark", summary.landmarks[t]}, {"mean_set_size", summary.mean_size(t)}});
  }
  return {{"file", summary.file},
          {"num_images", summary.num_images},
          {"num_failed", summary.num_failed},
          {"guarantee", summary.guarantee},
          {"mean_set_size", summary.mean_size()},
          {"largest", summary.largest_image},
          {"landmarks", std::move(landmarks)}};
}

std::string to_text(const PredictionSummary& summary) {
  const std::string failed =
      summary.num_failed == 0
          ? ""
          : fmt::format("; images that could not be used: {}", summary.num_failed);
  return fmt::format(
      "{}: {} images, {} landmarks, sets of {:.2f} patches in the mean{}\n"
      "Look first at {}, whose sets have {:.2f} patches in the mean.\nGuarantee: {}.\n",
      summary.file, summary.num_images, summary.landmarks.size(), summary.mean_size(), failed,
      summary.largest_image, summary.largest_mean, summary.guarantee);
}

}  // namespace caos::cli
