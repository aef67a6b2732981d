#include "caos/vision/backbones/onnx_config.hpp"

#include "tests/support/expect_error.hpp"

namespace {

using caos::ErrorKind;
using caos::test::expect_error;
using caos::vision::onnx_config_file;
using caos::vision::onnx_preset;
using caos::vision::OnnxConfig;
using caos::vision::parse_onnx_config;

constexpr std::array<double, 3> imagenet_mean{0.485, 0.456, 0.406};
constexpr std::array<double, 3> imagenet_std{0.229, 0.224, 0.225};

void expect_refused(std::string_view json, std::initializer_list<std::string> parts) {
  expect_error([&] { (void)parse_onnx_config(json, "model.json"); }, ErrorKind::bad_format,
               {"model.json"});
  expect_error([&] { (void)parse_onnx_config(json, "model.json"); }, ErrorKind::bad_format, parts);
}

TEST(OnnxPreset, KnowsTheDinoFamilies) {
  for (const char* name : {"dinov3-small", "dinov3-base", "dinov3-large"}) {
    EXPECT_EQ(onnx_preset(name), (OnnxConfig{16, 5, imagenet_mean, imagenet_std, {}})) << name;
  }
  for (const char* name : {"dinov2-small", "dinov2-base", "dinov2-large"}) {
    EXPECT_EQ(onnx_preset(name), (OnnxConfig{14, 1, imagenet_mean, imagenet_std, {}})) << name;
  }
  for (const char* name : {"dinov2-small-reg", "dinov2-base-reg", "dinov2-large-reg"}) {
    EXPECT_EQ(onnx_preset(name), (OnnxConfig{14, 5, imagenet_mean, imagenet_std, {}})) << name;
  }
}

TEST(OnnxPreset, RefusesOtherNamesAndListsItsOwn) {
  for (const char* name : {"", "dinov4", "dinov3", "base", "dinov3-small, dinov3-base"}) {
    expect_error([&] { (void)onnx_preset(name); }, ErrorKind::invalid_input,
                 {name, "dinov2-small, ", "dinov2-large-reg, ", "dinov3-large"});
  }
}

TEST(OnnxConfigFile, LiesBesideTheModel) {
  EXPECT_EQ(onnx_config_file("a/b.c/model.onnx"), "a/b.c/model.json");
  EXPECT_EQ(onnx_config_file("model"), "model.json");
}

TEST(ParseOnnxConfig, LeavesOpenWhatIsNotSaid) {
  EXPECT_EQ(parse_onnx_config("{}", "model.json"), OnnxConfig{});
}

TEST(ParseOnnxConfig, ReadsEveryKey) {
  const OnnxConfig found = parse_onnx_config(
      R"({"patch_size": 14, "prefix_tokens": 0, "mean": [0, 0.25, 1], "std": [0.1, 0.5, 1],
          "output": "keys"})",
      "model.json");
  EXPECT_EQ(found, (OnnxConfig{14, 0, {0, 0.25, 1}, {0.1, 0.5, 1}, "keys"}));
}

TEST(ParseOnnxConfig, LetsOtherKeysOverrideThePreset) {
  OnnxConfig expected = onnx_preset("dinov2-base");
  expected.prefix_tokens = 0;  // its key comes before "preset" in any order
  expected.std_dev = {1, 1, 1};
  EXPECT_EQ(
      parse_onnx_config(R"({"prefix_tokens": 0, "preset": "dinov2-base", "std": [1, 1, 1]})", "f"),
      expected);
}

TEST(ParseOnnxConfig, RefusesAnythingButAJsonObject) {
  expect_refused("", {"not JSON", "byte"});
  expect_refused("{\"mean\": ", {"not JSON"});
  expect_refused("{} {}", {"not JSON"});
  expect_refused("\xff\xfe", {"not JSON"});
  expect_refused("[]", {"object"});
  expect_refused("null", {"object"});
  expect_refused(R"({"mean": [1e999, 0, 0]})", {"too large"});
}

TEST(ParseOnnxConfig, RefusesUnknownKeysAndListsThoseItKnows) {
  expect_refused(R"({"patchsize": 16})", {"'patchsize'", "patch_size, prefix_tokens"});
  expect_refused("{\"\\u001b[2J\": 16}", {"'?[2J'"});
  expect_refused("{\"preset\": \"\\u001b[2J\"}", {"'?[2J'"});
}

TEST(ParseOnnxConfig, RefusesWrongTypesByKey) {
  expect_refused(R"({"patch_size": "16"})", {"'patch_size'", "1 to 1024"});
  expect_refused(R"({"prefix_tokens": 1.5})", {"'prefix_tokens'", "0 to 1024"});
  expect_refused(R"({"mean": 0.5})", {"'mean'", "three numbers"});
  expect_refused(R"({"std": [1, 1]})", {"'std'", "three numbers"});
  expect_refused(R"({"mean": [0, 0, "0"]})", {"'mean'"});
  expect_refused(R"({"output": 1})", {"'output'", "text"});
  expect_refused(R"({"preset": 3})", {"'preset'", "text"});
  expect_refused(R"({"preset": "dinov9"})", {"'dinov9'", "dinov3-base"});
}

TEST(ParseOnnxConfig, RefusesAbsurdValuesByKey) {
  expect_refused(R"({"patch_size": 0})", {"'patch_size'"});
  expect_refused(R"({"patch_size": 1e300})", {"'patch_size'"});
  expect_refused(R"({"prefix_tokens": -1})", {"'prefix_tokens'"});
  expect_refused(R"({"mean": [123.675, 116.28, 103.53]})", {"'mean'", "fractions of 255"});
  expect_refused(R"({"std": [0, 1, 1]})", {"'std'", "0.001"});
}

}  // namespace
