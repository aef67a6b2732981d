#include <array>

#include "caos/error.hpp"
#include "caos/landmarks/formats/check_table.hpp"
#include "caos/landmarks/formats/hdf5/pickled_lists.hpp"
#include "caos/landmarks/formats/hdf5/sleap_format.hpp"
#include "caos/landmarks/formats/landmark_text.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

using landmarks::Format;
using landmarks::LandmarkTable;

landmarks::FileOptions options_of(Format format) {
  return {.format = format,
          .tps = {.y = landmarks::TpsY::bottom, .curves = landmarks::TpsCurves::landmarks},
          .dlib = {.fractions = true},
          .instances = {.rule = landmarks::InstanceRule::each},
          .image_extension = ".png",
          .sizes = [](const std::string&) {
            return landmarks::ImageSize{640, 480};
          }};
}

/// A table that was read can be written as CSV, which holds all of it, and in its own format, from
/// which it is read again; only arithmetic may move a point by a hair.
void demand_round_trips(const LandmarkTable& table, Format format) {
  landmarks::check_table(table);
  const auto csv = options_of(Format::csv);
  const std::string text = landmarks::landmark_text(table, Format::csv, csv);
  demand(landmarks::parse_landmarks(text, "again.csv", csv) == table,
         "the table is the same when written as CSV and read");
  const auto own = options_of(format);
  if (format == Format::regions) return;  // only read
  const std::string name = table.annotations.empty() ? "again" : table.annotations[0].image;
  const LandmarkTable again =
      landmarks::parse_landmarks(landmarks::landmark_text(table, format, own), name, own);
  demand(again.annotations.size() == table.annotations.size(),
         "the images are as many when written and read");
}

/// As two files, where a format has one for each image.
void read_two(Input input, Format format) {
  const std::string text(text_of(input));
  const std::array<landmarks::NamedText, 2> files{{{"one", text}, {"two", text}}};
  try {
    (void)landmarks::parse_landmarks(files, options_of(format));
  } catch (const Error&) {  // one file may be right all the same
  }
}

void read(Input input, Format format) {
  read_two(input, format);
  LandmarkTable table = landmarks::parse_landmarks(text_of(input), "input", options_of(format));
  (void)landmarks::landmark_losses(table, format, options_of(format));
  demand_round_trips(table, format);
  (void)landmarks::check_inside(table, options_of(format).sizes, "input",
                                landmarks::Outside::to_missing);
}

FUZZ_TARGET(landmarks_csv, input) { read(input, Format::csv); }
FUZZ_TARGET(landmarks_tps, input) { read(input, Format::tps); }
FUZZ_TARGET(landmarks_pts, input) { read(input, Format::pts); }
FUZZ_TARGET(landmarks_coco, input) { read(input, Format::coco); }
FUZZ_TARGET(landmarks_dlib, input) { read(input, Format::dlib); }
FUZZ_TARGET(landmarks_label_studio, input) { read(input, Format::label_studio); }
FUZZ_TARGET(landmarks_slicer, input) { read(input, Format::slicer); }
FUZZ_TARGET(landmarks_wide_csv, input) { read(input, Format::wide_csv); }
FUZZ_TARGET(landmarks_deeplabcut, input) { read(input, Format::deeplabcut); }
FUZZ_TARGET(landmarks_tem, input) { read(input, Format::tem); }
FUZZ_TARGET(landmarks_asf, input) { read(input, Format::asf); }
FUZZ_TARGET(landmarks_points, input) { read(input, Format::points); }
FUZZ_TARGET(landmarks_regions, input) { read(input, Format::regions); }

/// Formats that the content tells.
FUZZ_TARGET(landmarks_content, input) {
  for (const char* name : {"input.csv", "input.txt", "input.json"}) {
    landmarks::FileOptions options = options_of(Format::csv);
    options.format.reset();
    try {
      landmarks::check_table(landmarks::parse_landmarks(text_of(input), name, options));
    } catch (const Error&) {  // another name may fit
    }
  }
}

// The HDF5 library itself is not ours to fuzz; what is behind it is. See README.md.
FUZZ_TARGET(runtime_deeplabcut_hdf5, input) { read(input, Format::deeplabcut_hdf5); }
FUZZ_TARGET(runtime_sleap, input) {
  (void)landmarks::embedded_images(text_of(input), "input");
  read(input, Format::sleap);
}

/// Names of columns, as pandas pickles them into a .h5 file.
FUZZ_TARGET(pickled_lists, input) { (void)landmarks::unpickle_lists(text_of(input), "input"); }

}  // namespace
}  // namespace caos::fuzz
