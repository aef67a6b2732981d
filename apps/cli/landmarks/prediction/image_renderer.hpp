#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/landmarks/prediction/landmark_prediction_file.hpp"
#include "apps/cli/landmarks/prediction/proposal_output.hpp"
#include "apps/predictions/prediction_text.hpp"
#include "caos/dist/bytes.hpp"
#include "caos/landmarks/predict_stream.hpp"

namespace caos::cli {

/// An image file to predict.
struct ImageFile {
  std::string path{};
  std::optional<double> scale{};  ///< millimeters per pixel

  [[nodiscard]] std::string name() const;
};

/// What is written and printed about one image.
struct RenderedImage {
  std::string text{};  ///< its part of the file
  ImageSummary summary{};
  ImageProposals proposals{};
  std::vector<std::byte> drawing{};  ///< a JPEG file, where one was asked for
  std::vector<std::byte> tile{};     ///< the same, small, for a contact sheet
  std::string not_drawn{};           ///< why there is none, though one was asked for
};

void pack(dist::Packer& packer, const RenderedImage& image);
[[nodiscard]] RenderedImage unpack_rendered(dist::Unpacker& unpacker);

/// Turns predictions into text and drawings. Safe to share between threads.
class ImageRenderer {
 public:
  struct Options {
    bool csv = false;
    bool draw = false;
    vision::Labels names = vision::Labels::automatic;  ///< beside landmarks in drawings
    vision::DecodeOptions decode{};
  };

  /// What is remarked of an image; used where `remark_keys` are not empty.
  using RemarksOf = std::function<std::vector<predictions::Remark>(const std::string& image)>;

  /// The model must outlive it.
  ImageRenderer(const LandmarkModel& model, const Options& options, RemarksOf remarks_of);

  [[nodiscard]] RenderedImage render(EmbeddedImage&& image,
                                     std::vector<LandmarkPrediction>&& landmarks,
                                     const ImageFile& file) const;

 private:
  void draw(const ImageFile& file, std::optional<vision::Image> picture,
            const ImagePrediction& prediction, RenderedImage& result) const;

  const LandmarkModel& model_;
  LabeledShapes shapes_;
  Options options_;
  RemarksOf remarks_of_;
  predictions::PredictionText text_;
};

}  // namespace caos::cli
