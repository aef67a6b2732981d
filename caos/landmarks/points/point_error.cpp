#include "caos/landmarks/points/point_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>

#include "caos/conformal/clustered_evaluation.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/landmarks/points/point_quantile.hpp"

namespace caos {
namespace {

/// How a test image counts.
struct ImageShare {
  std::size_t cluster = 0;
  std::size_t shared_by = 1;
};

/// Values of points, all splits together.
struct Sample {
  std::vector<WeightedError> values{};
  std::vector<ClusterShare> shares{};
  std::vector<std::size_t> ends{};  ///< of the splits, in `values`

  void add(double value, const ImageShare& image) {
    values.push_back({.error = value, .shared_by = image.shared_by});
    shares.push_back(
        {.weight = 1 / static_cast<double>(image.shared_by), .cluster = image.cluster});
  }
  void end_split() { ends.push_back(values.size()); }
  [[nodiscard]] bool empty() const { return values.empty(); }
};

MeanWithError mean_of(std::span<const WeightedError> values, std::span<const ClusterShare> shares) {
  std::vector<double> errors;
  for (const WeightedError& value : values) errors.push_back(value.error);
  return cluster_mean(errors, shares);
}

/// Calls `use` with the values and shares of every split that has some.
template <typename Use>
void for_each_split(const Sample& sample, const Use& use) {
  std::size_t begin = 0;
  for (const std::size_t end : sample.ends) {
    if (end > begin) {
      use(std::span(sample.values).subspan(begin, end - begin),
          std::span(sample.shares).subspan(begin, end - begin));
    }
    begin = end;
  }
}

PointFigure mean_figure(const Sample& sample) {
  const MeanWithError all = mean_of(sample.values, sample.shares);
  PointFigure figure{.value = all.mean};
  if (sample.ends.size() == 1) figure.standard_error = all.standard_error;
  for_each_split(sample, [&](const auto& values, const auto& shares) {
    figure.by_split.push_back(mean_of(values, shares).mean);
  });
  return figure;
}

std::optional<PointDistances> distances_of(const Sample& sample) {
  if (sample.empty()) return std::nullopt;
  const ErrorQuantiles all(sample.values);
  PointDistances result{.num_points = sample.values.size()};
  result.median.value = all.at(50);
  result.q90.value = all.at(90);
  result.mean = mean_figure(sample);
  for_each_split(sample, [&](const auto& values, const auto&) {
    const ErrorQuantiles of_split(values);
    result.median.by_split.push_back(of_split.at(50));
    result.q90.by_split.push_back(of_split.at(90));
  });
  return result;
}

std::optional<PointShare> share_of(const Sample& sample) {
  if (sample.empty()) return std::nullopt;
  return PointShare{.num_points = sample.values.size(), .share = mean_figure(sample)};
}

std::optional<double> in_unit(double error, PointUnit unit, const ImageUnits& image) {
  switch (unit) {
    case PointUnit::pixels:
      return error;
    case PointUnit::millimeters:
      return image.millimeters ? std::optional(error * *image.millimeters) : std::nullopt;
    case PointUnit::percent:
      return image.reference ? std::optional(error / *image.reference * 100) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<double> is_within(double error, const std::optional<double>& radius) {
  if (!radius) return std::nullopt;
  return error <= *radius ? 1 : 0;
}

std::vector<ImageShare> image_shares(const PointOutcomes& split) {
  std::vector<ImageShare> shares;
  std::map<std::size_t, std::size_t> counts;
  for (const std::size_t subject : split.subjects) ++counts[subject];
  for (std::size_t x = 0; x < split.units.size(); ++x) {
    const std::size_t subject = split.subjects.empty() ? x : split.subjects[x];
    const bool shared = split.over_subjects && !split.subjects.empty();
    shares.push_back({.cluster = subject, .shared_by = shared ? counts[subject] : 1});
  }
  return shares;
}

/// Reads outcomes as figures.
class Summarizer {
 public:
  Summarizer(const std::vector<PointOutcomes>& splits, const std::vector<std::string>& landmarks,
             const PointUnits& units)
      : splits_(splits) {
    summary_.landmarks = landmarks;
    summary_.num_splits = splits.size();
    summary_.units = {PointUnit::pixels};
    add_units(units);
    for (const PointOutcomes& split : splits) shares_.push_back(image_shares(split));
    for (std::size_t t = 0; t < landmarks.size(); ++t) all_landmarks_.push_back(t);
    count_images();
  }

  PointSummary run() {
    if (summary_.num_images == 0) return std::move(summary_);
    for (std::size_t source = 0; source < splits_[0].sources.size(); ++source) {
      SourceErrors& errors = summary_.sources.emplace_back();
      errors.source = splits_[0].sources[source].source;
      errors.all = errors_of(source, all_landmarks_);
      for (const std::size_t t : all_landmarks_) errors.landmarks.push_back(errors_of(source, {t}));
      const ErrorQuantiles quantiles(pixels(source).values);
      for (std::size_t p = 1; p <= 100; ++p) errors.percentiles.push_back(quantiles.at(p));
    }
    return std::move(summary_);
  }

 private:
  void add_units(const PointUnits& units) {
    const bool has_scale = std::ranges::any_of(splits_, [](const PointOutcomes& split) {
      return std::ranges::any_of(
          split.units, [](const ImageUnits& image) { return image.millimeters.has_value(); });
    });
    if (has_scale) summary_.units.push_back(PointUnit::millimeters);
    if (units.reference) {
      summary_.units.push_back(PointUnit::percent);
      summary_.reference = units.reference->text();
    }
    for (const PointTolerance& tolerance : units.tolerances) {
      summary_.tolerances.push_back(tolerance.tolerance.words());
    }
  }

  /// Images without any landmark have no errors, and do not count.
  void count_images() {
    summary_.without_unit.resize(summary_.units.size());
    summary_.without_tolerance.resize(summary_.tolerances.size());
    for (std::size_t s = 0; s < splits_.size(); ++s) {
      std::set<std::size_t> clusters;
      for (std::size_t x = 0; x < splits_[s].units.size(); ++x) {
        if (!has_error(s, x)) continue;
        count_image(splits_[s].units[x]);
        summary_.by_subject |= !clusters.insert(shares_[s][x].cluster).second;
        summary_.over_subjects |= shares_[s][x].shared_by > 1;
      }
      summary_.num_clusters += clusters.size();
    }
  }

  void count_image(const ImageUnits& image) {
    ++summary_.num_images;
    for (std::size_t u = 0; u < summary_.units.size(); ++u) {
      if (!in_unit(0, summary_.units[u], image)) ++summary_.without_unit[u];
    }
    for (std::size_t i = 0; i < image.radii.size(); ++i) {
      if (!image.radii[i]) ++summary_.without_tolerance[i];
    }
  }

  [[nodiscard]] bool has_error(std::size_t s, std::size_t x) const {
    return std::ranges::any_of(splits_[s].sources.at(0).errors.row(x),
                               [](double error) { return !std::isnan(error); });
  }

  /// What `value_of` makes of the errors of some landmarks.
  template <typename ValueOf>
  [[nodiscard]] Sample sample(std::size_t source, const Indices& landmarks,
                              const ValueOf& value_of) const {
    Sample result;
    for (std::size_t s = 0; s < splits_.size(); ++s) {
      const Matrix<double>& errors = splits_[s].sources[source].errors;
      for (std::size_t x = 0; x < errors.rows(); ++x) {
        for (const std::size_t t : landmarks) {
          if (std::isnan(errors(x, t))) continue;
          const std::optional<double> value = value_of(errors(x, t), splits_[s].units[x]);
          if (value) result.add(*value, shares_[s][x]);
        }
      }
      result.end_split();
    }
    return result;
  }

  [[nodiscard]] Sample pixels(std::size_t source) const {
    return sample(source, all_landmarks_,
                  [](double error, const ImageUnits&) { return std::optional(error); });
  }

  [[nodiscard]] PointErrors errors_of(std::size_t source, const Indices& landmarks) const {
    PointErrors result;
    for (const PointUnit unit : summary_.units) {
      result.distances.push_back(
          distances_of(sample(source, landmarks, [&](double error, const ImageUnits& image) {
            return in_unit(error, unit, image);
          })));
    }
    for (std::size_t i = 0; i < summary_.tolerances.size(); ++i) {
      result.within.push_back(
          share_of(sample(source, landmarks, [&](double error, const ImageUnits& image) {
            return is_within(error, image.radii[i]);
          })));
    }
    return result;
  }

  const std::vector<PointOutcomes>& splits_;
  std::vector<std::vector<ImageShare>> shares_;  ///< by split and test image
  Indices all_landmarks_;
  PointSummary summary_;
};

}  // namespace

std::string_view point_source_name(PointSource source) {
  switch (source) {
    case PointSource::proposal:
      return "proposal";
    case PointSource::nearest_image:
      return "nearest image";
    case PointSource::mean_position:
      return "mean position";
  }
  return "";
}

std::string_view point_source_key(PointSource source) {
  switch (source) {
    case PointSource::proposal:
      return "proposal";
    case PointSource::nearest_image:
      return "nearest_image";
    case PointSource::mean_position:
      return "mean_position";
  }
  return "";
}

std::string_view point_unit_name(PointUnit unit) {
  switch (unit) {
    case PointUnit::pixels:
      return "px";
    case PointUnit::millimeters:
      return "mm";
    case PointUnit::percent:
      return "%";
  }
  return "";
}

double PointFigure::smallest() const { return std::ranges::min(by_split); }
double PointFigure::largest() const { return std::ranges::max(by_split); }

Matrix<double> point_distances(const Matrix<vision::Point>& predicted,
                               const Matrix<vision::Point>& truth,
                               const Matrix<std::int64_t>& labels) {
  Matrix<double> distances(labels.rows(), labels.cols(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t x = 0; x < labels.rows(); ++x) {
    for (std::size_t t = 0; t < labels.cols(); ++t) {
      if (labels(x, t) == missing_label) continue;
      distances(x, t) =
          std::hypot(predicted(x, t).x - truth(x, t).x, predicted(x, t).y - truth(x, t).y);
    }
  }
  return distances;
}

PointSummary summarize_points(const std::vector<PointOutcomes>& splits,
                              const std::vector<std::string>& landmarks, const PointUnits& units) {
  require(!splits.empty(), ErrorKind::invalid_input, "errors of points need a split");
  return Summarizer(splits, landmarks, units).run();
}

}  // namespace caos
