#include "caos/landmarks/formats/tps_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"
#include "caos/landmarks/formats/positions.hpp"
#include "caos/landmarks/formats/table_builder.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

/// What tpsDig writes for a landmark that was left out.
constexpr double left_out = -1;

/// How the comment on a specimen begins whose landmarks are proposals; their conformity follows.
constexpr std::string_view proposed_mark = "proposed by caos, conformity:";

TpsY direction(const TpsOptions& options) { return options.y.value_or(TpsY::bottom); }

bool is_marked(const Landmark& landmark) { return landmark.visibility != Visibility::missing; }

/// 0 where nothing is marked, which needs no height.
double height_of(const Annotation& annotation, const ImageSizes& sizes) {
  if (std::ranges::none_of(annotation.landmarks, is_marked)) return 0;
  if (annotation.height) return static_cast<double>(*annotation.height);
  const auto size = sizes ? sizes(annotation.image) : std::nullopt;
  require(size.has_value(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "image '{}': y from the bottom needs the height of the image; give the size of the images "
        "(--images or --image-size), or say that y counts from the top (--tps-y top)",
        io::printable_path(annotation.image));
  });
  return static_cast<double>(size->height);
}

struct Entry {
  std::string key;  // in capitals
  std::string_view value;
};

struct Specimen {
  std::size_t line = 0;
  Annotation annotation{};
  std::string id{};
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& name, const TpsOptions& options,
         const ImageSizes& sizes)
      : lines_(text), name_(name), options_(options), sizes_(sizes), y_(direction(options)) {}

  LandmarkTable read(const InstanceOptions& options) {
    while (const auto line = lines_.next()) {
      const Entry entry = entry_of(*line);
      entry.key == "LM" ? begin(entry.value) : read_entry(entry);
    }
    if (!inside_) io::refuse(name_, "has no specimen; expected a line LM=<number of landmarks>");
    end();
    return instances_.settle(builder_.take(), options, name_);
  }

  /// How many landmarks are at (0, 0).
  [[nodiscard]] std::size_t num_at_zero() const { return num_at_zero_; }
  /// How many points of curves were left out.
  [[nodiscard]] std::size_t num_left_out() const { return num_left_out_; }

 private:
  Entry entry_of(std::string_view line) const {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      refuse(fmt::format("'{}' is neither KEY=value nor one of the points counted before",
                         printable(line)));
    }
    std::string key(trim(line.substr(0, equals)));
    std::ranges::transform(key, key.begin(), [](char c) {
      return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return {std::move(key), trim(line.substr(equals + 1))};
  }

  void begin(std::string_view count) {
    if (inside_) end();
    inside_ = true;
    num_curves_ = 0;
    specimen_ = {.line = lines_.number()};
    read_points(count == "-1" ? 0 : count_of(count), "");
  }

  void read_entry(const Entry& entry) {
    if (entry.key == "LM3") refuse("landmarks in three dimensions (LM3=) are not for images");
    if (!inside_) refuse(fmt::format("{}= stands before the first LM=", printable(entry.key)));
    if (entry.key == "IMAGE") specimen_.annotation.image = entry.value;
    if (entry.key == "ID") specimen_.id = entry.value;
    if (entry.key == "SCALE") specimen_.annotation.scale = scale_of(entry.value);
    if (entry.key == "CURVES" || entry.key == "OUTLINES") see_curves(entry);
    if (entry.key == "POINTS") read_curve(count_of(entry.value));
    if (entry.key == "COMMENT") read_comment(entry.value);
  }

  void see_curves(const Entry& entry) const {
    if (count_of(entry.value) > 0 && options_.curves == TpsCurves::refuse) {
      refuse(
          fmt::format("has {}=, whose points are not landmarks; give --tps-curves skip to leave "
                      "them out, or --tps-curves landmarks to read them",
                      entry.key));
    }
  }

  void read_curve(std::size_t count) {
    const std::size_t before = specimen_.annotation.landmarks.size();
    read_points(count, fmt::format("curve{}.", ++num_curves_));
    if (options_.curves == TpsCurves::landmarks) return;
    num_left_out_ += count;
    specimen_.annotation.landmarks.resize(before);
  }

  /// What the writer says about proposals; other comments are not looked at.
  void read_comment(std::string_view text) {
    if (!text.starts_with(proposed_mark)) return;
    const std::vector<std::string_view> words = words_of(text.substr(proposed_mark.size()));
    auto& landmarks = specimen_.annotation.landmarks;
    for (std::size_t i = 0; i < std::min(words.size(), landmarks.size()); ++i) {
      const auto value = parse_number(words[i]);
      if (!is_marked(landmarks[i]) || !value || !(*value >= 0 && *value <= 1)) continue;
      landmarks[i].proposed = true;
      landmarks[i].conformity = value;
    }
  }

  /// One by one: the count may be anything, the lines are as many as there are.
  void read_points(std::size_t count, const std::string& prefix) {
    const std::size_t begin = lines_.number();
    for (std::size_t i = 1; i <= count; ++i) {
      const auto line = lines_.next();
      if (!line) {
        refuse_line(name_, begin, fmt::format("{} points are announced, {} follow", count, i - 1));
      }
      specimen_.annotation.landmarks.push_back(point_of(*line, fmt::format("{}{}", prefix, i)));
    }
  }

  Landmark point_of(std::string_view line, std::string name) {
    Landmark result{.name = std::move(name), .x = 0, .y = 0, .visibility = Visibility::missing};
    const auto position =
        parse_point_line(line, result.name, [&](const std::string& what) { refuse(what); });
    if (!position) return result;
    const auto [x, y] = *position;
    num_at_zero_ += x == 0 && y == 0 ? 1 : 0;
    if (is_left_out(x, y)) return result;
    return {.name = std::move(result.name), .x = x, .y = y, .visibility = Visibility::visible};
  }

  std::size_t count_of(std::string_view text) const {
    const auto value = parse_count(text);
    if (!value) refuse(fmt::format("'{}' is not a number of points", printable(text)));
    return *value;
  }

  /// Tools write 0 or -1 where the scale was not set.
  std::optional<double> scale_of(std::string_view text) const {
    if (is_missing_word(text)) return std::nullopt;
    const auto value = parse_decimal(text, true);
    if (!value) refuse(fmt::format("SCALE={} is not a number", printable(text)));
    return *value > 0 ? value : std::nullopt;
  }

  void end() {
    Annotation& annotation = specimen_.annotation;
    if (annotation.image.empty()) annotation.image = specimen_.id;
    if (annotation.image.empty()) {
      refuse_line(name_, specimen_.line, "the specimen has neither IMAGE= nor ID=");
    }
    if (y_ == TpsY::bottom) turn_over(annotation);
    const std::size_t place = builder_.image(annotation.image);
    const bool is_new = specimens_.size() <= place;
    specimens_.resize(std::max(specimens_.size(), place + 1));
    const std::size_t number = ++specimens_[place];
    instances_.add(place, {.id = specimen_.id.empty() ? fmt::format("{}", number) : specimen_.id,
                           .place = fmt::format("{}:{}: a second specimen", name_, specimen_.line),
                           .landmarks = std::exchange(annotation.landmarks, {})});
    if (is_new) builder_[place] = std::move(annotation);
  }

  void turn_over(Annotation& annotation) const {
    const double height = height_of(annotation, sizes_);
    for (Landmark& landmark : annotation.landmarks) {
      if (is_marked(landmark)) landmark.y = height - landmark.y;
    }
  }

  [[noreturn]] void refuse(const std::string& what) const {
    refuse_line(name_, lines_.number(), what);
  }

  Lines lines_;
  const std::string& name_;
  const TpsOptions& options_;
  const ImageSizes& sizes_;
  TpsY y_;
  bool inside_ = false;
  std::size_t num_curves_ = 0;
  std::size_t num_at_zero_ = 0;
  std::size_t num_left_out_ = 0;
  Specimen specimen_{};
  TableBuilder builder_;
  Instances instances_;
  std::vector<std::size_t> specimens_{};  // how many each image has
};

std::string point_text(const Annotation& annotation, const Landmark& landmark, double y) {
  if (!is_marked(landmark)) return "-1 -1\n";
  require(landmark.x != left_out || y != left_out, ErrorKind::invalid_input, [&] {
    return fmt::format("image '{}': landmark '{}' lies at (-1, -1), which means missing in TPS",
                       io::printable_path(annotation.image), printable(landmark.name));
  });
  return fmt::format("{} {}\n", number_text(landmark.x), number_text(y));
}

std::string comment_text(const Annotation& annotation) {
  if (std::ranges::none_of(annotation.landmarks, &Landmark::proposed)) return "";
  std::string text = fmt::format("COMMENT={}", proposed_mark);
  for (const Landmark& landmark : annotation.landmarks) {
    text += " " + (landmark.conformity ? number_text(*landmark.conformity) : std::string("-"));
  }
  return text + "\n";
}

std::string points_text(const Annotation& annotation, const TpsOptions& options,
                        const ImageSizes& sizes) {
  const bool from_top = direction(options) == TpsY::top;
  const double height = from_top ? 0 : height_of(annotation, sizes);
  std::string text;
  for (const Landmark& landmark : annotation.landmarks) {
    // Subtracting leaves digits that were not measured.
    const double y = std::round((height - landmark.y) * 1e9) / 1e9;
    text += point_text(annotation, landmark, from_top ? landmark.y : y);
  }
  return text;
}

}  // namespace

LandmarkTable parse_tps(std::string_view text, const std::string& name, const TpsOptions& options,
                        const ImageSizes& sizes, const InstanceOptions& instances,
                        const std::function<void(const std::string&)>& note) {
  Reader reader(text, name, options, sizes);
  LandmarkTable table = reader.read(instances);
  if (!note) return table;
  if (reader.num_at_zero() > 0) note(zero_note(name, reader.num_at_zero()));
  if (reader.num_left_out() > 0) {
    note(
        fmt::format("{}: {} points of curves and outlines are not read (--tps-curves landmarks "
                    "reads them)",
                    name, reader.num_left_out()));
  }
  if (!options.y) {
    note(
        fmt::format("{}: y is taken to count from the bottom, as tpsDig writes it; otherwise give "
                    "--tps-y top",
                    name));
  }
  return table;
}

std::string write_tps(const LandmarkTable& table, const TpsOptions& options,
                      const ImageSizes& sizes) {
  check_table(table);
  std::string text;
  std::size_t id = 0;
  for (const Annotation& annotation : with_all_landmarks(table).annotations) {
    require_one_line(annotation.image, "TPS");
    text += fmt::format("LM={}\n{}IMAGE={}\nID={}\n", annotation.landmarks.size(),
                        points_text(annotation, options, sizes), annotation.image, id++);
    if (annotation.scale) text += fmt::format("SCALE={}\n", number_text(*annotation.scale));
    text += comment_text(annotation);
  }
  return text;
}

}  // namespace caos::landmarks
