#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "caos/io/safetensors.hpp"
#include "caos/landmarks/image_pool.hpp"

namespace caos {

/// Adds a pool to a model file's header (docs/reference/formats.md).
void put_pool(const LabeledPool& pool, io::Metadata& metadata);

/// The pool in a header, if there is one. Throws `bad_format`, naming `file`, where it does not fit
/// `num_labeled` images.
[[nodiscard]] std::optional<LabeledPool> take_pool(const io::Metadata& metadata,
                                                   std::size_t num_labeled,
                                                   const std::string& file);

}  // namespace caos
