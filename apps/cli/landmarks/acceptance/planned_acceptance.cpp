#include "apps/cli/landmarks/acceptance/planned_acceptance.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "caos/io/mapped_file.hpp"
#include "caos/io/sha256.hpp"
#include "caos/io/write_whole.hpp"

namespace caos::cli {
namespace {

std::string hash_of(const Json& json) {
  const std::string text = json_text(json);
  return io::sha256(std::as_bytes(std::span(text)));
}

/// The labels as they were read, so that the same labels in another format are the same.
Json labels_json(const AnnotatedImages& images) {
  Json all = Json::array();
  for (std::size_t i = 0; i < images.size(); ++i) {
    Json points = Json::array();
    for (std::size_t t = 0; t < images.patches.num_tasks(); ++t) {
      if (images.patches.labels(i, t) == missing_label) continue;
      points.push_back({images.patches.tasks[t], images.points(i, t).x, images.points(i, t).y});
    }
    all.push_back({images.names[i], std::move(points)});
  }
  return all;
}

/// Scales turn a tolerance in millimeters into pixels, so that a change of one changes the other.
Json scales_json(const AcceptanceInputs& inputs) {
  Json all = Json::array();
  for (std::size_t i = 0; i < inputs.images.size(); ++i) {
    const std::optional<double>& scale = inputs.scales[i];
    all.push_back({inputs.images.names[i], scale ? Json(*scale) : Json()});
  }
  return all;
}

/// The candidates with the hashes of their files; unreadable files are left out.
Json contents_json(const AcceptanceInputs& inputs, const AcceptanceResult& result) {
  std::map<std::string, std::string> contents;
  for (const std::string& file : inputs.candidates.files) {
    contents.emplace(file_name(file), content_of(file));
  }
  for (const FailedImage& image : result.failed) {
    contents.erase(file_name(inputs.candidates.files[image.index]));
  }
  return contents;
}

}  // namespace

AcceptancePlan plan_of(const AcceptanceResult& result, const AcceptanceInputs& inputs,
                       const LandmarkCalibrateOptions& how) {
  const EmbeddingRecord& embedding = inputs.embedding;
  AcceptancePlan plan;
  plan.tolerance = result.tolerance.text();
  plan.fdr = result.q.text();
  if (result.tolerance.unit() == LandmarkTolerance::Unit::millimeters) {
    plan.scales = hash_of(scales_json(inputs));
  }
  plan.labeled = hash_of(labels_json(inputs.images));
  plan.contents = hash_of(contents_json(inputs, result));
  const Json location =
      embedding.location ? Json{embedding.location->sigma, embedding.location->weight} : Json();
  Json proposals = {result.references,
                    how.k,
                    patch_score_text(how.score),
                    embedding.identity,
                    embedding.working_size,
                    embedding.apply_orientation,
                    location};
  // Plans of version 0.1.0 do not name the precision, which was float32.
  if (embedding.precision == EmbeddingPrecision::float16) {
    proposals.push_back(precision_name(embedding.precision));
  }
  const auto has_pixels = [](const vision::GrayImage& image) { return image.rows() > 0; };
  const bool refined = how.refine && std::ranges::all_of(inputs.images.gray, has_pixels);
  if (refined) proposals.push_back("refined");  // nor that, which points were not
  if (embedding.rotation != vision::Rotation::none) {
    proposals.push_back(vision::rotation_name(embedding.rotation));
  }
  if (embedding.cell) proposals.push_back(fmt::format("cell {}", *embedding.cell));
  plan.proposals = hash_of(proposals);
  plan.candidates = result.candidates;
  std::ranges::sort(plan.candidates);
  return plan;
}

Guarantee planned_guarantee(const std::string& file, const AcceptancePlan& now,
                            const AnnotatedImages& images) {
  if (!std::filesystem::exists(file)) {
    io::write_whole(file, [&](io::Sink& sink) { sink.write(json_text(to_json(now), 2) + "\n"); });
    return selection::guarantee_of({});
  }
  const io::MappedFile mapped = io::MappedFile::read(file);
  const std::string_view text(reinterpret_cast<const char*>(mapped.bytes().data()),
                              mapped.bytes().size());
  return selection::guarantee_of(
      changes_since(read_acceptance_plan(file, text), now, images.names));
}

}  // namespace caos::cli
