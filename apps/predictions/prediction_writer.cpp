#include "apps/predictions/prediction_writer.hpp"

#include <fmt/format.h>

#include "apps/predictions/prediction_text.hpp"

namespace caos::predictions {

PredictionWriter::PredictionWriter(io::Sink& sink, bool csv, const Json& head,
                                   std::span<const std::string> remarks)
    : sink_(sink), csv_(csv) {
  if (csv_) {
    sink_.write(PredictionText::csv_header(remarks));
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

void PredictionWriter::finish(const std::vector<FailedImage>& failed,
                              const std::optional<std::vector<std::string>>& review_order) {
  if (csv_) return;
  Json reasons = Json::array();
  for (const FailedImage& image : failed) reasons.push_back(image.reason);
  const std::string order =
      review_order ? ",\n  \"review_order\": " + json_text(*review_order) : "";
  sink_.write(
      fmt::format("{}],\n  \"failed\": {}{}\n}}\n", first_ ? "" : "\n", json_text(reasons), order));
}

}  // namespace caos::predictions
