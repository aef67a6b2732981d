#include "apps/cli/option_headings.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace caos::cli {
namespace {

struct Heading {
  const char* text;
  std::vector<std::string_view> options;
};

// In the order of the help. A name means the same in every command, so that its place is decided
// here, once.
const std::vector<Heading>& headings() {
  static const std::vector<Heading> all = {
      {"Data",
       {"--n",
        "--new",
        "--num-labels",
        "--num-labeled",
        "--num-test",
        "--m",
        "--hits",
        "--of",
        "--labeled",
        "--labels",
        "--calibration",
        "--groups",
        "--reverse",
        "--symmetric",
        "--test",
        "--test-labels",
        "--test-groups",
        "--test-size",
        "--embeddings",
        "--grid",
        "--positions",
        "--test-embeddings",
        "--test-positions",
        "--images",
        "--landmarks",
        "--candidates",
        "--split",
        "--subjects",
        "--pool",
        "--train",
        "--text-column",
        "--label-column",
        "--id-column",
        "--labels-from",
        "--label-names",
        "--label-embeddings",
        "--data",
        "--demo",
        "--tasks",
        "--regions",
        "--landmark-step"}},
      {"Landmark files",
       {"--format", "--tps-y", "--tps-curves", "--csv-y", "--image-extension", "--instances",
        "--instance-subjects", "--missing-images", "--outside", "--duplicates", "--use-hidden",
        "--unlisted-are-absent"}},
      {"Method",
       {"--alpha",        "--k",          "--method",     "--methods",     "--score",
        "--simultaneous", "--smoothed",   "--target",     "--tolerance",   "--fdr",
        "--references",   "--clip-rank",  "--confidence", "--pool-size",   "--reference-indices",
        "--seeds",        "--seed",       "--distance",   "--temperature", "--prior-weight",
        "--standardize",  "--refine",     "--cell",       "--rotation",    "--splits",
        "--repeats",      "--statements", "--together"}},
      {"Language model",
       {"--model", "--template", "--normalization", "--context", "--chat", "--store"}},
      {"Image embeddings",
       {"--backbone", "--preset", "--onnx-output", "--onnxruntime", "--working-size", "--precision",
        "--patch-size", "--location-sigma", "--location-weight", "--ignore-orientation",
        "--max-megapixels", "--cache", "--cache-size", "--no-cache"}},
      {"Errors of points", {"--tolerances", "--normalize-by", "--scale", "--scales"}},
      {"Output",
       {"--output", "--points", "--points-format", "--overlay", "--report", "--per-example",
        "--sets", "--names", "--plan", "--explain", "--dry-run", "--json", "--manifest"}},
      {general_options, {"--threads", "--quiet", "-h", "--help", "--version"}},
  };
  return all;
}

bool has(const Heading& heading, std::string_view option) {
  return std::ranges::find(heading.options, option) != heading.options.end();
}

}  // namespace

std::string heading_of(std::string_view option) {
  const auto found = std::ranges::find_if(
      headings(), [&](const Heading& heading) { return has(heading, option); });
  return found == headings().end() ? other_options : found->text;
}

std::size_t heading_place(std::string_view heading) {
  const auto found = std::ranges::find(headings(), heading, &Heading::text);
  const auto place = static_cast<std::size_t>(found - headings().begin());
  // What has a heading of its own comes after the known ones, and both before the general ones.
  if (found == headings().end()) return heading == other_options ? 0 : headings().size();
  return heading == general_options ? headings().size() + 1 : place + 1;
}

bool is_basic(std::string_view option) {
  static constexpr std::array basic = {
      "--n",       "--new",         "--num-labels",   "--num-test", "--labeled",   "--labels",
      "--test",    "--test-labels", "--symmetric",    "--images",   "--landmarks", "--candidates",
      "--train",   "--vectors",     "--label-column", "--from",     "--to",        "--model",
      "--alpha",   "--methods",     "--method",       "--score",    "--fdr",       "--splits",
      "--dry-run", "--output",      "--overlay",      "--report",   "--json",      "--data",
      "--demo"};
  return std::ranges::find(basic, option) != basic.end();
}

}  // namespace caos::cli
