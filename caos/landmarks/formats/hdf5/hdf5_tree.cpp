#include "caos/landmarks/formats/hdf5/hdf5_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"

namespace caos::landmarks::hdf5 {
namespace {

using io::printable;

/// No file of landmarks needs more.
constexpr std::size_t most_bytes = std::size_t{1} << 30;
constexpr std::size_t least_bytes = std::size_t{1} << 20;
/// No file that gzip packed becomes larger by more than this.
constexpr std::size_t largest_ratio = 1032;

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (end > begin) parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

hid_t open(std::string_view bytes) {
  prepare();
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.id(), std::size_t{1} << 16, 0);
  // The library copies the bytes.
  if (H5Pset_file_image(access.id(), const_cast<char*>(bytes.data()), bytes.size()) < 0) {
    return -1;
  }
  return H5Fopen("memory", H5F_ACC_RDONLY, access.id());
}

}  // namespace

std::string until_zero(std::string text) {
  text.erase(std::find(text.begin(), text.end(), '\0'), text.end());
  return text;
}

Tree::Tree(std::string_view bytes, const std::string& name)
    : name_(name),
      limit_(std::clamp(bytes.size() * largest_ratio, least_bytes, most_bytes)),
      file_(open(bytes), H5Fclose) {
  if (!file_.good()) io::refuse(name_, "not an HDF5 file, or damaged");
}

bool Tree::has(const std::string& path) const {
  std::string below;
  for (const std::string& part : parts_of(path)) {
    below += (below.empty() ? "" : "/") + part;
    if (H5Lexists(file_.id(), below.c_str(), H5P_DEFAULT) <= 0) return false;
    H5L_info_t info{};
    if (H5Lget_info(file_.id(), below.c_str(), &info, H5P_DEFAULT) < 0) return false;
    if (info.type != H5L_TYPE_HARD) {
      refuse(below, "is a link to another place; copy the data into the file");
    }
  }
  return true;
}

std::vector<std::string> Tree::roots() const {
  H5G_info_t info{};
  if (H5Gget_info(file_.id(), &info) < 0) io::refuse(name_, "is damaged: its groups");
  std::vector<std::string> names;
  for (hsize_t i = 0; i < std::min<hsize_t>(info.nlinks, 1000); ++i) {
    const auto length =
        H5Lget_name_by_idx(file_.id(), ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT);
    if (length < 0 || static_cast<std::size_t>(length) > limit_) {
      io::refuse(name_, "is damaged: the names of its groups");
    }
    std::string name(static_cast<std::size_t>(length), '\0');
    H5Lget_name_by_idx(file_.id(), ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size() + 1,
                       H5P_DEFAULT);
    names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return names;
}

Handle Tree::dataset(const std::string& path) const {
  if (!has(path)) io::refuse(name_, fmt::format("has no '{}'", printable(path)));
  Handle set(H5Dopen2(file_.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set.good()) refuse(path, "not a dataset, or damaged");
  check_storage(set, path);
  return set;
}

std::vector<std::size_t> Tree::shape(const Handle& set, const std::string& path) const {
  const Handle space(H5Dget_space(set.id()), H5Sclose);
  const int rank = space.good() ? H5Sget_simple_extent_ndims(space.id()) : -1;
  if (rank < 0) refuse(path, "has a damaged shape");
  std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
  if (rank > 0 && H5Sget_simple_extent_dims(space.id(), dims.data(), nullptr) < 0) {
    refuse(path, "has a damaged shape");
  }
  if (H5Sget_simple_extent_type(space.id()) == H5S_NULL) return {0};
  return {dims.begin(), dims.end()};
}

std::size_t Tree::count(const Handle& set, const std::string& path, std::size_t size) const {
  std::size_t total = 1;
  for (const std::size_t extent : shape(set, path)) {
    if (extent > 0 && total > limit_ / extent) refuse_size(path);
    total *= extent;
  }
  if (size > 0 && total > limit_ / size) refuse_size(path);
  return total;
}

std::optional<std::string> Tree::text_attribute(const std::string& path,
                                                const std::string& key) const {
  const auto attribute = open_attribute(path, key);
  if (!attribute) return std::nullopt;
  const Handle type(H5Aget_type(attribute->id()), H5Tclose);
  const Handle space(H5Aget_space(attribute->id()), H5Sclose);
  const bool one = H5Sget_simple_extent_npoints(space.id()) == 1;
  if (H5Tget_class(type.id()) != H5T_STRING) refuse(path, "has an attribute of another type");
  if (!one) return std::string();
  if (H5Tis_variable_str(type.id()) > 0) return variable_attribute(*attribute, type, space, path);
  const std::size_t size = H5Tget_size(type.id());
  if (size > limit_) refuse_size(path);
  std::string text(size, '\0');
  if (H5Aread(attribute->id(), type.id(), text.data()) < 0) refuse(path, "has damaged attributes");
  return until_zero(std::move(text));
}

std::optional<double> Tree::number_attribute(const std::string& path,
                                             const std::string& key) const {
  const auto attribute = open_attribute(path, key);
  if (!attribute) return std::nullopt;
  const Handle type(H5Aget_type(attribute->id()), H5Tclose);
  const Handle space(H5Aget_space(attribute->id()), H5Sclose);
  const H5T_class_t kind = H5Tget_class(type.id());
  const bool number = kind == H5T_INTEGER || kind == H5T_FLOAT;
  if (!number || H5Sget_simple_extent_npoints(space.id()) != 1) {
    refuse(path, fmt::format("has an attribute '{}' that is not a number", key));
  }
  double value = 0;
  if (H5Aread(attribute->id(), H5T_NATIVE_DOUBLE, &value) < 0) {
    refuse(path, "has damaged attributes");
  }
  return value;
}

void Tree::check_storage(const Handle& set, const std::string& path) const {
  const Handle plist(H5Dget_create_plist(set.id()), H5Pclose);
  if (!plist.good()) refuse(path, "is damaged");
  const bool elsewhere =
      H5Pget_external_count(plist.id()) != 0 || H5Pget_layout(plist.id()) == H5D_VIRTUAL;
  if (elsewhere) refuse(path, "keeps its data in another file; copy the data into this one");
  const int filters = H5Pget_nfilters(plist.id());
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0;
    unsigned config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(plist.id(), static_cast<unsigned>(i), &flags,
                                               &values, nullptr, 0, nullptr, &config);
    if (H5Zfilter_avail(filter) <= 0) {
      refuse(path, fmt::format("is compressed by filter {}, which is not available; write it "
                               "with gzip or without compression",
                               static_cast<int>(filter)));
    }
  }
}

std::string Tree::variable_attribute(const Handle& attribute, const Handle& type,
                                     const Handle& space, const std::string& path) const {
  char* text = nullptr;
  if (H5Aread(attribute.id(), type.id(), static_cast<void*>(&text)) < 0) {
    refuse(path, "has damaged attributes");
  }
  std::string result = text == nullptr ? "" : text;
  H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, static_cast<void*>(&text));
  return result;
}

std::optional<Handle> Tree::open_attribute(const std::string& path, const std::string& key) const {
  if (!has(path)) return std::nullopt;
  const char* at = path.empty() ? "." : path.c_str();
  if (H5Aexists_by_name(file_.id(), at, key.c_str(), H5P_DEFAULT) <= 0) return std::nullopt;
  Handle attribute(H5Aopen_by_name(file_.id(), at, key.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                   H5Aclose);
  if (!attribute.good()) refuse(path, "has damaged attributes");
  return attribute;
}

void Tree::refuse(const std::string& path, const std::string& what) const {
  io::refuse(name_, fmt::format("{}: {}", printable(path), what));
}

void Tree::refuse_size(const std::string& path) const {
  refuse(path, "is far larger than the file; the file is damaged");
}

}  // namespace caos::landmarks::hdf5
