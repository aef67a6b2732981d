#include "apps/cli/landmarks/score_options.hpp"

#include <fmt/format.h>

#include "apps/cli/program.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"

namespace caos::cli {
namespace {

/// The default, and where it is another.
std::string default_text() {
  return fmt::format("{}; {} with --rotation, --location-sigma, --location-weight", default_score,
                     paper_score);
}

}  // namespace

void add_score_option(Command& command, ScoreOption& option) {
  command
      .add_option(
          "--score", option.text,
          "geometry, cosine, margin[:weight] or softmax[:temperature]; choose before looking "
          "at results")
      ->offers({"geometry", "cosine", "margin", "softmax"})
      ->default_str(option.text.empty() ? default_text() : option.text)
      ->type_name("NAME");
}

void add_cell_option(Command& command, ScoreOption& option) {
  command
      .add_option("--cell", option.cell,
                  "Side of the cells that regions are made of, in pixels of the working image: 16 "
                  "(the patches), or 8 or 4 with the score geometry")
      ->offers({"16", "8", "4"})
      ->default_str("4 with geometry, else 16")
      ->type_name("PX");
}

void ScoreOption::settle(const CommonOptions& common, EmbeddingOptions& embedding) {
  const bool is_aligned = !embedding.location_sigma.empty() || !embedding.location_weight.empty();
  const bool is_rotated = embedding.rotation != "none";
  if ((is_aligned || is_rotated) && text.empty()) {
    text = paper_score;
    note(common, fmt::format("with {} the default score is {}",
                             is_rotated ? "--rotation" : "a location prior", text));
  }
  if ((is_aligned || is_rotated) && cell.empty()) cell = "16";
  require(!is_aligned || cell == "16", ErrorKind::invalid_input,
          "a location prior describes patches, not cells; give --cell 16 with it");
  embedding.cell = choose_cell(cell, parse(embedding.backbone));
  require(!embedding.cell || !is_rotated, ErrorKind::invalid_input,
          "--rotation needs --cell 16: rotated references have patches only");
}

void ScoreOption::settle_for_arrays(bool has_grid) {
  require(cell.empty() || cell == "16", ErrorKind::invalid_input,
          "--cell is for images; the labels of --embeddings are patches");
  if (text.empty()) text = has_grid ? default_score : paper_score;
}

PatchScore ScoreOption::parse(const std::string& backbone) const {
  return choose_score(text, backbone).score;
}

bool ScoreOption::has_own_parameter(const std::string& backbone) const {
  return choose_score(text, backbone).own_parameter;
}

}  // namespace caos::cli
