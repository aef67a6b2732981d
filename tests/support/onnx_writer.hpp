#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

/// Tiny models in ONNX format, written byte by byte, with weights so plain that their outputs can
/// be worked out by hand.
namespace caos::test {

/// A protocol buffer message that is being written.
class Message {
 public:
  Message& number(std::uint64_t field, std::uint64_t value) {
    varint(field << 3);
    varint(value);
    return *this;
  }
  Message& text(std::uint64_t field, std::string_view value) {
    varint(field << 3 | 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  Message& message(std::uint64_t field, const Message& value) { return text(field, value.bytes_); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 128; value >>= 7) bytes_ += static_cast<char>(value % 128 + 128);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

/// Cuts images [N, 3, H, W] into patches and gives each four numbers: the sums of its red, green
/// and blue values, and its first red value. Before the patches come prefix tokens: their mean.
struct TinyModel {
  std::size_t patch_size = 4;
  std::size_t prefix_tokens = 0;
  std::int64_t batch = -1;  ///< -1: any
  std::size_t channels = 3;
  std::int64_t height = -1;
  std::int64_t width = -1;
  std::size_t element_type = 1;   ///< of the input that it declares; 1: float32
  std::string output = "tokens";  ///< [N, tokens, 4]
  std::string doubled{};          ///< if not empty, an output: twice the first
  std::string map{};              ///< if not empty, an output [N, 4, rows, columns]
  std::string external{};         ///< if not empty, the file that has the weights
  static constexpr std::size_t dimension = 4;

  [[nodiscard]] std::vector<float> weights() const;
  [[nodiscard]] std::string bytes() const;
};

namespace onnx {

template <typename T>
std::string raw(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

inline Message node(std::string_view operation, const std::vector<std::string>& inputs,
                    std::string_view output, const std::vector<Message>& attributes = {}) {
  Message result;
  for (const std::string& input : inputs) result.text(1, input);
  result.text(2, output).text(4, operation);
  for (const Message& attribute : attributes) result.message(5, attribute);
  return result;
}

inline Message number(std::string_view name, std::uint64_t value) {
  return Message().text(1, name).number(3, value).number(20, 2);
}

inline Message numbers(std::string_view name, const std::vector<std::uint64_t>& values) {
  Message result;
  result.text(1, name).number(20, 7);
  for (const std::uint64_t value : values) result.number(8, value);
  return result;
}

inline Message value_info(std::string_view name, std::size_t type,
                          const std::vector<std::int64_t>& shape) {
  Message dims;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    Message dim;
    if (shape[i] < 0) {
      dim.text(2, "free" + std::to_string(i));
    } else {
      dim.number(1, static_cast<std::uint64_t>(shape[i]));
    }
    dims.message(1, dim);
  }
  const Message tensor = Message().number(1, type).message(2, dims);
  return Message().text(1, name).message(2, Message().message(1, tensor));
}

inline Message dimensions(const std::vector<std::uint64_t>& sizes) {
  Message result;
  for (const std::uint64_t size : sizes) result.number(1, size);
  return result;
}

inline Message weight_tensor(const TinyModel& model) {
  Message tensor =
      dimensions({model.dimension, model.channels, model.patch_size, model.patch_size});
  tensor.number(2, 1).text(8, "weights");
  if (model.external.empty()) return tensor.text(9, raw(model.weights()));
  const Message location = Message().text(1, "location").text(2, model.external);
  return tensor.message(13, location).number(14, 1);
}

inline void add_nodes(Message& graph, const TinyModel& model) {
  const std::string map = model.map.empty() ? "map" : model.map;
  graph.message(1, node("Conv", {"pixel_values", "weights"}, map,
                        {numbers("strides", {model.patch_size, model.patch_size})}));
  graph.message(1, node("Reshape", {map, "flat"}, "columns"));
  graph.message(1, node("Transpose", {"columns"}, "patches", {numbers("perm", {0, 2, 1})}));
  graph.message(1, node("ReduceMean", {"patches"}, "mean", {numbers("axes", {1})}));
  std::vector<std::string> tokens(model.prefix_tokens, "mean");
  tokens.emplace_back("patches");
  graph.message(1, node("Concat", tokens, model.output, {number("axis", 1)}));
  if (!model.doubled.empty()) {
    graph.message(1, node("Add", {model.output, model.output}, model.doubled));
  }
}

inline void add_outputs(Message& graph, const TinyModel& model) {
  if (!model.map.empty()) graph.message(12, value_info(model.map, 1, {model.batch, 4, -1, -1}));
  if (!model.doubled.empty()) {
    graph.message(12, value_info(model.doubled, 1, {model.batch, -1, -1}));
  }
  if (!model.output.empty()) graph.message(12, value_info(model.output, 1, {model.batch, -1, 4}));
}

}  // namespace onnx

inline std::vector<float> TinyModel::weights() const {
  const std::size_t area = patch_size * patch_size;
  std::vector<float> values(dimension * channels * area);
  for (std::size_t d = 0; d < 3 && d < channels; ++d) {
    for (std::size_t i = 0; i < area; ++i) values[(d * channels + d) * area + i] = 1;
  }
  values[3 * channels * area] = 1;
  return values;
}

inline std::string TinyModel::bytes() const {
  Message graph;
  onnx::add_nodes(graph, *this);
  graph.text(2, "tiny").message(5, onnx::weight_tensor(*this));
  graph.message(5, onnx::dimensions({3}).number(2, 7).text(8, "flat").text(
                       9, onnx::raw<std::int64_t>({0, 4, -1})));
  graph.message(11, onnx::value_info("pixel_values", element_type,
                                     {batch, static_cast<std::int64_t>(channels), height, width}));
  onnx::add_outputs(graph, *this);
  const Message opset = Message().text(1, "").number(2, 17);
  return Message().number(1, 8).message(8, opset).message(7, graph).bytes();
}

}  // namespace caos::test
