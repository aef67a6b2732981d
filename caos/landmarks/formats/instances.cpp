#include "caos/landmarks/formats/instances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

bool is_marked(const Landmark& landmark) { return landmark.visibility != Visibility::missing; }

bool has_marks(const Instance& instance) {
  return std::ranges::any_of(instance.landmarks, is_marked);
}

bool is_called(const Instance& instance, const std::string& id) {
  return instance.id == id || instance.other == id;
}

/// Of the box around its marked landmarks.
double area_of(const Instance& instance) {
  constexpr double far = std::numeric_limits<double>::infinity();
  double left = far, top = far, right = -far, bottom = -far;
  for (const Landmark& landmark : instance.landmarks) {
    if (!is_marked(landmark)) continue;
    left = std::min(left, landmark.x);
    right = std::max(right, landmark.x);
    top = std::min(top, landmark.y);
    bottom = std::max(bottom, landmark.y);
  }
  return right < left ? 0 : (right - left) * (bottom - top);
}

std::string ids_text(const std::vector<Instance>& instances) {
  constexpr std::size_t most = 8;
  std::vector<std::string> ids;
  for (const Instance& instance : instances) {
    if (std::ranges::find(ids, instance.id) == ids.end()) ids.push_back(instance.id);
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(most, ids.size()); ++i) {
    text += (i > 0 ? ", " : "") + printable(ids[i]);
  }
  return ids.size() > most ? text + ", ..." : text;
}

[[noreturn]] void refuse_several(const std::vector<Instance>& marked, const Annotation& image) {
  throw Error(ErrorKind::bad_format,
              fmt::format("{} in image '{}', which has {} instances ({}); choose with --instances "
                          "largest, first, each or the id of one",
                          marked[1].place, io::printable_path(image.image), marked.size(),
                          ids_text(marked)));
}

Instance chosen(std::vector<Instance> marked, const InstanceOptions& options,
                const Annotation& image) {
  if (marked.size() > 1 && options.rule == InstanceRule::refuse) refuse_several(marked, image);
  if (options.rule == InstanceRule::largest) {
    return *std::ranges::max_element(marked, {}, area_of);
  }
  return marked[0];
}

/// The landmarks of an image that has none of its own: named, all missing.
std::vector<Landmark> blank(std::vector<Landmark> landmarks) {
  for (Landmark& landmark : landmarks) {
    landmark = {.name = std::move(landmark.name), .visibility = Visibility::missing};
  }
  return landmarks;
}

/// The name, or where another image has it, the name with a number; then it is used.
std::string unused_name(const std::string& name, std::set<std::string>& used) {
  std::string result = name;
  for (std::size_t i = 2; !used.insert(result).second; ++i) result = fmt::format("{}.{}", name, i);
  return result;
}

Annotation with(Annotation image, const Instance& instance, const std::vector<Landmark>& shared,
                bool as_subject) {
  image.landmarks = instance.landmarks;
  for (const Landmark& landmark : shared) {
    const bool known = std::ranges::any_of(
        image.landmarks, [&](const Landmark& other) { return other.name == landmark.name; });
    if (!known) image.landmarks.push_back(landmark);
  }
  if (as_subject && !instance.id.empty() && has_marks(instance)) image.subject = instance.id;
  return image;
}

}  // namespace

InstanceOptions parse_instances(const std::string& text) {
  if (text == "error") return {};
  if (text == "largest") return {.rule = InstanceRule::largest};
  if (text == "first") return {.rule = InstanceRule::first};
  if (text == "each") return {.rule = InstanceRule::each};
  require(!text.empty(), ErrorKind::invalid_input,
          "--instances: expected error, largest, first, each, or the id of an instance");
  return {.rule = InstanceRule::by_id, .id = text};
}

void Instances::add(std::size_t image, Instance instance) {
  images_[image].instances.push_back(std::move(instance));
}

bool Instances::add_shared(std::size_t image, const Landmark& landmark) {
  auto& shared = images_[image].shared;
  const bool known = std::ranges::any_of(
      shared, [&](const Landmark& other) { return other.name == landmark.name; });
  if (!known) shared.push_back(landmark);
  return !known;
}

LandmarkTable Instances::settle(LandmarkTable table, const InstanceOptions& options,
                                const std::string& name) const {
  LandmarkTable result;
  std::set<std::string> names;
  for (const Annotation& image : table.annotations) names.insert(image.image);
  bool id_known = false;
  std::vector<Instance> all;
  for (std::size_t i = 0; i < table.annotations.size(); ++i) {
    Annotation& image = table.annotations[i];
    const auto found = images_.find(i);
    if (found == images_.end()) {
      result.annotations.push_back(std::move(image));
      continue;
    }
    const OfImage& of = found->second;
    std::vector<Instance> marked;
    std::ranges::copy_if(of.instances, std::back_inserter(marked), has_marks);
    Instance none;
    if (!of.instances.empty()) none.landmarks = blank(of.instances[0].landmarks);
    if (options.rule == InstanceRule::by_id) {
      if (all.size() < 64) all.insert(all.end(), of.instances.begin(), of.instances.end());
      std::erase_if(marked, [&](const Instance& one) { return !is_called(one, options.id); });
      id_known = id_known || std::ranges::any_of(of.instances, [&](const Instance& one) {
                   return is_called(one, options.id);
                 });
    }
    if (options.rule == InstanceRule::each && marked.size() > 1) {
      for (const Instance& one : marked) {
        Annotation part = with(image, one, of.shared, false);
        if (!part.subject) part.subject = image.image;
        part.image = unused_name(part.image + "#" + one.id, names);
        result.annotations.push_back(std::move(part));
      }
      continue;
    }
    const Instance one = marked.empty() ? none : chosen(std::move(marked), options, image);
    result.annotations.push_back(with(std::move(image), one, of.shared, options.as_subjects));
  }
  if (options.rule == InstanceRule::by_id && !all.empty() && !id_known) {
    io::refuse(name, fmt::format("--instances {}: no image has that instance; there are {}",
                                 printable(options.id), ids_text(all)));
  }
  return result;
}

}  // namespace caos::landmarks
