#include "apps/cli/landmarks/prediction/proposal_output.hpp"

#include "apps/cli/landmarks/landmark_inputs.hpp"
#include "apps/predictions/image_prediction.hpp"
#include "caos/error.hpp"

namespace caos::cli {
namespace {

landmarks::FileOptions writing(const ProposalOptions& options) {
  using landmarks::TpsY;
  landmarks::FileOptions how;
  if (!options.format.empty()) how.format = landmarks::parse_format(options.format);
  if (!options.tps_y.empty()) {
    how.tps.y =
        choose<TpsY>("--tps-y", options.tps_y, {{"top", TpsY::top}, {"bottom", TpsY::bottom}});
  }
  return how;
}

}  // namespace

void add_proposal_options(Command& command, ProposalOptions& options) {
  add_path(command, "--points", options.output,
           "Also write the proposed points as a landmark file: .tps, .csv, .h5, .slp, ...");
  command
      .add_option("--points-format", options.format,
                  "Format of --points, if its name does not show it: coco, deeplabcut, ...")
      ->offers(landmark_formats())
      ->type_name("NAME");
  command.add_option("--tps-y", options.tps_y, "Origin of y in --points: top or bottom")
      ->offers({"top", "bottom"})
      ->default_str("bottom, as tpsDig counts")
      ->type_name("WORD");
}

void check(const ProposalOptions& options) {
  if (options.output.empty()) {
    require(options.format.empty() && options.tps_y.empty(), ErrorKind::invalid_input,
            "--points-format and --tps-y go with --points");
    return;
  }
  const landmarks::FileOptions how = writing(options);
  const landmarks::Format format = landmarks::output_format(options.output, how);
  require(format != landmarks::Format::regions, ErrorKind::invalid_input,
          "--points writes points; regions are written with --output FILE.json");
}

ImageProposals proposals_of(const std::vector<LandmarkPrediction>& landmarks,
                            const vision::Frame& frame) {
  ImageProposals result{.width = frame.width, .height = frame.height};
  for (const LandmarkPrediction& prediction : landmarks) {
    const vision::Point place = predictions::proposal_of(prediction, frame);
    result.points.push_back({predictions::rounded(place.x), predictions::rounded(place.y),
                             prediction.proposal_p_value});
  }
  return result;
}

void ProposalTable::add(const std::string& image, const ImageProposals& proposals) {
  if (options_.output.empty()) return;
  landmarks::Annotation annotation{.image = image};
  annotation.width = proposals.width;
  annotation.height = proposals.height;
  for (std::size_t t = 0; t < proposals.points.size(); ++t) {
    const Proposal& point = proposals.points[t];
    landmarks::Landmark landmark{.name = names_[t], .x = point.x, .y = point.y};
    landmark.proposed = true;
    landmark.conformity = point.p_value;
    annotation.landmarks.push_back(std::move(landmark));
  }
  table_.annotations.push_back(std::move(annotation));
}

std::vector<std::string> ProposalTable::write() const {
  if (options_.output.empty()) return {};
  return landmarks::write_landmarks(options_.output, table_, writing(options_));
}

}  // namespace caos::cli
