#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "caos/io/safetensors.hpp"
#include "caos/scores.hpp"

namespace caos::io {

/// What a .caos file contains (docs/reference/formats.md).
enum class ModelKind { calibration, landmarks, text, classification };

/// The kind that a header states; nothing if it is not the header of a model.
[[nodiscard]] std::optional<ModelKind> model_kind(const Metadata& metadata);

/// The version of caos that wrote a file, or "unknown".
[[nodiscard]] std::string written_by(const Metadata& metadata);

/// The texts that every model's header begins with. Versions count from 1.
[[nodiscard]] Metadata model_header(ModelKind kind, int version);

/// A model on disk: the typed fields of its header, and its arrays. Every defect is an Error
/// bad_format that names the file.
class ModelFile {
 public:
  /// Throws if the file is of another kind, or of a version above `newest`.
  ModelFile(SafetensorsFile file, ModelKind kind, int newest);

  [[noreturn]] void refuse(const std::string& why) const;

  [[nodiscard]] const SafetensorsFile& arrays() const { return file_; }
  [[nodiscard]] const std::string& name() const { return file_.name(); }
  [[nodiscard]] const Metadata& metadata() const { return file_.metadata(); }

  // Fields of the header; all but `has` throw if the field is missing.

  [[nodiscard]] bool has(const std::string& key) const { return metadata().contains(key); }
  [[nodiscard]] const std::string& text(const std::string& key) const;
  [[nodiscard]] std::size_t count(const std::string& key) const;
  [[nodiscard]] double number(const std::string& key) const;
  /// Whether a choice between two words is the first.
  [[nodiscard]] bool is(const std::string& key, const char* yes, const char* no) const;

  // Arrays.

  /// A copy of an array with two dimensions.
  template <typename T>
  [[nodiscard]] Matrix<T> matrix(const std::string& name) const;
  /// The array "nearest", with as many columns as the field "k" says: the k smallest scores of each
  /// calibration example, ascending.
  [[nodiscard]] Matrix<Score> nearest() const;

 private:
  SafetensorsFile file_;
};

extern template Matrix<double> ModelFile::matrix(const std::string& name) const;
extern template Matrix<float> ModelFile::matrix(const std::string& name) const;
extern template Matrix<std::int64_t> ModelFile::matrix(const std::string& name) const;

// Arrays to be written; the values must outlive the result.

template <typename T>
[[nodiscard]] constexpr ElementType element_type_of() {
  if (std::same_as<T, double>) return ElementType::f64;
  if (std::same_as<T, float>) return ElementType::f32;
  if (std::same_as<T, std::int64_t>) return ElementType::i64;
  static_assert(std::is_floating_point_v<T> || sizeof(T) == 1 || std::same_as<T, std::int64_t>);
  return ElementType::u8;
}

template <typename T>
[[nodiscard]] TensorRef tensor_of(std::string name, MatrixView<const T> matrix) {
  return {.name = std::move(name),
          .type = element_type_of<T>(),
          .shape = {matrix.rows(), matrix.cols()},
          .bytes = std::as_bytes(std::span(matrix.data(), matrix.rows() * matrix.cols()))};
}

template <typename T>
[[nodiscard]] TensorRef tensor_of(std::string name, const std::vector<T>& values) {
  return {.name = std::move(name),
          .type = element_type_of<T>(),
          .shape = {values.size()},
          .bytes = std::as_bytes(std::span(values))};
}

}  // namespace caos::io
