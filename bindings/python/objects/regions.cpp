#include "bindings/python/objects/regions.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/objects/patch_images.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/landmarks/points/proposed_point.hpp"
#include "caos/landmarks/triage.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

using Predictions = std::vector<LandmarkPrediction>;

/// Whether `out[t * num_patches + y]`: the set of landmark t holds patch y.
void fill_mask(const RegionsOfImage& image, bool* out) {
  std::fill_n(out, image.landmarks.size() * image.num_patches, false);
  for (const LandmarkPrediction& landmark : image.landmarks) {
    for (const Label y : landmark.set) out[y] = true;
    out += image.num_patches;
  }
}

/// One whole number of each landmark.
template <typename F>
py::array_t<std::int64_t> numbers_of(const Predictions& landmarks, F number) {
  py::array_t<std::int64_t> result(static_cast<py::ssize_t>(landmarks.size()));
  std::ranges::transform(landmarks, result.mutable_data(), [&](const LandmarkPrediction& one) {
    return static_cast<std::int64_t>(number(one));
  });
  return result;
}

/// The same of each landmark of each image, [m, L].
template <typename F>
py::array_t<std::int64_t> numbers_of(const Regions& regions, F number) {
  py::array_t<std::int64_t> result({regions.size(), regions.head->size()});
  std::int64_t* out = result.mutable_data();
  for (const auto& image : regions.images) {
    for (const LandmarkPrediction& one : image->landmarks) {
      *out++ = static_cast<std::int64_t>(number(one));
    }
  }
  return result;
}

std::size_t set_size(const LandmarkPrediction& landmark) { return landmark.set.size(); }
Label proposal(const LandmarkPrediction& landmark) { return landmark.proposal; }

/// The number of patches of every image; throws where they differ.
std::size_t common_size(const Regions& regions) {
  if (regions.images.empty()) return 0;
  const auto [least, most] = std::ranges::minmax_element(
      regions.images, {}, [](const auto& image) { return image->num_patches; });
  require((*least)->num_patches == (*most)->num_patches, ErrorKind::invalid_input, [&] {
    return fmt::format("the images have {} to {} patches; take regions[i].mask, one by one",
                       (*least)->num_patches, (*most)->num_patches);
  });
  return (*least)->num_patches;
}

void fill_points(const RegionsOfImage& image, double* out) {
  require(image.grid.has_value(), ErrorKind::invalid_input,
          "where patches lie is not known of plain arrays; give what caos.patches.embed returns, "
          "or use proposals and offsets");
  for (const LandmarkPrediction& landmark : image.landmarks) {
    const vision::Point point = proposed_point(landmark, image.grid->frame);
    *out++ = point.x;
    *out++ = point.y;
  }
}

std::string head_text(const RegionsHead& head, const Guarantee& guarantee) {
  const auto few = std::ranges::count(head.feasible, false);
  return fmt::format(
      "alpha {}, {}; {}{}{}", head.alpha.text(), method_name(head.method), guarantee.text(),
      head.target == ImageTarget::any ? "" : fmt::format(", for {}", target_text(head.target)),
      few == 0 ? ""
               : fmt::format("; alpha is infeasible for {} landmark{}", few, few == 1 ? "" : "s"));
}

double mean_size(const Predictions& landmarks) {
  double sum = 0;
  for (const LandmarkPrediction& one : landmarks) sum += static_cast<double>(one.set.size());
  return landmarks.empty() ? 0 : sum / static_cast<double>(landmarks.size());
}

/// Of a landmark by its name or number, which counts from the end where it is negative.
std::size_t position_of(const RegionsHead& head, py::handle landmark) {
  if (py::isinstance<py::str>(landmark)) {
    const auto found = std::ranges::find(head.landmarks, landmark.cast<std::string>());
    if (found == head.landmarks.end()) throw py::key_error(landmark.cast<std::string>());
    return static_cast<std::size_t>(found - head.landmarks.begin());
  }
  if (PyIndex_Check(landmark.ptr()) == 0) {
    throw py::type_error("a landmark is given by its name or its number");
  }
  return index_of(landmark.cast<py::ssize_t>(), head.size(), "landmarks");
}

// State.

py::tuple state_of(const RegionsHead& head) {
  return py::make_tuple(head.landmarks, head.alpha.text(), std::string(method_name(head.method)),
                        head.k, static_cast<int>(head.guarantee.kind), head.guarantee.why_none,
                        head.guarantee_is_for, head.feasible, head.guarantee.scope,
                        static_cast<int>(head.target), head.assumption);
}

std::shared_ptr<const RegionsHead> head_from(const py::tuple& state) {
  RegionsHead head{.landmarks = state[0].cast<std::vector<std::string>>(),
                   .alpha = Miscoverage::parse(state[1].cast<std::string>())};
  head.method = parse_method(state[2].cast<std::string>());
  head.k = state[3].cast<std::size_t>();
  head.guarantee = {.kind = static_cast<Guarantee::Kind>(state[4].cast<int>()),
                    .why_none = state[5].cast<std::string>(),
                    .scope = state[8].cast<std::string>()};
  head.guarantee_is_for = state[6].cast<std::string>();
  head.feasible = state[7].cast<std::vector<bool>>();
  head.target = static_cast<ImageTarget>(state[9].cast<int>());
  head.assumption = state[10].cast<std::string>();
  return std::make_shared<const RegionsHead>(std::move(head));
}

py::object refined_state(const LandmarkPrediction& landmark) {
  if (!landmark.refined) return py::none();
  return py::make_tuple(landmark.refined->x, landmark.refined->y);
}

/// Those that an earlier version pickled have none.
std::optional<vision::Point> refined_from(const py::object& state) {
  if (state.is_none()) return std::nullopt;
  const auto [x, y] = state.cast<std::pair<double, double>>();
  return vision::Point{.x = x, .y = y};
}

py::tuple state_of(const RegionsOfImage& image) {
  py::list landmarks;
  for (const LandmarkPrediction& one : image.landmarks) {
    landmarks.append(py::make_tuple(one.set, one.p_values, one.proposal, one.offset.x, one.offset.y,
                                    one.proposal_p_value, one.supporting_references,
                                    one.proposal_score, one.score_over_threshold,
                                    refined_state(one)));
  }
  py::object grid = py::none();
  if (image.grid) grid = state_of(*image.grid);
  py::object guarantee = py::none();
  if (image.guarantee) {
    guarantee = py::make_tuple(static_cast<int>(image.guarantee->kind), image.guarantee->why_none,
                               image.guarantee->scope);
  }
  return py::make_tuple(image.num_patches, grid, landmarks, guarantee, image.shape_deviation,
                        image.feasible);
}

std::shared_ptr<const RegionsOfImage> image_from(const py::tuple& state) {
  auto image = std::make_shared<RegionsOfImage>();
  image->num_patches = state[0].cast<std::size_t>();
  if (!state[1].is_none()) image->grid = grid_from(state[1]);
  for (const py::handle landmark : state[2]) {
    const auto values = py::reinterpret_borrow<py::tuple>(landmark);
    image->landmarks.push_back(
        {.set = values[0].cast<PredictionSet>(),
         .p_values = values[1].cast<std::vector<double>>(),
         .proposal = values[2].cast<Label>(),
         .offset = {.x = values[3].cast<double>(), .y = values[4].cast<double>()},
         .refined = values.size() > 9 ? refined_from(values[9]) : std::nullopt,
         .proposal_p_value = values[5].cast<double>(),
         .proposal_score = values[7].cast<double>(),
         .score_over_threshold = values[8].cast<std::optional<double>>(),
         .supporting_references = values[6].cast<std::vector<std::size_t>>()});
  }
  if (!state[3].is_none()) {
    const auto guarantee = py::reinterpret_borrow<py::tuple>(state[3]);
    image->guarantee = Guarantee{.kind = static_cast<Guarantee::Kind>(guarantee[0].cast<int>()),
                                 .why_none = guarantee[1].cast<std::string>(),
                                 .scope = guarantee[2].cast<std::string>()};
  }
  image->shape_deviation = state[4].cast<std::optional<double>>();
  image->feasible = state[5].cast<std::vector<bool>>();
  return image;
}

}  // namespace

// One image.

py::array_t<bool> ImageRegions::mask() const {
  py::array_t<bool> result({head->size(), image->num_patches});
  fill_mask(*image, result.mutable_data());
  return result;
}

py::list ImageRegions::sets() const {
  py::list result;
  for (const LandmarkPrediction& one : image->landmarks) result.append(array_of(one.set));
  return result;
}

py::list ImageRegions::p_values() const {
  py::list result;
  for (const LandmarkPrediction& one : image->landmarks) result.append(array_of(one.p_values));
  return result;
}

py::array_t<std::int64_t> ImageRegions::sizes() const {
  return numbers_of(image->landmarks, set_size);
}

py::array_t<std::int64_t> ImageRegions::proposals() const {
  return numbers_of(image->landmarks, proposal);
}

py::array_t<double> ImageRegions::offsets() const {
  Matrix<double> offsets(head->size(), 2);
  for (std::size_t t = 0; t < head->size(); ++t) {
    offsets(t, 0) = image->landmarks[t].offset.x;
    offsets(t, 1) = image->landmarks[t].offset.y;
  }
  return array_of(std::as_const(offsets).view());
}

py::array_t<double> ImageRegions::proposal_p_values() const {
  std::vector<double> values;
  for (const LandmarkPrediction& one : image->landmarks) values.push_back(one.proposal_p_value);
  return array_of(values);
}

py::array_t<double> ImageRegions::scores_over_threshold() const {
  std::vector<double> values;
  for (const LandmarkPrediction& one : image->landmarks) {
    values.push_back(one.score_over_threshold.value_or(std::nan("")));
  }
  return array_of(values);
}

py::array_t<std::int64_t> ImageRegions::review_order() const {
  std::vector<LandmarkConformity> landmarks;
  for (const LandmarkPrediction& one : image->landmarks) landmarks.push_back(conformity_of(one));
  return array_of(caos::review_order(landmarks));
}

py::array_t<std::int64_t> ImageRegions::supporting_references() const {
  py::array_t<std::int64_t> result({head->size(), head->k});
  std::int64_t* out = result.mutable_data();
  for (const LandmarkPrediction& one : image->landmarks) {
    out = std::ranges::transform(one.supporting_references, out, [](std::size_t i) {
            return static_cast<std::int64_t>(i);
          }).out;
  }
  return result;
}

py::array_t<double> ImageRegions::points() const {
  py::array_t<double> result({head->size(), std::size_t{2}});
  fill_points(*image, result.mutable_data());
  return result;
}

py::array_t<std::int64_t> ImageRegions::set_of(const py::object& landmark) const {
  return array_of(image->landmarks[position_of(*head, landmark)].set);
}

ImageRegions ImageRegions::select(const py::iterable& landmarks) const {
  auto chosen_head = std::make_shared<RegionsHead>(*head);
  auto chosen = std::make_shared<RegionsOfImage>(*image);
  chosen_head->landmarks.clear();
  chosen_head->feasible.clear();
  chosen->landmarks.clear();
  chosen->feasible.clear();
  for (const py::handle landmark : landmarks) {
    const std::size_t t = position_of(*head, landmark);
    chosen_head->landmarks.push_back(head->landmarks[t]);
    chosen_head->feasible.push_back(head->feasible[t]);
    if (!image->feasible.empty()) chosen->feasible.push_back(image->feasible[t]);
    chosen->landmarks.push_back(image->landmarks[t]);
  }
  return {chosen_head, chosen};
}

std::string ImageRegions::text() const {
  return fmt::format("ImageRegions({} landmarks, {} patches, mean size {:.3g}, {})", head->size(),
                     image->num_patches, mean_size(image->landmarks),
                     head_text(*head, guarantee()));
}

// All images.

ImageRegions Regions::at(py::ssize_t i) const {
  return {head, images[index_of(i, size(), "images")]};
}

py::array_t<bool> Regions::mask() const {
  const std::size_t num_patches = common_size(*this);
  py::array_t<bool> result({size(), head->size(), num_patches});
  for (std::size_t i = 0; i < size(); ++i) {
    fill_mask(*images[i], result.mutable_data() + i * head->size() * num_patches);
  }
  return result;
}

py::array_t<std::int64_t> Regions::sizes() const { return numbers_of(*this, set_size); }

py::array_t<std::int64_t> Regions::proposals() const { return numbers_of(*this, proposal); }

py::array_t<double> Regions::points() const {
  py::array_t<double> result({size(), head->size(), std::size_t{2}});
  for (std::size_t i = 0; i < size(); ++i) {
    fill_points(*images[i], result.mutable_data() + i * head->size() * 2);
  }
  return result;
}

py::array_t<std::int64_t> Regions::review_order() const {
  std::vector<ImageConformity> conformities;
  for (const auto& image : images) {
    conformities.push_back(conformity_of(std::span<const LandmarkPrediction>(image->landmarks),
                                         image->shape_deviation));
  }
  return array_of(caos::review_order(conformities));
}

py::array_t<double> Regions::covers(const py::object& object) const {
  const Matrix<std::int64_t> labels = label_table_of(object, "labels");
  require(labels.rows() == size() && labels.cols() == head->size(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "labels: are of {} images with {} landmarks; these are regions of {} with {}"
        " (landmarks that were left out have none)",
        labels.rows(), labels.cols(), size(), head->size());
  });
  std::vector<std::size_t> num_patches;
  for (const auto& image : images) num_patches.push_back(image->num_patches);
  check_patch_labels(labels, num_patches, "labels", "the regions");
  Matrix<double> covered(size(), head->size(), std::nan(""));
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::size_t t = 0; t < head->size(); ++t) {
      if (labels(i, t) == missing_label) continue;
      const PredictionSet& set = images[i]->landmarks[t].set;
      const auto label = static_cast<Label>(labels(i, t));
      covered(i, t) = std::ranges::binary_search(set, label) ? 1 : 0;
    }
  }
  return array_of(std::as_const(covered).view());
}

py::array_t<bool> array_of_truths(const std::vector<bool>& truths) {
  py::array_t<bool> result(static_cast<py::ssize_t>(truths.size()));
  std::ranges::copy(truths, result.mutable_data());
  return result;
}

std::string Regions::text() const {
  double sum = 0;
  for (const auto& image : images) sum += mean_size(image->landmarks);
  return fmt::format("Regions({} image{}, {} landmark{}, mean size {:.3g}, {})", size(),
                     size() == 1 ? "" : "s", head->size(), head->size() == 1 ? "" : "s",
                     images.empty() ? 0 : sum / static_cast<double>(size()),
                     head_text(*head, guarantee()));
}

py::tuple state_of(const ImageRegions& regions) {
  return py::make_tuple(state_of(*regions.head), state_of(*regions.image));
}

ImageRegions image_regions_from(const py::tuple& state) {
  return {head_from(state[0]), image_from(state[1])};
}

py::tuple state_of(const Regions& regions) {
  py::list images;
  for (const auto& image : regions.images) images.append(state_of(*image));
  return py::make_tuple(state_of(*regions.head), images);
}

Regions regions_from(const py::tuple& state) {
  Regions regions{.head = head_from(state[0])};
  for (const py::handle image : state[1]) {
    regions.images.push_back(image_from(py::reinterpret_borrow<py::tuple>(image)));
  }
  return regions;
}

}  // namespace caos::python
