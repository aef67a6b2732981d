#include "apps/cli/landmarks/prediction/review_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/io/write_whole.hpp"
#include "caos/vision/codecs/decode.hpp"
#include "caos/vision/codecs/encode.hpp"
#include "caos/vision/drawing/contact_sheet.hpp"

namespace caos::cli {
namespace {

std::string caption(std::size_t place, const std::string& image,
                    const ImageConformity& conformity) {
  const std::string empty =
      conformity.num_empty > 0 ? fmt::format(", {} empty", conformity.num_empty) : "";
  return fmt::format("{}. {} ({:.2f}{})", place, image, conformity.mean_score_over_threshold,
                     empty);
}

}  // namespace

void ReviewSheet::add(const ImageSummary& image, std::vector<std::byte> tile) {
  if (tile.empty()) return;
  const auto less = [](const ImageConformity& a, const Entry& b) {
    return conforms_less(a, b.conformity);
  };
  const auto place = std::upper_bound(entries_.begin(), entries_.end(), image.conformity, less);
  if (place == entries_.end() && entries_.size() == most_tiles) return;
  entries_.insert(place, {image.image, image.conformity, std::move(tile)});
  if (entries_.size() > most_tiles) entries_.pop_back();
}

bool ReviewSheet::write(const std::string& path) const {
  if (entries_.empty()) return false;
  std::vector<vision::Tile> tiles;
  for (const Entry& entry : entries_) {
    tiles.push_back({vision::decode_image(entry.tile, entry.image, {}),
                     caption(tiles.size() + 1, entry.image, entry.conformity)});
  }
  const auto jpeg = vision::encode_jpeg(vision::contact_sheet(tiles));
  io::write_whole(path, [&](io::Sink& sink) { sink.write(jpeg); });
  return true;
}

}  // namespace caos::cli
