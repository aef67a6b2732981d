#include "apps/cli/landmarks/split_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "caos/error.hpp"
#include "caos/io/csv.hpp"

namespace caos::cli {
namespace {

std::size_t column_of(const io::CsvTable& table, const char* name) {
  const auto found = std::ranges::find(table.header, name);
  require(found != table.header.end(), ErrorKind::bad_format, [&] {
    return fmt::format("{}: has no column '{}'; the first line must be image,role", table.name,
                       name);
  });
  return static_cast<std::size_t>(found - table.header.begin());
}

/// Fills a split line by line.
class Reader {
 public:
  Reader(const io::CsvTable& table, const AnnotatedImages& images) : table_(table) {
    for (std::size_t i = 0; i < images.names.size(); ++i) index_of_.emplace(images.names[i], i);
    for (const std::string& name : images.failed_names) left_out_.insert(name);
    for (const DuplicateImage& image : images.duplicates) left_out_.insert(image.left_out);
  }

  void add(std::size_t row, const std::string& image, const std::string& role) {
    Indices& side = side_of(row, role);
    const auto [first, is_new] = line_of_.emplace(image, table_.lines[row]);
    check(is_new, row, [&, line = first->second] {
      return fmt::format("the image '{}' has a role since line {}", image, line);
    });
    if (left_out_.contains(image)) return;
    const auto found = index_of_.find(image);
    check(found != index_of_.end(), row, [&] {
      return fmt::format("the image '{}' is not one of the {} annotated images", image,
                         index_of_.size());
    });
    side.push_back(found->second);
  }

  LandmarkSplit finish() {
    for (Indices* side : {&split_.references, &split_.calibration, &split_.test}) {
      std::ranges::sort(*side);
    }
    return split_;
  }

 private:
  template <typename Message>
  void check(bool condition, std::size_t row, Message&& message) const {
    require(condition, ErrorKind::bad_format, [&] {
      return fmt::format("{}: line {}: {}", table_.name, table_.lines[row], message());
    });
  }

  Indices& side_of(std::size_t row, const std::string& role) {
    check(role == "reference" || role == "calibration" || role == "test", row, [&] {
      return fmt::format("the role '{}' is not one of reference, calibration, test", role);
    });
    if (role == "test") return split_.test;
    return role == "reference" ? split_.references : split_.calibration;
  }

  const io::CsvTable& table_;
  std::map<std::string, std::size_t> index_of_;
  std::map<std::string, std::size_t> line_of_;
  std::set<std::string> left_out_;
  LandmarkSplit split_;
};

void check_side(const Indices& side, const char* role, const std::string& path) {
  require(!side.empty(), ErrorKind::bad_format,
          [&] { return fmt::format("{}: no image that can be used has the role {}", path, role); });
}

void check_subjects(const LandmarkSplit& split, const AnnotatedImages& images,
                    const std::string& path) {
  if (images.patches.subjects.empty()) return;
  for (const std::size_t i : split.labeled()) {
    for (const std::size_t x : split.test) {
      require(!images.patches.same_subject(i, x), ErrorKind::bad_format, [&] {
        return fmt::format(
            "{}: '{}' is labeled and '{}' is tested, but they are of one subject; a subject must "
            "be on one side",
            path, images.names[i], images.names[x]);
      });
    }
  }
}

}  // namespace

namespace {

LandmarkSplit read_roles(const io::CsvTable& table, const AnnotatedImages& images) {
  const std::size_t image = column_of(table, "image");
  const std::size_t role = column_of(table, "role");
  Reader reader(table, images);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    reader.add(row, table.rows[row][image], table.rows[row][role]);
  }
  return reader.finish();
}

}  // namespace

LandmarkSplit read_split(const std::string& path, const AnnotatedImages& images) {
  const io::CsvTable table = io::read_csv(path);
  LandmarkSplit split = read_roles(table, images);
  check_side(split.references, "reference", table.name);
  check_side(split.calibration, "calibration", table.name);
  check_side(split.test, "test", table.name);
  check_subjects(split, images, table.name);
  return split;
}

split::Partition read_division(const std::string& path, const AnnotatedImages& images) {
  const io::CsvTable table = io::read_csv(path);
  const LandmarkSplit split = read_roles(table, images);
  check_side(split.references, "reference", table.name);
  check_side(split.calibration, "calibration", table.name);
  return {.references = split.references, .calibration = split.calibration};
}

}  // namespace caos::cli
