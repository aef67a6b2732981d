#include "landmark_prediction_file.hpp"

#include <fmt/format.h>

#include <utility>

#include "landmark_prediction_text.hpp"

namespace caos::cli {

PredictionWriter::PredictionWriter(io::Sink& sink, bool csv, const Json& head)
    : sink_(sink), csv_(csv) {
  if (csv_) {
    sink_.write(PredictionText::csv_header());
    return;
  }
  // The object stays open for the images.
  std::string text = json_text(head, 2);
  text.erase(text.find_last_of('}'));
  text.erase(text.find_last_not_of(" \n") + 1);
  sink_.write(text + ",\n  \"images\": [");
}

void PredictionWriter::add(std::string_view text) {
  if (!csv_) sink_.write(first_ ? "\n" : ",\n");
  sink_.write(text);
  first_ = false;
}

void PredictionWriter::finish(const std::vector<FailedImage>& failed) {
  if (csv_) return;
  Json reasons = Json::array();
  for (const FailedImage& image : failed) reasons.push_back(image.reason);
  sink_.write(fmt::format("{}],\n  \"failed\": {}\n}}\n", first_ ? "" : "\n", json_text(reasons)));
}

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
