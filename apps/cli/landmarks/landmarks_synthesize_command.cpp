#include <fmt/format.h>

#include <memory>

#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/progress_bar.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/io/csv.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/write_whole.hpp"
#include "caos/landmarks/formats/landmark_file.hpp"
#include "caos/vision/codecs/encode.hpp"
#include "caos/vision/drawing/synthetic_face.hpp"

namespace caos::cli {
namespace {

struct LandmarksSynthesizeCommandOptions {
  CommonOptions common;
  std::string out;
  std::size_t n = 60;
  std::size_t num_new = 60;
  std::uint64_t seed = vision::default_series;
  std::size_t threads = 0;
};

std::string name_of(std::size_t index) { return fmt::format("face_{:04}.jpg", index); }

struct Face {
  std::string name;  ///< of its file, within its folder
  std::vector<landmarks::Landmark> landmarks{};
};

/// Draws face number `index` into a file of `folder`.
Face draw(const LandmarksSynthesizeCommandOptions& options, std::size_t index,
          const std::string& folder) {
  constexpr int quality = 95;
  const vision::DrawnFace drawn = vision::draw_face(options.seed, index);
  const auto jpeg = vision::encode_jpeg(drawn.image, quality);
  Face face{.name = name_of(index)};
  io::write_whole(folder + "/" + face.name, [&](io::Sink& sink) { sink.write(jpeg); });
  for (const vision::NamedPoint& point : drawn.landmarks) {
    face.landmarks.push_back({.name = point.name, .x = point.position.x, .y = point.position.y});
  }
  return face;
}

/// Annotations of some faces; images are called `prefix` + their name.
landmarks::LandmarkTable table_of(std::span<const Face> faces, const std::string& prefix) {
  landmarks::LandmarkTable table;
  for (const Face& face : faces) {
    landmarks::Annotation annotation{.image = prefix + face.name};
    annotation.landmarks = face.landmarks;
    table.annotations.push_back(std::move(annotation));
  }
  return table;
}

void write_split(const LandmarksSynthesizeCommandOptions& options,
                 const landmarks::LandmarkTable& all) {
  io::write_whole(options.out + "/split.csv", [&](io::Sink& sink) {
    sink.write("image,role\n");
    for (std::size_t i = 0; i < all.annotations.size(); ++i) {
      const char* role = i >= options.n ? "test" : i % 2 == 0 ? "reference" : "calibration";
      sink.write(io::csv_row(std::vector<std::string>{all.annotations[i].image, role}));
    }
  });
}

void write_tables(const LandmarksSynthesizeCommandOptions& options,
                  const std::vector<Face>& faces) {
  const auto labeled = std::span(faces).first(options.n);
  const auto fresh = std::span(faces).subspan(options.n);
  landmarks::LandmarkTable all = table_of(labeled, "labeled/");
  for (auto& annotation : table_of(fresh, "new/").annotations) {
    all.annotations.push_back(std::move(annotation));
  }
  landmarks::write_landmarks(options.out + "/labeled.csv", table_of(labeled, ""), {});
  landmarks::write_landmarks(options.out + "/new.csv", table_of(fresh, ""), {});
  landmarks::write_landmarks(options.out + "/all.csv", all, {});
  write_split(options, all);
}

Json to_json(const LandmarksSynthesizeCommandOptions& options) {
  return {{"folder", options.out}, {"n", options.n}, {"num_new", options.num_new}};
}

std::string to_text(const LandmarksSynthesizeCommandOptions& options) {
  return fmt::format(
      "{0}/labeled: {1} faces, {0}/labeled.csv: their landmarks\n"
      "{0}/new: {2} faces, {0}/new.csv: theirs\n"
      "{0}/all.csv: all landmarks, {0}/split.csv: the roles reference, calibration, test\n",
      options.out, options.n, options.num_new);
}

void run(const LandmarksSynthesizeCommandOptions& options) {
  const std::string labeled = options.out + "/labeled";
  const std::string fresh = options.out + "/new";
  Manifest manifest(options.common, {.folder = options.out});
  manifest.set_uses_pixels();
  for (const std::string& folder : {options.out, labeled, fresh}) io::make_folder(folder);
  std::vector<Face> faces(options.n + options.num_new);
  parallel_for(faces.size(), 1, options.threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      faces[i] = draw(options, i, i < options.n ? labeled : fresh);
    }
  });
  write_tables(options, faces);
  print_result(options.common, options);
  for (const char* name : {"/labeled.csv", "/new.csv", "/all.csv", "/split.csv"}) {
    manifest.add_outputs({options.out + name});
  }
  for (std::size_t i = 0; i < faces.size(); ++i) {
    manifest.add_outputs({(i < options.n ? labeled : fresh) + "/" + faces[i].name});
  }
  manifest.write();
}

}  // namespace

void add_landmarks_synthesize(Command& landmarks) {
  Command& command =
      landmarks.add_subcommand("synthesize", "Draw synthetic faces with known landmarks");
  const auto options = std::make_shared<LandmarksSynthesizeCommandOptions>();
  command.alias("draw");
  add_output(command, options->out, "Folder to write to")->required()->type_name("DIR");
  add_whole_number(command, "--n", options->n, "Number of labeled faces");
  add_whole_number(command, "--new", options->num_new, "Number of new faces");
  add_whole_number(command, "--seed", options->seed, "Seed of the faces", 0);
  add_threads(command, options->threads);
  add_result_options(command, options->common);
  command.footer("Example:\n  caos landmarks synthesize -o faces");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
