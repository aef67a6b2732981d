#include "apps/studio/pictures/dicom_picture.hpp"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcistrmb.h>
#include <dcmtk/dcmdata/dcrledrg.h>
#include <dcmtk/dcmdata/dctk.h>
#include <dcmtk/dcmimage/diregist.h>
#include <dcmtk/dcmimgle/dcmimage.h>
#include <dcmtk/dcmjpeg/djdecode.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "apps/studio/pictures/dicom_signature.hpp"
#include "caos/error.hpp"
#include "caos/io/guarded_read.hpp"
#include "caos/vision/codecs/decode.hpp"
#include "caos/vision/codecs/deep_image.hpp"
#include "caos/vision/codecs/encode.hpp"

namespace caos::studio {
namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void refuse_file(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::bad_format, fmt::format("{}: {}", name, what));
}

/// A DICOM file in memory, opened by DCMTK, which prints nothing.
class DicomFile {
 public:
  DicomFile(Bytes bytes, const std::string& name) : name_(name) {
    OFLog::configure(OFLogger::OFF_LOG_LEVEL);
    DJDecoderRegistration::registerCodecs();
    DcmRLEDecoderRegistration::registerCodecs();
    DcmInputBufferStream stream;
    stream.setBuffer(bytes.data(), static_cast<offile_off_t>(bytes.size()));
    stream.setEos();
    file_.transferInit();
    const OFCondition read = file_.read(stream);
    file_.transferEnd();
    if (read.bad()) refuse_file(name, fmt::format("is a damaged DICOM file ({})", read.text()));
    if (!data().tagExists(DCM_PixelData)) refuse_file(name, "is a DICOM file without an image");
  }

  [[nodiscard]] std::size_t num_frames() {
    Sint32 frames = 1;
    if (data().findAndGetSint32(DCM_NumberOfFrames, frames).bad() || frames < 1) return 1;
    return static_cast<std::size_t>(frames);
  }

  [[nodiscard]] std::vector<std::byte> png(std::size_t frame) {
    require_size();
    const E_TransferSyntax syntax = data().getOriginalXfer();
    const DicomImage image(&data(), syntax, CIF_UsePartialAccessToPixelData, frame, 1);
    if (image.getStatus() != EIS_Normal) {
      refuse_file(name_, fmt::format("is a DICOM image that cannot be read ({}; stored as {}); "
                                     "convert it to PNG or TIFF",
                                     DicomImage::getString(image.getStatus()),
                                     DcmXfer(syntax).getXferName()));
    }
    return image.isMonochrome() != 0 ? gray_png(frame) : color_png(image);
  }

  /// Of the patient's pixels, or else of the film's or the detector's.
  [[nodiscard]] std::optional<double> mm_per_pixel() {
    for (const DcmTagKey& key :
         {DCM_PixelSpacing, DCM_ImagerPixelSpacing, DCM_NominalScannedPixelSpacing}) {
      Float64 down = 0;
      Float64 across = 0;
      if (data().findAndGetFloat64(key, down, 0).bad()) continue;
      if (data().findAndGetFloat64(key, across, 1).bad()) continue;
      const bool is_square = std::abs(down - across) <= 1e-4 * std::abs(across);
      if (across > 0 && std::isfinite(across) && is_square) return across;
    }
    return std::nullopt;
  }

 private:
  DcmDataset& data() { return *file_.getDataset(); }

  void require_size() {
    Uint16 rows = 0;
    Uint16 columns = 0;
    (void)data().findAndGetUint16(DCM_Rows, rows);
    (void)data().findAndGetUint16(DCM_Columns, columns);
    vision::require_fits({.width = columns, .height = rows}, {}, name_);
    if (rows == 0 || columns == 0) refuse_file(name_, "is a DICOM file without pixels");
  }

  /// From the darkest to the brightest value that the image has.
  std::vector<std::byte> gray_png(std::size_t frame) {
    DicomImage image(&data(), data().getOriginalXfer(), CIF_UsePartialAccessToPixelData, frame, 1);
    (void)image.setMinMaxWindow();
    const void* const pixels = image.getOutputData(16);
    if (pixels == nullptr) refuse_file(name_, "is a DICOM image whose pixels cannot be read");
    vision::DeepImage deep{.width = image.getWidth(), .height = image.getHeight()};
    deep.values.resize(deep.width * deep.height);
    std::memcpy(deep.values.data(), pixels, deep.values.size() * sizeof(std::uint16_t));
    return vision::encode_deep_png(deep);
  }

  std::vector<std::byte> color_png(const DicomImage& image) {
    const void* const pixels = const_cast<DicomImage&>(image).getOutputData(8);
    if (pixels == nullptr) refuse_file(name_, "is a DICOM image whose pixels cannot be read");
    vision::Image shown{.width = image.getWidth(), .height = image.getHeight()};
    shown.rgb.resize(3 * shown.width * shown.height);
    std::memcpy(shown.rgb.data(), pixels, shown.rgb.size());
    return vision::encode_png(shown);
  }

  const std::string& name_;
  DcmFileFormat file_{};
};

std::vector<std::string> guarded(const std::function<std::vector<std::string>()>& work,
                                 const std::string& name) {
  return io::read_guarded(work, name, "DICOM");
}

}  // namespace

bool is_dicom(Bytes bytes) { return has_dicom_signature(bytes); }

std::size_t num_dicom_frames(Bytes bytes, const std::string& name) {
  const auto texts = guarded(
      [&] { return std::vector{fmt::format("{}", DicomFile(bytes, name).num_frames())}; }, name);
  return std::stoul(texts.at(0));
}

DicomPicture dicom_picture(Bytes bytes, const std::string& name, std::size_t frame) {
  const auto texts = guarded(
      [&] {
        DicomFile file(bytes, name);
        const std::vector<std::byte> png = file.png(frame);
        const auto scale = file.mm_per_pixel();
        return std::vector{std::string(reinterpret_cast<const char*>(png.data()), png.size()),
                           scale ? fmt::format("{}", *scale) : std::string()};
      },
      name);
  const auto* const first = reinterpret_cast<const std::byte*>(texts.at(0).data());
  DicomPicture picture{.png = {first, first + texts[0].size()}};
  if (!texts.at(1).empty()) picture.mm_per_pixel = std::stod(texts[1]);
  return picture;
}

}  // namespace caos::studio
