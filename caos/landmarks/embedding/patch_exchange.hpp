#pragma once

#include "caos/dist/bytes.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/embedding/embed_images.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"

// How images travel between processes; not for users of the library.
namespace caos {

void pack(dist::Packer& packer, const CellSource& source);
[[nodiscard]] CellSource unpack_cells(dist::Unpacker& unpacker);

void pack(dist::Packer& packer, const LabeledPatches& labeled);
[[nodiscard]] LabeledPatches unpack_labeled(dist::Unpacker& unpacker);

/// Without images that failed.
void pack(dist::Packer& packer, const AnnotatedImages& images);
[[nodiscard]] AnnotatedImages unpack_annotated(dist::Unpacker& unpacker);

void pack(dist::Packer& packer, const EmbeddedImage& image);
[[nodiscard]] EmbeddedImage unpack_embedded(dist::Unpacker& unpacker);

void pack(dist::Packer& packer, const FailedImage& image);
[[nodiscard]] FailedImage unpack_failed(dist::Unpacker& unpacker);

}  // namespace caos
