#include "caos/vision/backbones/onnx_config.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

FUZZ_TARGET(backbone_config, input) {
  const vision::OnnxConfig config = vision::parse_onnx_config(text_of(input), "model.json");
  for (const double value : config.std_dev) demand(value > 0, "pixels are divided by a number");
}

}  // namespace
}  // namespace caos::fuzz
