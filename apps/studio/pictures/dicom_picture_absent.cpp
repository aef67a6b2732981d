#include "apps/studio/pictures/dicom_picture.hpp"
#include "apps/studio/pictures/dicom_signature.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

[[noreturn]] void refuse_all(const std::string& name) {
  throw Error(ErrorKind::bad_format,
              name + ": is a DICOM file, which this program was built without; convert it to PNG");
}

}  // namespace

bool is_dicom(std::span<const std::byte> bytes) { return has_dicom_signature(bytes); }

std::size_t num_dicom_frames(std::span<const std::byte>, const std::string& name) {
  refuse_all(name);
}

DicomPicture dicom_picture(std::span<const std::byte>, const std::string& name, std::size_t) {
  refuse_all(name);
}

}  // namespace caos::studio
