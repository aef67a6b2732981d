#include "caos/vision/backbones/onnx_signature.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "caos/error.hpp"

namespace caos::vision {

namespace {

std::string show_size(std::int64_t size) { return size < 0 ? "any" : std::to_string(size); }

bool is_float(const OnnxTensor& tensor) { return tensor.element == OnnxElement::float32; }

/// "tokens [any, 168, 192]"
std::string show(const OnnxTensor& tensor) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : tensor.shape) sizes.push_back(show_size(size));
  return fmt::format("{} [{}]{}", tensor.name, fmt::join(sizes, ", "),
                     is_float(tensor) ? "" : " (not float32)");
}

std::string show(const std::vector<OnnxTensor>& tensors) {
  std::vector<std::string> texts;
  for (const OnnxTensor& tensor : tensors) texts.push_back(show(tensor));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::optional<std::size_t> fixed(std::int64_t size) {
  return size < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(size));
}

bool takes_images(const OnnxTensor& input) {
  const auto& shape = input.shape;
  return is_float(input) && shape.size() == 4 && (shape[0] < 0 || shape[0] == 1) &&
         (shape[1] < 0 || shape[1] == 3) && shape[2] != 0 && shape[3] != 0;
}

/// The runtime says nothing of a rank that is open; then the first run will show.
bool may_hold_tokens(const OnnxTensor& output) {
  return is_float(output) && (output.shape.size() == 3 || output.shape.empty());
}

const OnnxTensor* find(const std::vector<OnnxTensor>& outputs, std::string_view name) {
  const auto found = std::ranges::find(outputs, name, &OnnxTensor::name);
  return found == outputs.end() ? nullptr : &*found;
}

const OnnxTensor* wanted_output(const std::vector<OnnxTensor>& outputs, const std::string& wanted) {
  if (!wanted.empty()) return find(outputs, wanted);
  for (const std::string_view name : {"last_hidden_state", "patch_tokens"}) {
    const OnnxTensor* const output = find(outputs, name);
    if (output != nullptr && may_hold_tokens(*output)) return output;
  }
  const auto found = std::ranges::find_if(outputs, may_hold_tokens);
  return found == outputs.end() ? nullptr : &*found;
}

/// How many tokens are left for the prefix; nothing if patches do not fill the image, or there are
/// more of them than tokens.
std::optional<std::size_t> prefix_of(std::size_t width, std::size_t height, std::size_t tokens,
                                     std::size_t patch_size) {
  if (width % patch_size != 0 || height % patch_size != 0) return std::nullopt;
  const std::size_t patches = (width / patch_size) * (height / patch_size);
  return patches > tokens ? std::nullopt : std::optional(tokens - patches);
}

}  // namespace

OnnxInput image_input(const std::vector<OnnxTensor>& inputs, const std::string& model) {
  require(inputs.size() == 1 && takes_images(inputs[0]), ErrorKind::bad_format, [&] {
    return fmt::format(
        "{}: takes {}; a backbone takes one float32 tensor [any or 1, 3, height, width]", model,
        show(inputs));
  });
  const auto& shape = inputs[0].shape;
  return {.takes_batches = shape[0] < 0, .width = fixed(shape[3]), .height = fixed(shape[2])};
}

std::string token_output(const std::vector<OnnxTensor>& outputs, const std::string& wanted,
                         const std::string& model) {
  const OnnxTensor* const output = wanted_output(outputs, wanted);
  require(output != nullptr && may_hold_tokens(*output), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{}: {} is not a float32 output [images, tokens, dimension]; the model's outputs: {}",
        model, wanted.empty() ? "there" : fmt::format("'{}'", wanted), show(outputs));
  });
  return output->name;
}

std::optional<TokenLayout> layout_of(std::size_t width, std::size_t height, std::size_t tokens,
                                     const OnnxConfig& config) {
  constexpr std::size_t most_prefix_tokens = 16;
  const std::size_t smallest = config.patch_size.value_or(2);
  const std::size_t largest = config.patch_size.value_or(std::min(width, height));
  for (std::size_t patch_size = smallest; patch_size <= largest; ++patch_size) {
    const auto prefix = prefix_of(width, height, tokens, patch_size);
    // Larger patches are fewer and would leave more tokens to the prefix.
    if (!prefix) continue;
    const bool fits = *prefix == config.prefix_tokens.value_or(*prefix);
    if (fits && *prefix <= std::max(most_prefix_tokens, config.prefix_tokens.value_or(0))) {
      return TokenLayout{patch_size, *prefix};
    }
  }
  return std::nullopt;
}

}  // namespace caos::vision
