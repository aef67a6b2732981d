#include "caos/landmarks/formats/hdf5/deeplabcut_hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"
#include "caos/landmarks/formats/hdf5/hdf5_file.hpp"
#include "caos/landmarks/formats/hdf5/hdf5_writer.hpp"
#include "caos/landmarks/formats/hdf5/pickled_lists.hpp"
#include "caos/landmarks/formats/tables/deeplabcut_format.hpp"

namespace caos::landmarks {
namespace {

using io::printable;
/// Labels of a row or a column, one per level.
using Labels = std::vector<std::string>;

constexpr const char* own_key = "df_with_missing";
constexpr std::size_t most_levels = 8;
constexpr std::size_t most_blocks = 64;

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name) : file_(bytes, name), name_(name) {
    for (const std::string& key : file_.roots()) {
      const auto type = file_.text_attribute(key, "pandas_type");
      if (!type) continue;
      if (!key_.empty()) {
        io::refuse(name_, fmt::format("holds several tables, '{}' and '{}'; expected one",
                                      printable(key_), printable(key)));
      }
      key_ = key;
      type_ = *type;
    }
    if (key_.empty()) {
      io::refuse(name_, "holds no pandas table; expected a .h5 file of DeepLabCut");
    }
  }

  DeepLabCutSheet read() {
    if (type_ == "frame") {
      read_fixed();
    } else if (type_ == "frame_table") {
      read_table();
    } else {
      io::refuse(name_, fmt::format("holds a pandas '{}'; expected a data frame of DeepLabCut",
                                    printable(type_)));
    }
    for (std::size_t i = 0; i < sheet_.images.size(); ++i) {
      sheet_.places.push_back(fmt::format("{}: row {}:", name_, i + 1));
    }
    return std::move(sheet_);
  }

 private:
  [[nodiscard]] std::string path(const std::string& child) const { return key_ + "/" + child; }

  // As `fixed`: labels of the axes, and blocks of columns with their labels.

  void read_fixed() {
    for (const Labels& labels : read_axis("axis1")) sheet_.images.push_back(joined(labels));
    sheet_.rows.resize(sheet_.images.size());
    const double blocks = file_.number_attribute(key_, "nblocks").value_or(0);
    if (!(blocks >= 0 && blocks <= static_cast<double>(most_blocks))) {
      file_.refuse(key_, "has too many blocks");
    }
    for (std::size_t b = 0; b < static_cast<std::size_t>(blocks); ++b) read_block(b);
  }

  void read_block(std::size_t b) {
    const std::vector<Labels> items = read_axis(fmt::format("block{}_items", b));
    const std::string values_path = path(fmt::format("block{}_values", b));
    const std::vector<std::size_t> shape = file_.shape(values_path);
    const bool fits =
        shape.size() == 2 && shape[0] == sheet_.images.size() && shape[1] == items.size();
    if (!fits) file_.refuse(values_path, "does not have a row per image and a column per label");
    add_columns(items);
    add_values(file_.numbers(values_path), items.size());
  }

  /// The labels of an axis: one text each, or several levels, stored as codes.
  [[nodiscard]] std::vector<Labels> read_axis(const std::string& axis) const {
    const std::string variety = file_.text_attribute(key_, axis + "_variety").value_or("regular");
    std::vector<Labels> labels;
    if (variety == "regular") {
      for (std::string& text : file_.texts(path(axis))) labels.push_back({std::move(text)});
      return labels;
    }
    if (variety != "multi") {
      file_.refuse(key_, fmt::format("{} is of the kind '{}'", axis, printable(variety)));
    }
    const double levels = file_.number_attribute(key_, axis + "_nlevels").value_or(0);
    if (!(levels >= 1 && levels <= static_cast<double>(most_levels))) {
      file_.refuse(key_, fmt::format("{} has a wrong number of levels", axis));
    }
    for (std::size_t l = 0; l < static_cast<std::size_t>(levels); ++l) {
      add_level(labels, fmt::format("{}_level{}", axis, l), fmt::format("{}_label{}", axis, l));
    }
    return labels;
  }

  void add_level(std::vector<Labels>& labels, const std::string& level,
                 const std::string& codes) const {
    const std::vector<std::string> texts = file_.texts(path(level));
    const std::vector<double> numbers = file_.numbers(path(codes));
    if (labels.empty()) labels.resize(numbers.size());
    if (labels.size() != numbers.size()) file_.refuse(path(codes), "has another length");
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const bool known = numbers[i] >= 0 && numbers[i] < static_cast<double>(texts.size());
      if (!known) file_.refuse(path(codes), "has a code without a label");
      labels[i].push_back(texts[static_cast<std::size_t>(numbers[i])]);
    }
  }

  // As `table`: a row per image, blocks of columns as fields of it.

  void read_table() {
    const std::string table = path("table");
    sheet_.images = file_.texts(table, "index");
    sheet_.rows.resize(sheet_.images.size());
    for (std::size_t b = 0; b < most_blocks; ++b) {
      const std::string field = fmt::format("values_block_{}", b);
      if (!file_.has_field(table, field)) break;
      const auto kind = file_.text_attribute(table, field + "_kind");
      if (!kind) file_.refuse(table, fmt::format("does not name the columns of {}", field));
      const std::vector<Labels> items = unpickle_lists(*kind, name_);
      const std::vector<double> values = file_.numbers(table, field);
      if (values.size() != items.size() * sheet_.images.size()) {
        file_.refuse(table, "does not have a column per label");
      }
      add_columns(items);
      add_values(values, items.size());
    }
  }

  // Both.

  /// Levels are scorer, perhaps individuals, bodyparts and coords.
  void add_columns(const std::vector<Labels>& items) {
    for (const Labels& labels : items) {
      if (labels.size() != 3 && labels.size() != 4) {
        file_.refuse(key_,
                     "does not have the columns of DeepLabCut (scorer, perhaps individuals, "
                     "bodyparts, coords)");
      }
      sheet_.scorer = labels[0];
      sheet_.columns.push_back({.individual = labels.size() == 4 ? labels[1] : "",
                                .bodypart = labels[labels.size() - 2],
                                .coordinate = labels.back()});
    }
  }

  void add_values(const std::vector<double>& values, std::size_t width) {
    for (std::size_t i = 0; i < sheet_.rows.size(); ++i) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * width);
      sheet_.rows[i].insert(sheet_.rows[i].end(), begin,
                            begin + static_cast<std::ptrdiff_t>(width));
    }
  }

  static std::string joined(const Labels& labels) {
    std::string text;
    for (const std::string& label : labels) text += (text.empty() ? "" : "/") + label;
    return text;
  }

  Hdf5File file_;
  const std::string& name_;
  std::string key_{};
  std::string type_{};
  DeepLabCutSheet sheet_{};
};

/// Writes a data frame so that pandas (by PyTables) reads it.
class Writer {
 public:
  explicit Writer(const DeepLabCutSheet& sheet) : sheet_(sheet) {}

  std::string write() {
    describe_group("", "GROUP");
    file_.attribute("", "PYTABLES_FORMAT_VERSION", std::string("2.1"));
    file_.group(own_key);
    describe_group(own_key, "GROUP");
    for (const auto& [key, text] :
         std::map<std::string, std::string>{{"encoding", "UTF-8"},
                                            {"errors", "strict"},
                                            {"pandas_type", "frame"},
                                            {"pandas_version", "0.15.2"},
                                            {"axis0_variety", "multi"},
                                            {"axis1_variety", "regular"},
                                            {"block0_items_variety", "multi"}}) {
      file_.attribute(own_key, key, text);
    }
    file_.attribute(own_key, "ndim", 2);
    file_.attribute(own_key, "nblocks", 1);
    write_columns("axis0");
    write_texts(path("axis1"), sheet_.images, "");
    write_columns("block0_items");
    write_values();
    return file_.take();
  }

 private:
  static std::string path(const std::string& child) { return std::string(own_key) + "/" + child; }

  void describe_group(const std::string& at, const char* kind) {
    file_.attribute(at, "CLASS", std::string(kind));
    file_.attribute(at, "TITLE", std::string());
    file_.attribute(at, "VERSION", std::string("1.0"));
  }

  void describe_array(const std::string& at) {
    file_.attribute(at, "CLASS", std::string("ARRAY"));
    file_.attribute(at, "FLAVOR", std::string("numpy"));
    file_.attribute(at, "TITLE", std::string());
    file_.attribute(at, "VERSION", std::string("2.4"));
    file_.attribute(at, "transposed", 1);
  }

  void write_texts(const std::string& at, const std::vector<std::string>& texts,
                   const std::string& name) {
    file_.texts(at, texts);
    describe_array(at);
    file_.attribute(at, "kind", std::string("string"));
    file_.attribute(at, "name", name.empty() ? std::string("N.") : name);  // pickled None
  }

  void write_columns(const std::string& axis) {
    constexpr std::array<const char*, 3> names = {"scorer", "bodyparts", "coords"};
    file_.attribute(own_key, axis + "_nlevels", 3);
    for (std::size_t level = 0; level < names.size(); ++level) {
      std::vector<std::string> texts;
      std::vector<std::size_t> codes;
      for (const auto& column : sheet_.columns) {
        const std::string& text = level == 0   ? sheet_.scorer
                                  : level == 1 ? column.bodypart
                                               : column.coordinate;
        const auto found = std::ranges::find(texts, text);
        codes.push_back(static_cast<std::size_t>(found - texts.begin()));
        if (found == texts.end()) texts.push_back(text);
      }
      const std::string at = path(fmt::format("{}_level{}", axis, level));
      write_texts(at, texts, names[level]);
      file_.attribute(at, fmt::format("{}_name{}", axis, names[level]), std::string(names[level]));
      file_.integers(path(fmt::format("{}_label{}", axis, level)), codes);
      describe_array(path(fmt::format("{}_label{}", axis, level)));
    }
  }

  void write_values() {
    std::vector<double> values;
    for (const auto& row : sheet_.rows) values.insert(values.end(), row.begin(), row.end());
    file_.numbers(path("block0_values"), values, {sheet_.rows.size(), sheet_.columns.size()});
    describe_array(path("block0_values"));
  }

  const DeepLabCutSheet& sheet_;
  Hdf5Writer file_;
};

/// Texts are filled with zeros, which ends them.
void check_text(const std::string& text) {
  require(!text.empty() && text.find('\0') == std::string::npos, ErrorKind::invalid_input, [&] {
    return fmt::format("'{}': DeepLabCut's .h5 cannot hold such a name", printable(text));
  });
}

}  // namespace

LandmarkTable parse_deeplabcut_hdf5(std::string_view bytes, const std::string& name,
                                    const InstanceOptions& options) {
  return table_of(Reader(bytes, name).read(), name, options);
}

std::string write_deeplabcut_hdf5(const LandmarkTable& table) {
  const DeepLabCutSheet sheet = sheet_of(table);
  for (const std::string& image : sheet.images) check_text(image);
  for (const auto& column : sheet.columns) check_text(column.bodypart);
  return Writer(sheet).write();
}

}  // namespace caos::landmarks
