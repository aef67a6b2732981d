#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/text/models/llama/tiny_gguf.hpp"

namespace caos::test {

/// An embedding model of the BERT kind, small enough for tests, with random weights, and its plain
/// forward pass in double precision. Its vocabulary has "red", "dog", "##s", "cat" and the letters.
class TinyBert {
 public:
  /// How the vectors of tokens become that of the text; numbered as in llama.cpp.
  enum class Pooling : std::uint32_t { none = 0, mean = 1, cls = 2, rank = 4 };

  explicit TinyBert(Pooling pooling = Pooling::mean);

  static constexpr std::size_t context = 16;
  static constexpr std::size_t width = 16;

  /// Writes the model as a GGUF file. Throws std::runtime_error where that fails.
  void write(const std::string& path) const;

  /// The tokens of words that are letters "a" to "z", or of the vocabulary, with what stands around
  /// them.
  [[nodiscard]] static std::vector<std::size_t> tokens(std::string_view text);

  /// The vector of a text of these tokens, of length 1.
  [[nodiscard]] std::vector<double> vector(std::span<const std::size_t> tokens) const;

 private:
  using Vector = std::vector<double>;

  void add(const std::string& name, std::size_t rows, std::size_t columns, double middle,
           double radius);
  [[nodiscard]] Vector row(const std::string& name, std::size_t index) const;
  [[nodiscard]] Vector linear(const std::string& name, const Vector& x) const;
  [[nodiscard]] Vector norm(const std::string& name, const Vector& x) const;
  [[nodiscard]] std::vector<Vector> attention(const std::string& layer,
                                              const std::vector<Vector>& states) const;

  Pooling pooling_;
  std::vector<TinyTensor> weights_{};
  std::map<std::string, std::size_t> places_{};
};

}  // namespace caos::test
