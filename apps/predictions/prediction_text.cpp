#include "apps/predictions/prediction_text.hpp"

#include <fmt/format.h>

#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "apps/predictions/json_text.hpp"
#include "apps/predictions/number_texts.hpp"
#include "caos/io/csv.hpp"
#include "caos/landmarks/points/proposed_point.hpp"
#include "caos/landmarks/triage.hpp"
#include "caos/vision/drawing/outline.hpp"

namespace caos::predictions {
namespace {

void append(std::string& text, std::size_t number) {
  fmt::format_to(std::back_inserter(text), "{}", number);
}

/// The items one after another, each as `write` appends it.
template <typename Items, typename Write>
void join(std::string& text, std::string_view between, const Items& items, const Write& write) {
  bool first = true;
  for (const auto& item : items) {
    if (!first) text += between;
    first = false;
    write(item);
  }
}

/// The corners of a grid in pixels of an image: many outlines share few of them.
class CornerTexts {
 public:
  CornerTexts(const vision::Frame& frame, NumberTexts& numbers) {
    for (std::size_t x = 0; x <= frame.grid.columns; ++x) {
      x_.emplace_back(numbers.of(rounded(corner_in_pixels({x, 0}, frame).x)));
    }
    for (std::size_t y = 0; y <= frame.grid.rows; ++y) {
      y_.emplace_back(numbers.of(rounded(corner_in_pixels({0, y}, frame).y)));
    }
  }

  [[nodiscard]] const std::string& x(const vision::GridCorner& corner) const {
    return x_[corner.x];
  }
  [[nodiscard]] const std::string& y(const vision::GridCorner& corner) const {
    return y_[corner.y];
  }

 private:
  std::vector<std::string> x_;
  std::vector<std::string> y_;
};

/// An image as JSON, as `json_text` would write it.
class JsonText {
 public:
  JsonText(const ImagePrediction& image, std::span<const std::string> landmarks,
           std::span<const std::string> references)
      : image_(image),
        landmarks_(landmarks),
        references_(references),
        corners_(image.frame, numbers_) {}

  std::string write() {
    const vision::PatchGrid& grid = image_.frame.grid;
    text_ = fmt::format(
        R"({{"image":{},"width":{},"height":{},"grid":{{"columns":{},"rows":{},"patch_size":{}}})",
        json_text(image_.image), image_.frame.width, image_.frame.height, grid.columns, grid.rows,
        grid.patch_size);
    if (image_.scale) add(",\"mm_per_pixel\":", *image_.scale);
    for (const Remark& remark : image_.remarks) {
      text_ += ',' + json_text(remark.key) + ':' +
               (remark.names ? json_text(*remark.names) : json_text(remark.text));
    }
    text_ += ",\"landmarks\":[";
    for (std::size_t t = 0; t < image_.landmarks.size(); ++t) {
      if (t > 0) text_ += ',';
      add_landmark(landmarks_[t], image_.landmarks[t]);
    }
    text_ += "]}";
    return std::move(text_);
  }

 private:
  void add(std::string_view key, double number) {
    text_ += key;
    text_ += numbers_.of(number);
  }
  void add(std::string_view key, std::size_t number) {
    text_ += key;
    append(text_, number);
  }

  void add_landmark(const std::string& name, const LandmarkPrediction& prediction) {
    text_ += "{\"landmark\":";
    text_ += name;
    add(",\"set_size\":", prediction.set.size());
    text_ += ",\"patches\":[";
    join(text_, ",", prediction.set, [&](Label patch) { append(text_, patch); });
    text_ += "],\"p_values\":[";
    join(text_, ",", prediction.p_values, [&](double p) { text_ += numbers_.of(p); });
    text_ += "],\"outline\":[";
    add_outline(prediction);
    const double area = area_of(prediction, image_.frame);
    add("],\"area\":", rounded(area));
    add_proposal(prediction);
    if (prediction.set.empty()) text_ += fmt::format(",\"warning\":\"{}\"", nothing_conforms);
    add_supporting_references(",\"supporting_references\":[", prediction);
    add_supporting_references(",\"references\":[", prediction);  // the old key, for one version
    if (image_.scale) add(",\"area_mm2\":", rounded(area * *image_.scale * *image_.scale));
    text_ += '}';
  }

  void add_supporting_references(std::string_view key, const LandmarkPrediction& prediction) {
    text_ += key;
    join(text_, ",", prediction.supporting_references,
         [&](std::size_t i) { text_ += references_[i]; });
    text_ += ']';
  }

  void add_outline(const LandmarkPrediction& prediction) {
    join(text_, ",", vision::outline(prediction.set, image_.frame.grid),
         [&](const vision::Ring& ring) {
           text_ += '[';
           join(text_, ",", ring, [&](const vision::GridCorner& corner) {
             text_ += '[';
             text_ += corners_.x(corner);
             text_ += ',';
             text_ += corners_.y(corner);
             text_ += ']';
           });
           text_ += ']';
         });
  }

  void add_proposal(const LandmarkPrediction& prediction) {
    const vision::Point place = proposal_of(prediction, image_.frame);
    add(",\"proposal\":{\"patch\":", prediction.proposal);
    add(",\"x\":", rounded(place.x));
    add(",\"y\":", rounded(place.y));
    add(",\"p_value\":", prediction.proposal_p_value);
    if (prediction.score_over_threshold) {
      add(",\"score_over_threshold\":", *prediction.score_over_threshold);
    }
    if (image_.scale) {
      add(",\"x_mm\":", rounded(place.x * *image_.scale));
      add(",\"y_mm\":", rounded(place.y * *image_.scale));
    }
    text_ += prediction.refined ? R"(,"refined":true)" : R"(,"refined":false)";
    const bool inside = is_inside_region(prediction, image_.frame);
    text_ += inside ? R"(,"inside_region":true)" : R"(,"inside_region":false)";
    text_ += '}';
  }

  const ImagePrediction& image_;
  std::span<const std::string> landmarks_;
  std::span<const std::string> references_;
  NumberTexts numbers_{NumberTexts::Style::json};
  CornerTexts corners_;
  std::string text_;
};

/// An image as rows of CSV.
class CsvText {
 public:
  CsvText(const ImagePrediction& image, std::span<const std::string> landmarks,
          std::span<const std::string> references)
      : image_(image),
        name_(io::csv_field(image.image)),
        landmarks_(landmarks),
        references_(references),
        corners_(image.frame, numbers_) {}

  std::string write() {
    for (std::size_t t = 0; t < image_.landmarks.size(); ++t) {
      text_ += name_;
      text_ += ',';
      text_ += landmarks_[t];
      add_row(image_.landmarks[t]);
    }
    return std::move(text_);
  }

 private:
  void add_fixed(double value) { fmt::format_to(std::back_inserter(text_), ",{:.3f}", value); }
  void add_millimeters(double pixels) {
    if (image_.scale) return add_fixed(pixels * *image_.scale);
    text_ += ',';
  }
  void add_number(std::size_t number) {
    text_ += ',';
    append(text_, number);
  }

  void add_row(const LandmarkPrediction& prediction) {
    const vision::Point place = proposal_of(prediction, image_.frame);
    const double area = area_of(prediction, image_.frame);
    add_fixed(place.x);
    add_fixed(place.y);
    add_millimeters(place.x);
    add_millimeters(place.y);
    add_number(prediction.set.size());
    add_fixed(area);
    add_millimeters(area * image_.scale.value_or(1));
    add_number(prediction.proposal);
    text_ += ',';
    text_ += numbers_.of(prediction.proposal_p_value);
    text_ += ',';
    join(text_, " ", prediction.set, [&](Label patch) { append(text_, patch); });
    text_ += ',';
    join(text_, " ", prediction.p_values, [&](double p) { text_ += numbers_.of(p); });
    text_ += ',';
    add_supporting_references(prediction);
    text_ += ',';
    add_supporting_references(prediction);  // the old column, for one version
    text_ += ',';
    add_outline(prediction);
    text_ += ',';
    if (prediction.score_over_threshold) text_ += numbers_.of(*prediction.score_over_threshold);
    text_ += ',';
    if (prediction.set.empty()) text_ += nothing_conforms;
    for (const Remark& remark : image_.remarks) text_ += ',' + io::csv_field(remark.text);
    text_ += '\n';
  }

  void add_supporting_references(const LandmarkPrediction& prediction) {
    std::string names;
    join(names, ";", prediction.supporting_references,
         [&](std::size_t i) { names += references_[i]; });
    text_ += io::csv_field(names);
  }

  /// Rings apart by semicolons, each "x y, x y, ...": always with commas, hence in quotes.
  void add_outline(const LandmarkPrediction& prediction) {
    const std::vector<vision::Ring> rings = vision::outline(prediction.set, image_.frame.grid);
    if (rings.empty()) return;
    text_ += '"';
    join(text_, "; ", rings, [&](const vision::Ring& ring) {
      join(text_, ", ", ring, [&](const vision::GridCorner& corner) {
        text_ += corners_.x(corner);
        text_ += ' ';
        text_ += corners_.y(corner);
      });
    });
    text_ += '"';
  }

  const ImagePrediction& image_;
  std::string name_;
  std::span<const std::string> landmarks_;
  std::span<const std::string> references_;
  NumberTexts numbers_{NumberTexts::Style::plain};
  CornerTexts corners_;
  std::string text_;
};

}  // namespace

PredictionText::PredictionText(std::span<const std::string> landmarks,
                               std::span<const std::string> references, bool csv)
    : csv_(csv) {
  for (const std::string& name : landmarks) {
    landmarks_.push_back(csv ? io::csv_field(name) : json_text(name));
  }
  for (const std::string& name : references) {
    references_.push_back(csv ? name : json_text(name));
  }
}

std::string PredictionText::of(const ImagePrediction& prediction) const {
  return csv_ ? CsvText(prediction, landmarks_, references_).write()
              : JsonText(prediction, landmarks_, references_).write();
}

std::string PredictionText::csv_header(std::span<const std::string> remarks) {
  std::string header =
      "image,landmark,x,y,x_mm,y_mm,set_size,area,area_mm2,proposal_patch,proposal_p_value,patches,"
      "p_values,supporting_references,references,outline,score_over_threshold,warning";
  for (const std::string& key : remarks) header += ',' + io::csv_field(key);
  return header + '\n';
}

}  // namespace caos::predictions
