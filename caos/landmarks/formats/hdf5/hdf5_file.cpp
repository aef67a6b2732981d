#include "caos/landmarks/formats/hdf5/hdf5_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"
#include "caos/landmarks/formats/hdf5/hdf5_handle.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

using hdf5::Handle;
using hdf5::library;
using hdf5::Lock;

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

std::string until_zero(std::string text) {
  text.erase(std::find(text.begin(), text.end(), '\0'), text.end());
  return text;
}

}  // namespace

class Hdf5File::Impl {
 public:
  Impl(std::string_view bytes, const std::string& name)
      : name_(name),
        limit_(std::clamp(bytes.size() * largest_ratio, least_bytes, most_bytes)),
        file_(open(bytes), H5Fclose) {
    if (!file_.good()) io::refuse(name_, "is not an HDF5 file, or is damaged");
  }

  [[nodiscard]] bool has(const std::string& path) const {
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

  [[nodiscard]] std::vector<std::string> roots() const {
    H5G_info_t info{};
    if (H5Gget_info(file_.id(), &info) < 0) io::refuse(name_, "is damaged: its groups");
    std::vector<std::string> names;
    for (hsize_t i = 0; i < std::min<hsize_t>(info.nlinks, 1000); ++i) {
      const auto length = H5Lget_name_by_idx(file_.id(), ".", H5_INDEX_NAME, H5_ITER_INC, i,
                                             nullptr, 0, H5P_DEFAULT);
      if (length < 0 || static_cast<std::size_t>(length) > limit_) {
        io::refuse(name_, "is damaged: the names of its groups");
      }
      std::string name(static_cast<std::size_t>(length), '\0');
      H5Lget_name_by_idx(file_.id(), ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(),
                         name.size() + 1, H5P_DEFAULT);
      names.push_back(std::move(name));
    }
    std::ranges::sort(names);
    return names;
  }

  [[nodiscard]] Handle dataset(const std::string& path) const {
    if (!has(path)) io::refuse(name_, fmt::format("has no '{}'", printable(path)));
    Handle set(H5Dopen2(file_.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.good()) refuse(path, "is not a dataset, or is damaged");
    check_storage(set, path);
    return set;
  }

  [[nodiscard]] std::vector<std::size_t> shape(const Handle& set, const std::string& path) const {
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

  /// The product of the shape; `size` bytes of each item must be within bounds.
  [[nodiscard]] std::size_t count(const Handle& set, const std::string& path,
                                  std::size_t size) const {
    std::size_t total = 1;
    for (const std::size_t extent : shape(set, path)) {
      if (extent > 0 && total > limit_ / extent) refuse_size(path);
      total *= extent;
    }
    if (size > 0 && total > limit_ / size) refuse_size(path);
    return total;
  }

  [[nodiscard]] std::vector<double> numbers(const std::string& path,
                                            const std::string& field) const {
    const Handle set = dataset(path);
    const Handle whole(H5Dget_type(set.id()), H5Tclose);
    const Handle type = field_type(whole, path, field);
    const H5T_class_t kind = H5Tget_class(type.id());
    if (kind == H5T_ENUM) return flags(set, type, path, field);
    const bool array = kind == H5T_ARRAY;
    const Handle base =
        array ? Handle(H5Tget_super(type.id()), H5Tclose) : Handle(H5Tcopy(type.id()), H5Tclose);
    const H5T_class_t item = H5Tget_class(base.id());
    if (item != H5T_INTEGER && item != H5T_FLOAT) refuse(path, "does not hold numbers");
    std::size_t width = 1;
    Handle memory(H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose);
    if (array) {
      const std::size_t size = H5Tget_size(base.id());
      width = size == 0 ? 0 : H5Tget_size(type.id()) / size;
      if (width == 0 || width > limit_ / sizeof(double)) refuse_size(path);
      const hsize_t extent = width;
      return read_numbers(set, path, field, width,
                          Handle(H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &extent), H5Tclose));
    }
    return read_numbers(set, path, field, width, std::move(memory));
  }

  [[nodiscard]] bool has_field(const std::string& path, const std::string& field) const {
    const Handle set = dataset(path);
    const Handle whole(H5Dget_type(set.id()), H5Tclose);
    return whole.good() && H5Tget_class(whole.id()) == H5T_COMPOUND &&
           H5Tget_member_index(whole.id(), field.c_str()) >= 0;
  }

  [[nodiscard]] std::vector<std::string> texts(const std::string& path,
                                               const std::string& field) const {
    const Handle set = dataset(path);
    if (count(set, path, 1) == 0) return {};
    const Handle whole(H5Dget_type(set.id()), H5Tclose);
    const Handle type = field_type(whole, path, field);
    if (H5Tget_class(type.id()) != H5T_STRING) refuse(path, "does not hold texts");
    if (H5Tis_variable_str(type.id()) > 0) return variable_texts(set, type, path, field);
    const std::size_t size = H5Tget_size(type.id());
    const std::size_t n = count(set, path, size);
    std::string buffer(n * size, '\0');
    read(set, as_field(field, type, size), buffer.data(), path);
    std::vector<std::string> result;
    for (std::size_t i = 0; i < n; ++i) result.push_back(until_zero(buffer.substr(i * size, size)));
    return result;
  }

  [[nodiscard]] std::vector<std::string> byte_strings(const std::string& path) const {
    const Handle set = dataset(path);
    const Handle type(H5Dget_type(set.id()), H5Tclose);
    if (H5Tget_class(type.id()) == H5T_VLEN) return variable_bytes(set, type, path);
    const std::vector<std::size_t> extents = shape(set, path);
    const bool bytes = H5Tget_class(type.id()) == H5T_INTEGER && H5Tget_size(type.id()) == 1;
    if (!bytes || extents.size() != 2) refuse(path, "does not hold encoded images");
    const std::size_t total = count(set, path, 1);
    std::string buffer(total, '\0');
    if (total > 0) read(set, Handle(H5Tcopy(type.id()), H5Tclose), buffer.data(), path);
    std::vector<std::string> result;
    for (std::size_t i = 0; i < extents[0]; ++i) {
      result.push_back(buffer.substr(i * extents[1], extents[1]));
    }
    return result;
  }

  [[nodiscard]] std::optional<std::string> text_attribute(const std::string& path,
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
    if (H5Aread(attribute->id(), type.id(), text.data()) < 0)
      refuse(path, "has damaged attributes");
    return until_zero(std::move(text));
  }

  [[nodiscard]] std::optional<double> number_attribute(const std::string& path,
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

  [[noreturn]] void refuse(const std::string& path, const std::string& what) const {
    io::refuse(name_, fmt::format("{}: {}", printable(path), what));
  }

 private:
  static hid_t open(std::string_view bytes) {
    hdf5::prepare();
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access.id(), std::size_t{1} << 16, 0);
    // The library copies the bytes.
    if (H5Pset_file_image(access.id(), const_cast<char*>(bytes.data()), bytes.size()) < 0) {
      return -1;
    }
    return H5Fopen("memory", H5F_ACC_RDONLY, access.id());
  }

  void check_storage(const Handle& set, const std::string& path) const {
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

  [[nodiscard]] Handle field_type(const Handle& whole, const std::string& path,
                                  const std::string& field) const {
    if (!whole.good()) refuse(path, "has a damaged type");
    if (field.empty()) return {H5Tcopy(whole.id()), H5Tclose};
    const int index = H5Tget_class(whole.id()) == H5T_COMPOUND
                          ? H5Tget_member_index(whole.id(), field.c_str())
                          : -1;
    if (index < 0) refuse(path, fmt::format("has no field '{}'", field));
    return {H5Tget_member_type(whole.id(), static_cast<unsigned>(index)), H5Tclose};
  }

  /// In memory, the field alone.
  static Handle as_field(const std::string& field, const Handle& type, std::size_t size) {
    if (field.empty()) return {H5Tcopy(type.id()), H5Tclose};
    Handle compound(H5Tcreate(H5T_COMPOUND, size), H5Tclose);
    H5Tinsert(compound.id(), field.c_str(), 0, type.id());
    return compound;
  }

  void read(const Handle& set, const Handle& memory, void* to, const std::string& path) const {
    if (!memory.good() || H5Dread(set.id(), memory.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, to) < 0) {
      refuse(path, "cannot be read; the file is damaged");
    }
  }

  [[nodiscard]] std::vector<double> read_numbers(const Handle& set, const std::string& path,
                                                 const std::string& field, std::size_t width,
                                                 const Handle& type) const {
    const std::size_t n = count(set, path, width * sizeof(double));
    std::vector<double> values(n * width);
    if (n > 0) read(set, as_field(field, type, width * sizeof(double)), values.data(), path);
    return values;
  }

  /// Booleans are enumerations of bytes.
  [[nodiscard]] std::vector<double> flags(const Handle& set, const Handle& type,
                                          const std::string& path, const std::string& field) const {
    if (H5Tget_size(type.id()) != 1) refuse(path, "does not hold numbers");
    std::vector<std::int8_t> bytes(count(set, path, 1));
    if (!bytes.empty()) read(set, as_field(field, type, 1), bytes.data(), path);
    return {bytes.begin(), bytes.end()};
  }

  [[nodiscard]] std::vector<std::string> variable_texts(const Handle& set, const Handle& type,
                                                        const std::string& path,
                                                        const std::string& field) const {
    std::vector<char*> pointers(count(set, path, sizeof(char*)), nullptr);
    const Handle space(H5Dget_space(set.id()), H5Sclose);
    const Handle memory = as_field(field, type, sizeof(char*));
    check_variable(set, memory, space, path);
    read(set, memory, pointers.data(), path);
    std::vector<std::string> result;
    for (const char* text : pointers) result.emplace_back(text == nullptr ? "" : text);
    H5Dvlen_reclaim(memory.id(), space.id(), H5P_DEFAULT, pointers.data());
    return result;
  }

  [[nodiscard]] std::vector<std::string> variable_bytes(const Handle& set, const Handle& type,
                                                        const std::string& path) const {
    const Handle item(H5Tget_super(type.id()), H5Tclose);
    if (H5Tget_class(item.id()) != H5T_INTEGER || H5Tget_size(item.id()) != 1) {
      refuse(path, "does not hold encoded images");
    }
    std::vector<hvl_t> pointers(count(set, path, sizeof(hvl_t)));
    const Handle space(H5Dget_space(set.id()), H5Sclose);
    check_variable(set, type, space, path);
    if (!pointers.empty()) {
      read(set, Handle(H5Tcopy(type.id()), H5Tclose), pointers.data(), path);
    }
    std::vector<std::string> result;
    for (const hvl_t& bytes : pointers) {
      result.emplace_back(static_cast<const char*>(bytes.p), bytes.p == nullptr ? 0 : bytes.len);
    }
    if (!pointers.empty()) {
      H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, pointers.data());
    }
    return result;
  }

  void check_variable(const Handle& set, const Handle& memory, const Handle& space,
                      const std::string& path) const {
    hsize_t size = 0;
    if (H5Dvlen_get_buf_size(set.id(), memory.id(), space.id(), &size) < 0) {
      refuse(path, "cannot be read; the file is damaged");
    }
    if (size > limit_) refuse_size(path);
  }

  [[nodiscard]] std::string variable_attribute(const Handle& attribute, const Handle& type,
                                               const Handle& space, const std::string& path) const {
    char* text = nullptr;
    if (H5Aread(attribute.id(), type.id(), static_cast<void*>(&text)) < 0) {
      refuse(path, "has damaged attributes");
    }
    std::string result = text == nullptr ? "" : text;
    H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, static_cast<void*>(&text));
    return result;
  }

  [[nodiscard]] std::optional<Handle> open_attribute(const std::string& path,
                                                     const std::string& key) const {
    if (!has(path)) return std::nullopt;
    const char* at = path.empty() ? "." : path.c_str();
    if (H5Aexists_by_name(file_.id(), at, key.c_str(), H5P_DEFAULT) <= 0) return std::nullopt;
    Handle attribute(H5Aopen_by_name(file_.id(), at, key.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                     H5Aclose);
    if (!attribute.good()) refuse(path, "has damaged attributes");
    return attribute;
  }

  [[noreturn]] void refuse_size(const std::string& path) const {
    refuse(path, "is far larger than the file; the file is damaged");
  }

  const std::string& name_;
  std::size_t limit_;
  Handle file_;
};

Hdf5File::Hdf5File(std::string_view bytes, const std::string& name) {
  const Lock lock(library());
  impl_ = std::make_unique<Impl>(bytes, name);
}

Hdf5File::~Hdf5File() {
  const Lock lock(library());
  impl_.reset();
}

bool Hdf5File::has(const std::string& path) const {
  const Lock lock(library());
  return impl_->has(path);
}

std::vector<std::string> Hdf5File::roots() const {
  const Lock lock(library());
  return impl_->roots();
}

std::vector<std::size_t> Hdf5File::shape(const std::string& path) const {
  const Lock lock(library());
  return impl_->shape(impl_->dataset(path), path);
}

std::vector<double> Hdf5File::numbers(const std::string& path, const std::string& field) const {
  const Lock lock(library());
  return impl_->numbers(path, field);
}

bool Hdf5File::has_field(const std::string& path, const std::string& field) const {
  const Lock lock(library());
  return impl_->has_field(path, field);
}

std::vector<std::string> Hdf5File::texts(const std::string& path, const std::string& field) const {
  const Lock lock(library());
  return impl_->texts(path, field);
}

std::vector<std::string> Hdf5File::byte_strings(const std::string& path) const {
  const Lock lock(library());
  return impl_->byte_strings(path);
}

std::optional<std::string> Hdf5File::text_attribute(const std::string& path,
                                                    const std::string& key) const {
  const Lock lock(library());
  return impl_->text_attribute(path, key);
}

std::optional<double> Hdf5File::number_attribute(const std::string& path,
                                                 const std::string& key) const {
  const Lock lock(library());
  return impl_->number_attribute(path, key);
}

void Hdf5File::refuse(const std::string& path, const std::string& what) const {
  impl_->refuse(path, what);
}

}  // namespace caos::landmarks
