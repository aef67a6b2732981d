#include "caos/vision/backbones/onnx_signature.hpp"

#include "tests/support/expect_error.hpp"

namespace {

using caos::ErrorKind;
using caos::OnnxTensor;
using caos::test::expect_error;
using caos::vision::image_input;
using caos::vision::layout_of;
using caos::vision::token_output;

OnnxTensor floats(const std::string& name, const std::vector<std::int64_t>& shape) {
  return {.name = name, .element = caos::OnnxElement::float32, .shape = shape};
}

TEST(ImageInput, SaysWhatIsFixed) {
  const auto free = image_input({floats("x", {-1, 3, -1, -1})}, "m");
  EXPECT_TRUE(free.takes_batches && !free.width && !free.height);
  const auto fixed = image_input({floats("x", {1, 3, 224, 192})}, "m");
  EXPECT_TRUE(!fixed.takes_batches && fixed.width == 192 && fixed.height == 224);
  EXPECT_TRUE(image_input({floats("x", {-1, -1, -1, 192})}, "m").width == 192);
}

TEST(ImageInput, RefusesWhatNoImageFits) {
  const std::vector<std::vector<OnnxTensor>> wrong{
      {},
      {floats("x", {-1, 1, -1, -1})},
      {floats("x", {4, 3, -1, -1})},
      {floats("x", {-1, 3, -1})},
      {floats("x", {-1, 3, 0, -1})},
      {{.name = "x", .element = caos::OnnxElement::int64, .shape = {-1, 3, -1, -1}}},
      {floats("x", {-1, 3, -1, -1}), floats("mask", {-1, -1})}};
  for (const auto& inputs : wrong) {
    expect_error([&] { (void)image_input(inputs, "model.onnx"); }, ErrorKind::bad_format,
                 {"model.onnx: takes", "[any or 1, 3, height, width]"});
  }
}

TEST(TokenOutput, PrefersWhatIsWantedThenKnownNamesThenTheFirstThatFits) {
  const OnnxTensor pooled = floats("pooled", {-1, 4});
  const OnnxTensor first = floats("first", {-1, 9, 4});
  const OnnxTensor known = floats("patch_tokens", {-1, 9, 4});
  const OnnxTensor hidden = floats("last_hidden_state", {-1, -1, 4});
  EXPECT_EQ(token_output({pooled, first}, "", "m"), "first");
  EXPECT_EQ(token_output({pooled, first, known}, "", "m"), "patch_tokens");
  EXPECT_EQ(token_output({pooled, known, hidden}, "", "m"), "last_hidden_state");
  EXPECT_EQ(token_output({pooled, first, hidden}, "first", "m"), "first");
  EXPECT_EQ(token_output({floats("open", {})}, "", "m"), "open");
}

TEST(TokenOutput, ListsTheOutputsIfNoneFits) {
  const std::vector<OnnxTensor> outputs{floats("pooled", {-1, 4}), {.name = "ids", .shape = {1}}};
  for (const char* wanted : {"", "pooled", "ids", "missing"}) {
    expect_error([&] { (void)token_output(outputs, wanted, "model.onnx"); },
                 ErrorKind::invalid_input,
                 {"model.onnx", "pooled [any, 4]", "ids [1] (not float32)", wanted});
  }
}

TEST(LayoutOf, FindsThePatchSizeAndThePrefix) {
  const auto expect = [](std::size_t width, std::size_t height, std::size_t tokens,
                         std::size_t patch_size, std::size_t prefix) {
    const auto found = layout_of(width, height, tokens, {});
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->patch_size, patch_size);
    EXPECT_EQ(found->prefix_tokens, prefix);
  };
  expect(192, 224, 168, 16, 0);
  expect(224, 224, 201, 16, 5);  // DINOv3
  expect(224, 224, 257, 14, 1);  // DINOv2
  expect(224, 224, 261, 14, 5);  // DINOv2 with registers
  expect(224, 224, 50, 32, 1);
  expect(224, 224, 785, 8, 1);
}

TEST(LayoutOf, KeepsToWhatIsSaid) {
  EXPECT_EQ(layout_of(224, 224, 257, {.patch_size = 14})->prefix_tokens, 1);
  EXPECT_EQ(layout_of(224, 224, 257, {.prefix_tokens = 61})->patch_size, 16);
  EXPECT_FALSE(layout_of(224, 224, 257, {.prefix_tokens = 0}).has_value());
  EXPECT_FALSE(layout_of(224, 224, 257, {.patch_size = 15}).has_value());
  EXPECT_FALSE(layout_of(224, 224, 257, {.patch_size = 14, .prefix_tokens = 5}).has_value());
  EXPECT_FALSE(layout_of(224, 224, 300, {}).has_value());
}

}  // namespace
