#include "caos/landmarks/formats/hdf5/hdf5_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "caos/error.hpp"
#include "caos/landmarks/formats/hdf5/hdf5_handle.hpp"

namespace caos::landmarks {
namespace {

using hdf5::Handle;
using hdf5::library;
using hdf5::Lock;

void demand(bool good) {
  require(good, ErrorKind::backend, "the HDF5 library could not write the landmarks");
}

hid_t type_of(Hdf5Column::Type type) {
  switch (type) {
    case Hdf5Column::Type::float64:
      return H5T_IEEE_F64LE;
    case Hdf5Column::Type::float32:
      return H5T_IEEE_F32LE;
    case Hdf5Column::Type::int64:
      return H5T_STD_I64LE;
    case Hdf5Column::Type::uint64:
      return H5T_STD_U64LE;
    case Hdf5Column::Type::int32:
      return H5T_STD_I32LE;
    case Hdf5Column::Type::uint32:
      return H5T_STD_U32LE;
    case Hdf5Column::Type::uint8:
      return H5T_STD_U8LE;
    case Hdf5Column::Type::boolean:
      break;
  }
  return -1;
}

/// As h5py writes booleans.
Handle boolean_type() {
  Handle type(H5Tenum_create(H5T_STD_I8LE), H5Tclose);
  const std::int8_t no = 0;
  const std::int8_t yes = 1;
  H5Tenum_insert(type.id(), "FALSE", &no);
  H5Tenum_insert(type.id(), "TRUE", &yes);
  return type;
}

Handle file_type(Hdf5Column::Type type) {
  return type == Hdf5Column::Type::boolean ? boolean_type()
                                           : Handle(H5Tcopy(type_of(type)), H5Tclose);
}

Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), std::max<std::size_t>(size, 1));
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

}  // namespace

class Hdf5Writer::Impl {
 public:
  Impl() : file_(create(), H5Fclose) { demand(file_.good()); }

  void group(const std::string& path) const {
    const Handle made(H5Gcreate2(file_.id(), path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                      H5Gclose);
    demand(made.good());
  }

  void write(const std::string& path, const Handle& type, const Handle& memory,
             const std::vector<hsize_t>& dims, const void* data) const {
    const Handle space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr),
                       H5Sclose);
    const Handle plist(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(plist.id(), false);  // the same bytes every time
    const Handle set(H5Dcreate2(file_.id(), path.c_str(), type.id(), space.id(), H5P_DEFAULT,
                                plist.id(), H5P_DEFAULT),
                     H5Dclose);
    demand(set.good());
    const bool empty = std::ranges::find(dims, hsize_t{0}) != dims.end();
    demand(empty || H5Dwrite(set.id(), memory.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  }

  /// Fields are converted one by one from doubles.
  void table(const std::string& path, const std::vector<Hdf5Column>& columns) const {
    std::vector<Handle> types;
    std::size_t size = 0;
    for (const Hdf5Column& column : columns) {
      types.push_back(file_type(column.type));
      size += H5Tget_size(types.back().id());
    }
    const Handle compound(H5Tcreate(H5T_COMPOUND, size), H5Tclose);
    std::size_t offset = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      demand(H5Tinsert(compound.id(), columns[c].name.c_str(), offset, types[c].id()) >= 0);
      offset += H5Tget_size(types[c].id());
    }
    const std::size_t n = columns.empty() ? 0 : columns[0].values.size();
    std::vector<char> rows(n * size);
    offset = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::size_t width = H5Tget_size(types[c].id());
      for (std::size_t i = 0; i < n; ++i) {
        put(columns[c].type, columns[c].values[i], types[c], rows.data() + i * size + offset);
      }
      offset += width;
    }
    write(path, compound, compound, {n}, rows.data());
  }

  void attribute(const std::string& path, const std::string& key, const Handle& type,
                 const Handle& memory, const void* data) const {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle made(
        H5Acreate_by_name(file_.id(), path.empty() ? "." : path.c_str(), key.c_str(), type.id(),
                          space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    demand(made.good() && H5Awrite(made.id(), memory.id(), data) >= 0);
  }

  [[nodiscard]] std::string take() const {
    demand(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) >= 0);
    const ssize_t size = H5Fget_file_image(file_.id(), nullptr, 0);
    demand(size > 0);
    std::string bytes(static_cast<std::size_t>(size), '\0');
    demand(H5Fget_file_image(file_.id(), bytes.data(), bytes.size()) == size);
    return bytes;
  }

 private:
  static hid_t create() {
    hdf5::prepare();
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access.id(), std::size_t{1} << 16, 0);
    return H5Fcreate("memory", H5F_ACC_TRUNC, H5P_DEFAULT, access.id());
  }

  static void put(Hdf5Column::Type type, double value, const Handle& as, char* to) {
    if (type == Hdf5Column::Type::boolean) {
      *to = value != 0 ? 1 : 0;
      return;
    }
    char buffer[sizeof(double)];
    std::memcpy(buffer, &value, sizeof value);
    demand(H5Tconvert(H5T_NATIVE_DOUBLE, as.id(), 1, buffer, nullptr, H5P_DEFAULT) >= 0);
    std::memcpy(to, buffer, H5Tget_size(as.id()));
  }

  Handle file_;
};

Hdf5Writer::Hdf5Writer() {
  const Lock lock(library());
  impl_ = std::make_unique<Impl>();
}

Hdf5Writer::~Hdf5Writer() {
  const Lock lock(library());
  impl_.reset();
}

void Hdf5Writer::group(const std::string& path) {
  const Lock lock(library());
  impl_->group(path);
}

void Hdf5Writer::numbers(const std::string& path, const std::vector<double>& values,
                         const std::vector<std::size_t>& shape) {
  const Lock lock(library());
  impl_->write(path, Handle(H5Tcopy(H5T_IEEE_F64LE), H5Tclose),
               Handle(H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose), {shape.begin(), shape.end()},
               values.data());
}

void Hdf5Writer::integers(const std::string& path, const std::vector<std::size_t>& values) {
  const Lock lock(library());
  const std::vector<std::uint64_t> wide(values.begin(), values.end());
  impl_->write(path, Handle(H5Tcopy(H5T_STD_I32LE), H5Tclose),
               Handle(H5Tcopy(H5T_NATIVE_UINT64), H5Tclose), {values.size()}, wide.data());
}

void Hdf5Writer::texts(const std::string& path, const std::vector<std::string>& values) {
  const Lock lock(library());
  std::size_t size = 1;
  for (const std::string& value : values) size = std::max(size, value.size());
  std::string buffer;
  for (std::string value : values) {
    value.resize(size);
    buffer += value;
  }
  impl_->write(path, text_type(size), text_type(size), {values.size()}, buffer.data());
}

void Hdf5Writer::table(const std::string& path, const std::vector<Hdf5Column>& columns) {
  const Lock lock(library());
  impl_->table(path, columns);
}

void Hdf5Writer::attribute(const std::string& path, const std::string& key,
                           const std::string& text) {
  const Lock lock(library());
  const Handle type = text_type(text.size());
  impl_->attribute(path, key, type, type, text.c_str());
}

void Hdf5Writer::attribute(const std::string& path, const std::string& key, double number) {
  const Lock lock(library());
  impl_->attribute(path, key, Handle(H5Tcopy(H5T_IEEE_F64LE), H5Tclose),
                   Handle(H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose), &number);
}

void Hdf5Writer::attribute(const std::string& path, const std::string& key, int number) {
  const Lock lock(library());
  impl_->attribute(path, key, Handle(H5Tcopy(H5T_STD_I64LE), H5Tclose),
                   Handle(H5Tcopy(H5T_NATIVE_INT), H5Tclose), &number);
}

std::string Hdf5Writer::take() {
  const Lock lock(library());
  return impl_->take();
}

}  // namespace caos::landmarks
