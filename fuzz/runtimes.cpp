#include "caos/onnx/onnx_runtime.hpp"
#include "caos/text/models/llama/llama_runtime.hpp"
#include "caos/vision/backbones/onnx_signature.hpp"
#include "fuzz/target.hpp"

// Models that others' runtimes read. What these do with hostile bytes is theirs, and model files
// are trusted (docs/project/security.md): the targets show how far that trust is needed, and are
// run by name only.
namespace caos::fuzz {
namespace {

FUZZ_TARGET(runtime_gguf, input) {
  const text::LlamaWeights weights(file_of(input, "model.gguf"));
  (void)weights.tokenize("a text");
}

FUZZ_TARGET(runtime_onnx, input) {
  const OnnxSession session({.model = file_of(input, "model.onnx"), .threads = 1});
  (void)vision::image_input(session.inputs(), "model.onnx");
  (void)vision::token_output(session.outputs(), "", "model.onnx");
}

}  // namespace
}  // namespace caos::fuzz
