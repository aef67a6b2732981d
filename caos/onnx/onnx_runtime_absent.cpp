// Stands in for onnx_runtime.cpp where the headers of ONNX Runtime were not found.
#include "caos/error.hpp"
#include "caos/onnx/onnx_runtime.hpp"

namespace caos {

namespace {
constexpr const char* remedy = "its headers were missing; run tools/setup, then build again";
}

struct OnnxSession::State {
  std::vector<OnnxTensor> none{};
};

std::string onnx_runtime_description(const std::string& /*library*/) {
  return std::string("without ONNX Runtime: ") + remedy;
}

OnnxSession::OnnxSession(const OnnxSessionOptions& options) {
  throw Error(ErrorKind::backend,
              options.model + ": caos was built without ONNX Runtime: " + remedy);
}

OnnxSession::~OnnxSession() = default;

const std::vector<OnnxTensor>& OnnxSession::inputs() const { return state_->none; }
const std::vector<OnnxTensor>& OnnxSession::outputs() const { return state_->none; }

void OnnxSession::run(std::span<const OnnxValues> /*inputs*/, const std::string& /*output*/,
                      const Take& /*take*/) const {}

}  // namespace caos
