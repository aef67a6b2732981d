#include "caos/landmarks/formats/hdf5/hdf5_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "caos/landmarks/formats/hdf5/hdf5_tree.hpp"

namespace caos::landmarks {
namespace {

using hdf5::Handle;
using hdf5::library;
using hdf5::Lock;
using hdf5::until_zero;

}  // namespace

class Hdf5File::Impl {
 public:
  Impl(std::string_view bytes, const std::string& name) : tree(bytes, name) {}

  hdf5::Tree tree;

  [[nodiscard]] std::vector<double> numbers(const std::string& path,
                                            const std::string& field) const {
    const Handle set = tree.dataset(path);
    const Handle whole(H5Dget_type(set.id()), H5Tclose);
    const Handle type = field_type(whole, path, field);
    const H5T_class_t kind = H5Tget_class(type.id());
    if (kind == H5T_ENUM) return flags(set, type, path, field);
    const bool array = kind == H5T_ARRAY;
    const Handle base =
        array ? Handle(H5Tget_super(type.id()), H5Tclose) : Handle(H5Tcopy(type.id()), H5Tclose);
    const H5T_class_t item = H5Tget_class(base.id());
    if (item != H5T_INTEGER && item != H5T_FLOAT) tree.refuse(path, "does not hold numbers");
    std::size_t width = 1;
    Handle memory(H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose);
    if (array) {
      const std::size_t size = H5Tget_size(base.id());
      width = size == 0 ? 0 : H5Tget_size(type.id()) / size;
      if (width == 0 || width > tree.limit() / sizeof(double)) tree.refuse_size(path);
      const hsize_t extent = width;
      return read_numbers(set, path, field, width,
                          Handle(H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &extent), H5Tclose));
    }
    return read_numbers(set, path, field, width, std::move(memory));
  }

  [[nodiscard]] bool has_field(const std::string& path, const std::string& field) const {
    const Handle set = tree.dataset(path);
    const Handle whole(H5Dget_type(set.id()), H5Tclose);
    return whole.good() && H5Tget_class(whole.id()) == H5T_COMPOUND &&
           H5Tget_member_index(whole.id(), field.c_str()) >= 0;
  }

  [[nodiscard]] std::vector<std::string> texts(const std::string& path,
                                               const std::string& field) const {
    const Handle set = tree.dataset(path);
    if (tree.count(set, path, 1) == 0) return {};
    const Handle whole(H5Dget_type(set.id()), H5Tclose);
    const Handle type = field_type(whole, path, field);
    if (H5Tget_class(type.id()) != H5T_STRING) tree.refuse(path, "does not hold texts");
    if (H5Tis_variable_str(type.id()) > 0) return variable_texts(set, type, path, field);
    const std::size_t size = H5Tget_size(type.id());
    const std::size_t n = tree.count(set, path, size);
    std::string buffer(n * size, '\0');
    read(set, as_field(field, type, size), buffer.data(), path);
    std::vector<std::string> result;
    for (std::size_t i = 0; i < n; ++i) result.push_back(until_zero(buffer.substr(i * size, size)));
    return result;
  }

  [[nodiscard]] std::vector<std::string> byte_strings(const std::string& path) const {
    const Handle set = tree.dataset(path);
    const Handle type(H5Dget_type(set.id()), H5Tclose);
    if (H5Tget_class(type.id()) == H5T_VLEN) return variable_bytes(set, type, path);
    const std::vector<std::size_t> extents = tree.shape(set, path);
    const bool bytes = H5Tget_class(type.id()) == H5T_INTEGER && H5Tget_size(type.id()) == 1;
    if (!bytes || extents.size() != 2) tree.refuse(path, "does not hold encoded images");
    const std::size_t total = tree.count(set, path, 1);
    std::string buffer(total, '\0');
    if (total > 0) read(set, Handle(H5Tcopy(type.id()), H5Tclose), buffer.data(), path);
    std::vector<std::string> result;
    for (std::size_t i = 0; i < extents[0]; ++i) {
      result.push_back(buffer.substr(i * extents[1], extents[1]));
    }
    return result;
  }

 private:
  [[nodiscard]] Handle field_type(const Handle& whole, const std::string& path,
                                  const std::string& field) const {
    if (!whole.good()) tree.refuse(path, "has a damaged type");
    if (field.empty()) return {H5Tcopy(whole.id()), H5Tclose};
    const int index = H5Tget_class(whole.id()) == H5T_COMPOUND
                          ? H5Tget_member_index(whole.id(), field.c_str())
                          : -1;
    if (index < 0) tree.refuse(path, fmt::format("has no field '{}'", field));
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
      tree.refuse(path, "cannot be read; the file is damaged");
    }
  }

  [[nodiscard]] std::vector<double> read_numbers(const Handle& set, const std::string& path,
                                                 const std::string& field, std::size_t width,
                                                 const Handle& type) const {
    const std::size_t n = tree.count(set, path, width * sizeof(double));
    std::vector<double> values(n * width);
    if (n > 0) read(set, as_field(field, type, width * sizeof(double)), values.data(), path);
    return values;
  }

  /// Booleans are enumerations of bytes.
  [[nodiscard]] std::vector<double> flags(const Handle& set, const Handle& type,
                                          const std::string& path, const std::string& field) const {
    if (H5Tget_size(type.id()) != 1) tree.refuse(path, "does not hold numbers");
    std::vector<std::int8_t> bytes(tree.count(set, path, 1));
    if (!bytes.empty()) read(set, as_field(field, type, 1), bytes.data(), path);
    return {bytes.begin(), bytes.end()};
  }

  [[nodiscard]] std::vector<std::string> variable_texts(const Handle& set, const Handle& type,
                                                        const std::string& path,
                                                        const std::string& field) const {
    std::vector<char*> pointers(tree.count(set, path, sizeof(char*)), nullptr);
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
      tree.refuse(path, "does not hold encoded images");
    }
    std::vector<hvl_t> pointers(tree.count(set, path, sizeof(hvl_t)));
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
      tree.refuse(path, "cannot be read; the file is damaged");
    }
    if (size > tree.limit()) tree.refuse_size(path);
  }
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
  return impl_->tree.has(path);
}

std::vector<std::string> Hdf5File::roots() const {
  const Lock lock(library());
  return impl_->tree.roots();
}

std::vector<std::size_t> Hdf5File::shape(const std::string& path) const {
  const Lock lock(library());
  return impl_->tree.shape(impl_->tree.dataset(path), path);
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
  return impl_->tree.text_attribute(path, key);
}

std::optional<double> Hdf5File::number_attribute(const std::string& path,
                                                 const std::string& key) const {
  const Lock lock(library());
  return impl_->tree.number_attribute(path, key);
}

void Hdf5File::refuse(const std::string& path, const std::string& what) const {
  impl_->tree.refuse(path, what);
}

}  // namespace caos::landmarks
