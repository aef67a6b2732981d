#include "apps/cli/points/point_error_options.hpp"

#include "apps/cli/landmarks/landmark_inputs.hpp"
#include "apps/cli/landmarks/landmark_scales.hpp"
#include "caos/error.hpp"

namespace caos::cli {

void add_point_error_options(Command& command, PointErrorOptions& options) {
  command
      .add_option("--tolerances", options.tolerances,
                  "Also the share of points at most so far off: 5 or 5px, 2mm, 4%:A-B (percent of "
                  "the distance of landmarks A and B), or 4% with --normalize-by")
      ->delimiter(',')
      ->type_name("T,...");
  command
      .add_option("--normalize-by", options.normalize_by,
                  "Also in percent of the distance of two landmarks of the same image, such as "
                  "left_pupil,right_pupil")
      ->type_name("A,B");
  command
      .add_option("--scale", options.scale,
                  "Also in millimeters: so many per pixel of all images; otherwise as the landmark "
                  "file says")
      ->type_name("MM");
  add_path(command, "--scales", options.scales,
           "Landmark file (CSV, TPS) that gives the scale of each image");
  add_refine_option(command, options.refine);
}

void check(const PointErrorOptions& options, bool has_images) {
  const bool is_plain = options.scale.empty() && options.scales.empty() &&
                        options.normalize_by.empty() && options.tolerances.empty();
  require(has_images || is_plain, ErrorKind::invalid_input,
          "--tolerances, --normalize-by, --scale and --scales are about points in images; they do "
          "not go with --embeddings");
  require(options.scale.empty() || options.scales.empty(), ErrorKind::invalid_input,
          "give --scale or --scales, not both");
  static_cast<void>(Scales(options.scale, ""));
  static_cast<void>(parse_refine(options.refine));
}

PointUnits point_units(const PointErrorOptions& options, const AnnotatedImages& images) {
  const std::vector<std::string>& landmarks = images.patches.tasks;
  PointUnits units;
  if (!options.normalize_by.empty()) {
    units.reference = parse_reference_distance(options.normalize_by, landmarks, "--normalize-by");
  }
  for (const std::string& tolerance : options.tolerances) {
    units.tolerances.push_back(parse_point_tolerance(tolerance, landmarks, units.reference));
  }
  const Scales scales(options.scale, options.scales);
  for (std::size_t i = 0; i < images.size(); ++i) {
    const std::optional<double> given = scales.of(images.names[i]);
    units.millimeters.push_back(given ? given : images.scales[i]);
  }
  return units;
}

}  // namespace caos::cli
