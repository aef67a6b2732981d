#include "apps/studio/exchange/export_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "apps/predictions/prediction_text.hpp"
#include "apps/predictions/prediction_writer.hpp"
#include "apps/studio/exchange/download_name.hpp"
#include "caos/conformal/subject_weights.hpp"
#include "caos/error.hpp"
#include "caos/guarantee.hpp"
#include "caos/miscoverage.hpp"
#include "caos/sorted_scores.hpp"

namespace caos::studio {
namespace {

using predictions::ImagePrediction;
using predictions::Json;
using predictions::PredictionText;
using predictions::PredictionWriter;

/// Places of things by their ids.
using Places = std::unordered_map<Id, std::size_t>;

// From counts to sets.

Exceedances exceedances(std::int64_t count) { return {.greater = static_cast<std::size_t>(count)}; }

/// Where in its patch the proposed point lies.
Offset offset_of(const LandmarkRegion& region, const vision::Frame& frame) {
  const vision::Point working = frame.to_working({region.x, region.y});
  const auto side = static_cast<double>(frame.grid.patch_size);
  return {.x = working.x / side - static_cast<double>(region.proposal % frame.grid.columns),
          .y = working.y / side - static_cast<double>(region.proposal / frame.grid.columns)};
}

LandmarkPrediction prediction_of(const LandmarkRegion& region, const vision::Frame& frame,
                                 const Miscoverage& alpha, const Places& references) {
  const std::size_t rank = conformal_rank(region.units, alpha);
  LandmarkPrediction prediction;
  for (Label patch = 0; patch < region.exceeding.size(); ++patch) {
    if (region.exceeding[patch] < 0) continue;
    const Exceedances count = exceedances(region.exceeding[patch]);
    if (!conforms(count, region.units, rank)) continue;
    prediction.set.push_back(patch);
    prediction.p_values.push_back(p_value(count, region.units));
  }
  prediction.proposal = region.proposal;
  prediction.proposal_score = region.proposal_score;
  prediction.score_over_threshold = conformity_of(region, alpha).score_over_threshold;
  prediction.offset = offset_of(region, frame);
  if (region.moved) prediction.refined = frame.to_working({region.x, region.y});
  prediction.proposal_p_value = p_value(
      exceedances(std::max<std::int64_t>(0, region.exceeding[region.proposal])), region.units);
  for (const SupportingReference& reference : region.supporting_references) {
    prediction.supporting_references.push_back(references.at(reference.image));
  }
  return prediction;
}

// Guarantees.

Guarantee::Kind kind_of(ProjectGuarantee::Kind kind) {
  switch (kind) {
    case ProjectGuarantee::Kind::marginal:
      return Guarantee::Kind::marginal;
    case ProjectGuarantee::Kind::simultaneous:
      return Guarantee::Kind::simultaneous;
    case ProjectGuarantee::Kind::none:
      return Guarantee::Kind::none;
  }
  __builtin_unreachable();
}

/// Only the target that was fixed before the labels were seen has a guarantee.
Guarantee guarantee_at(const Miscoverage& alpha, const ProjectGuarantee& guarantee) {
  const Guarantee at_target{.kind = kind_of(guarantee.kind), .why_none = guarantee.why_none};
  if (at_target.kind == Guarantee::Kind::none) return at_target;
  if (Miscoverage::parse(guarantee.alpha) == alpha) return at_target;
  return {
      .kind = Guarantee::Kind::none,
      .why_none = fmt::format("regions carry the guarantee at alpha = {} only", guarantee.alpha)};
}

/// What is said of every image beside its regions.
const std::array<std::string, 6> remark_keys = {"guarantee", "guarantee_is_for", "assumption",
                                                "alpha",     "guaranteed_alpha", "look"};
/// Rows of CSV do without sentences, which would be the same in all of them.
const std::array<std::string, 4> csv_keys = {"guarantee", "alpha", "guaranteed_alpha", "look"};

std::span<const std::string> keys_of(const SetsOptions& options) {
  return options.csv ? std::span<const std::string>(csv_keys) : remark_keys;
}

/// All regions of a project, image by image, under one calibration.
class SetsExport {
 public:
  SetsExport(Store& store, Workbench& workbench, Id project, const SetsOptions& options)
      : workbench_(workbench),
        options_(options),
        project_(store.project(project)),
        images_(store.images(project)) {
    for (const SchemeLandmark& landmark : store.scheme(project)) {
      landmarks_.emplace(landmark.id, landmark.name);
    }
    for (std::size_t i = 0; i < images_.size(); ++i) {
      places_.emplace(images_[i].id, i);
      names_.push_back(images_[i].name);
    }
  }

  /// False if the calibration changed meanwhile, so that what was written is of no use.
  [[nodiscard]] bool write(io::Sink& sink) {
    for (const ImageRecord& image : images_) {
      if (image.is_blind(project_.sampling)) continue;
      if (!add(image, sink)) return false;
    }
    require(writer_.has_value(), ErrorKind::invalid_input, [&] {
      return fmt::format("no regions to export; {}",
                         failed_.empty() ? "the project has no images outside of its sample"
                                         : failed_.front().reason);
    });
    writer_->finish(failed_, names_in_review_order());
    sink.flush();
    return true;
  }

 private:
  bool add(const ImageRecord& image, io::Sink& sink) {
    std::optional<ImageRegions> regions = regions_of(image);
    if (!regions) return true;
    const auto frame = workbench_.frame(project_.id, image.id);
    if (!frame) return fail(image, "could not be embedded");
    if (!writer_) begin(*regions, sink);
    if (regions->calibration != calibration_) return false;
    const ImagePrediction prediction = prediction_of_image(image, *regions, *frame);
    written_.push_back(image.name);
    conformities_.push_back(
        conformity_of(std::span(prediction.landmarks), regions->shape_deviation));
    writer_->add(text_->of(prediction));
    return true;
  }

  std::vector<std::string> names_in_review_order() const {
    std::vector<std::string> names;
    for (const std::size_t i : review_order(conformities_)) names.push_back(written_[i]);
    return names;
  }

  std::optional<ImageRegions> regions_of(const ImageRecord& image) {
    try {
      return workbench_.regions(project_.id, image.id, options_.simultaneous, Showing::internally);
    } catch (const Error& error) {
      // One damaged image does not cost the others.
      if (error.kind() != ErrorKind::bad_format) throw;
      fail(image, error.what());
      return std::nullopt;
    }
  }

  bool fail(const ImageRecord& image, const std::string& why) {
    failed_.push_back({.reason = fmt::format("{}: {}", image.name, why)});
    return true;
  }

  void begin(const ImageRegions& first, io::Sink& sink) {
    require(!first.landmarks.empty(), ErrorKind::invalid_input, [&] {
      return fmt::format("no landmark has regions yet; {}", first.unavailable.empty()
                                                                ? "the scheme is empty"
                                                                : first.unavailable[0].why);
    });
    calibration_ = first.calibration;
    const Status status = workbench_.status(project_.id, options_.simultaneous);
    guarantee_ = status.guarantee;
    look_ = fmt::format("{} of {}", status.look.number,
                        std::max<std::size_t>(project_.sampling.looks.size(), 1));
    std::vector<std::string> names;
    for (const LandmarkRegion& region : first.landmarks) {
      names.push_back(landmarks_.at(region.landmark));
    }
    text_.emplace(names, names_, options_.csv);
    writer_.emplace(sink, options_.csv, head_of(first), keys_of(options_));
  }

  Json head_of(const ImageRegions& first) const {
    const Guarantee at_alpha = guarantee_at(options_.alpha, guarantee_);
    Json left_out = Json::array();
    for (const NoRegion& none : first.unavailable) left_out.push_back(landmarks_.at(none.landmark));
    Json landmarks = Json::array();
    for (const LandmarkRegion& region : first.landmarks) {
      landmarks.push_back({{"landmark", landmarks_.at(region.landmark)},
                           {"n", region.n},
                           {"feasible", region.peers->is_feasible(options_.alpha)},
                           {"guarantee", at_alpha.text()}});
    }
    const Settings& settings = project_.settings;
    return {
        {"project", project_.name},
        {"alpha", options_.alpha.value()},
        {"guaranteed_alpha", at_alpha.kind == Guarantee::Kind::none
                                 ? Json(nullptr)
                                 : Json(Miscoverage::parse(guarantee_.guaranteed_alpha).value())},
        {"look", look_},
        {"method", "caos"},
        {"simultaneous", options_.simultaneous},
        {"k", settings.k},
        {"score", settings.score},
        {"backbone", project_.backbone},
        {"working_size", project_.working_size},
        {"precision", project_.precision},
        {"left_out", std::move(left_out)},
        {"target", target_name(target())},
        {"guarantee_is_for", guarantee_.holds_for},
        {"sample_by_design", guarantee_.by_design},
        {"assumption", guarantee_.assumption},
        {"landmarks", std::move(landmarks)}};
  }

  [[nodiscard]] ImageTarget target() const {
    const bool has_subjects = std::ranges::any_of(
        images_, [](const ImageRecord& image) { return image.subject.has_value(); });
    return has_subjects ? parse_target(project_.settings.target) : ImageTarget::any;
  }

  /// The guarantee of an image may be weaker than the project's, as for one added after the draw.
  [[nodiscard]] std::vector<predictions::Remark> remarks_of(
      const ProjectGuarantee& guarantee) const {
    const Guarantee at_alpha = guarantee_at(options_.alpha, guarantee);
    const bool is_none = at_alpha.kind == Guarantee::Kind::none;
    if (options_.csv) {
      return {{csv_keys[0], at_alpha.name()},
              {csv_keys[1], options_.alpha.text()},
              {csv_keys[2], is_none ? std::string() : guarantee.guaranteed_alpha},
              {csv_keys[3], look_}};
    }
    return {{remark_keys[0], at_alpha.text()},
            {remark_keys[1], guarantee.holds_for},
            {remark_keys[2], guarantee.assumption},
            {remark_keys[3], options_.alpha.text()},
            {remark_keys[4], is_none ? std::string() : guarantee.guaranteed_alpha},
            {remark_keys[5], look_}};
  }

  ImagePrediction prediction_of_image(const ImageRecord& image, const ImageRegions& regions,
                                      const vision::Frame& frame) const {
    ImagePrediction prediction{.image = image.name, .frame = frame};
    prediction.scale = image.scale(project_.settings);
    prediction.remarks = remarks_of(regions.guarantee);
    for (const LandmarkRegion& region : regions.landmarks) {
      prediction.landmarks.push_back(prediction_of(region, frame, options_.alpha, places_));
    }
    return prediction;
  }

  Workbench& workbench_;
  const SetsOptions& options_;
  Project project_;
  std::vector<ImageRecord> images_;
  std::unordered_map<Id, std::string> landmarks_{};  // their names
  Places places_{};                                  // of images
  std::vector<std::string> names_{};                 // of images
  std::uint64_t calibration_ = 0;
  ProjectGuarantee guarantee_{};  // of the project
  std::string look_{};            // "1 of 2"
  std::optional<PredictionText> text_{};
  std::optional<PredictionWriter> writer_{};
  std::vector<FailedImage> failed_{};
  std::vector<std::string> written_{};  // names of images
  std::vector<ImageConformity> conformities_{};
};

bool is_written(Store& store, Workbench& workbench, Id project, const SetsOptions& options,
                io::Sink& sink) {
  try {
    return SetsExport(store, workbench, project, options).write(sink);
  } catch (const std::out_of_range&) {
    return false;  // an image or a landmark that came meanwhile
  }
}

/// While labeled images are still being embedded, calibrations do not use all labels.
void require_embedded(Workbench& workbench, Id project) {
  const Status status = workbench.status(project, false);
  const Progress& done = status.embedding;
  require(done.done + status.failed.size() >= done.total, ErrorKind::invalid_input, [&] {
    return fmt::format("{} of {} images are embedded; export when all are", done.done, done.total);
  });
}

/// With the model, one can see the regions of images that must be labeled without sight of them.
void require_no_open_audit(Store& store, Id project) {
  const std::vector<Audit> audits = store.audits(project);
  require(audits.empty() || !audits.back().is_open(), ErrorKind::invalid_input,
          "an audit is open, and the model would show the regions of its images; finish the audit "
          "before the model is exported");
}

/// A model does not know that labeling may have stopped at any of several looks.
void require_one_look(const Project& project, const ProjectGuarantee& guarantee) {
  require(project.sampling.looks.size() < 2, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "a model is not exported at one of several planned looks: it would state a guarantee of 1 - "
        "{0}, which is 1 - {1} as labeling may stop at any look. Export the regions, which say both",
        guarantee.alpha, guarantee.guaranteed_alpha);
  });
}

}  // namespace

LargeDownload export_sets(Store& store, Workbench& workbench, Id project,
                          const SetsOptions& options) {
  constexpr int attempts = 5;
  require_embedded(workbench, project);
  const std::string name =
      download_name(store.project(project).name, options.csv ? ".regions.csv" : ".regions.json");
  for (int i = 0; i < attempts; ++i) {
    SpooledFile file(store.folder() + "/tmp");
    io::Sink sink(file.descriptor(), "temporary file");
    if (!is_written(store, workbench, project, options, sink)) continue;
    workbench.note_all_seen(project, Shown::outside_sample);
    return {.name = name,
            .type = options.csv ? "text/csv; charset=utf-8" : "application/json",
            .file = std::move(file)};
  }
  throw Error(ErrorKind::invalid_input,
              "labels are changing, and regions with them; export when labeling is done");
}

Download export_model(Store& store, Workbench& workbench, Id project) {
  require_no_open_audit(store, project);
  require_embedded(workbench, project);
  // Predictions with the file name a guarantee.
  const bool simultaneous = store.project(project).settings.simultaneous;
  const ProjectGuarantee guarantee = workbench.status(project, simultaneous).guarantee;
  require(guarantee.kind != ProjectGuarantee::Kind::none, ErrorKind::invalid_input, [&] {
    return fmt::format("a model that guarantees nothing is not exported: {}", guarantee.why_none);
  });
  require_one_look(store.project(project), guarantee);
  const std::vector<std::byte> bytes = landmark_model_bytes(workbench.model(project));
  workbench.note_all_seen(project, Shown::all_unlabeled);
  return {.name = download_name(store.project(project).name, ".model.caos"),
          .type = "application/octet-stream",
          .bytes = {reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
}

std::vector<landmarks::Landmark> proposed_landmarks(Store& store, Workbench& workbench, Id project,
                                                    const ImageRecord& image) {
  std::map<Id, std::string> names;
  for (const SchemeLandmark& landmark : store.scheme(project)) {
    names.emplace(landmark.id, landmark.name);
  }
  std::vector<landmarks::Landmark> proposed;
  try {
    const ImageRegions regions = workbench.regions(project, image.id, false, Showing::internally);
    for (const LandmarkRegion& region : regions.landmarks) {
      const auto round = [](double value) { return std::round(value * 1000) / 1000; };
      proposed.push_back({.name = names.at(region.landmark),
                          .x = round(region.x),
                          .y = round(region.y),
                          .proposed = true,
                          .conformity = p_value(exceedances(std::max<std::int64_t>(
                                                    0, region.exceeding[region.proposal])),
                                                region.units)});
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_format) throw;  // one damaged image does not cost the others
  }
  return proposed;
}

}  // namespace caos::studio
