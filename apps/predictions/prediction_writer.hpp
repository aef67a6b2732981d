#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/predictions/json_text.hpp"
#include "caos/io/write_whole.hpp"
#include "caos/landmarks/embedding/embed_images.hpp"

namespace caos::predictions {

/// The file of predictions, JSON or CSV, written image by image.
class PredictionWriter {
 public:
  /// `head` is what JSON says before the first image, `remarks` the keys of what is remarked of
  /// each.
  PredictionWriter(io::Sink& sink, bool csv, const Json& head,
                   std::span<const std::string> remarks = {});

  /// What `PredictionText` says about an image.
  void add(std::string_view text);
  /// `review_order` are the names of the images, least conforming first; absent where it is not
  /// known. JSON only.
  void finish(const std::vector<FailedImage>& failed,
              const std::optional<std::vector<std::string>>& review_order = std::nullopt);

 private:
  io::Sink& sink_;
  bool csv_;
  bool first_ = true;
};

}  // namespace caos::predictions
