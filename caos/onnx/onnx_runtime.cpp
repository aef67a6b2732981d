#include "caos/onnx/onnx_runtime.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"

// Without this the header calls into the library before main, and so demands that it is linked.
#define ORT_API_MANUAL_INIT
#include <onnxruntime_cxx_api.h>

#ifdef __SANITIZE_ADDRESS__
// ONNX Runtime 1.30 leaks 14 bytes per environment, and 152 now and then as sessions come and go,
// in programs without caos too. It keeps no frame pointers, so that this hides its objects that we
// would leak as well; they are all held by the types of its own header. The names are the
// sanitizer's, reserved for it; hidden ones, as all of ours are, it would not find.
// NOLINTBEGIN(bugprone-reserved-identifier)
#define CAOS_FOR_SANITIZER extern "C" __attribute__((visibility("default")))
CAOS_FOR_SANITIZER const char* __lsan_default_suppressions() { return "leak:libonnxruntime.so\n"; }
CAOS_FOR_SANITIZER const char* __lsan_default_options() { return "print_suppressions=0"; }
#undef CAOS_FOR_SANITIZER
// NOLINTEND(bugprone-reserved-identifier)
#endif

namespace caos {

namespace {

constexpr const char* library_name = "libonnxruntime.so.1";

/// The library as the loader gave it, before anything in it has run.
struct Library {
  void* handle = nullptr;
  const OrtApiBase* base = nullptr;
};

[[noreturn]] void refuse_library(const std::string& what) {
  throw Error(ErrorKind::backend,
              fmt::format("{}; run tools/fetch-npm, or install ONNX Runtime 1.{} or later", what,
                          ORT_API_VERSION));
}

/// Versions are 1.x.y, where x is the version of the API. An older library would print and give no
/// API when asked for ours.
void require_version(const char* version) {
  const std::string_view text = version;
  const bool fits = text.starts_with("1.") && std::atoi(version + 2) >= ORT_API_VERSION;
  if (!fits) refuse_library(fmt::format("ONNX Runtime {} is too old", version));
}

Library open_library(const std::string& path) {
  void* const handle =
      ::dlopen(path.empty() ? library_name : path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) refuse_library(fmt::format("ONNX Runtime not loaded: {}", ::dlerror()));
  // The loader knows no types: a symbol is what its name says.
  const auto entry =
      reinterpret_cast<const OrtApiBase* (*)()>(::dlsym(handle, "OrtGetApiBase"));  // NOLINT
  if (entry == nullptr) refuse_library(fmt::format("{} is not ONNX Runtime", path));
  const OrtApiBase* const base = entry();
  require_version(base->GetVersionString());
  return {handle, base};
}

/// The library must not talk; what matters comes back as a status.
void say_nothing(void* /*parameter*/, OrtLoggingLevel /*severity*/, const char* /*category*/,
                 const char* /*id*/, const char* /*place*/, const char* /*message*/) {}

struct Runtime {
  explicit Runtime(const Library& library) : handle(library.handle) {
    Ort::InitApi(library.base->GetApi(ORT_API_VERSION));
    env = Ort::Env(ORT_LOGGING_LEVEL_FATAL, "caos", say_nothing, nullptr);
  }
  void* handle;
  Ort::Env env{nullptr};
};

/// The one runtime of the process. Never destroyed: sessions in static objects may outlive main.
Runtime& runtime(const std::string& path) {
  static std::mutex mutex;
  static Runtime* loaded = nullptr;
  const std::lock_guard lock(mutex);
  const Library library = open_library(path);
  if (loaded == nullptr) loaded = new Runtime(library);  // NOLINT(*-owning-memory): never freed
  require(loaded->handle == library.handle, ErrorKind::invalid_input,
          [&] { return fmt::format("{}: another ONNX Runtime is loaded already", path); });
  return *loaded;
}

ErrorKind kind_of(OrtErrorCode code) {
  switch (code) {
    case ORT_NO_SUCHFILE:
      return ErrorKind::not_found;
    case ORT_INVALID_PROTOBUF:
    case ORT_NO_MODEL:
    case ORT_INVALID_GRAPH:
      return ErrorKind::bad_format;
    default:
      return ErrorKind::backend;
  }
}

/// The runtime's messages run over several lines.
std::string one_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// Does something with the runtime; its errors become ours.
template <typename Action>
auto with_runtime(const std::string& model, const char* what, const Action& action) {
  try {
    return action();
  } catch (const Ort::Exception& error) {
    throw Error(kind_of(error.GetOrtErrorCode()),
                fmt::format("{}: {}; ONNX Runtime says: {}", model, what, one_line(error.what())));
  }
}

Ort::SessionOptions session_options(std::size_t threads) {
  Ort::SessionOptions options;
  options.SetIntraOpNumThreads(static_cast<int>(num_threads(threads)));
  options.SetExecutionMode(ORT_SEQUENTIAL);
  options.SetGraphOptimizationLevel(ORT_ENABLE_ALL);
  // Between runs other work needs the cores on which idle threads would spin.
  options.AddConfigEntry("session.force_spinning_stop", "1");
  // Weights stay for good, so that the arena's rounding up would be waste.
  options.AddConfigEntry("session.use_device_allocator_for_initializers", "1");
  return options;
}

OnnxElement element_of(ONNXTensorElementDataType type) {
  if (type == ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT) return OnnxElement::float32;
  return type == ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 ? OnnxElement::int64 : OnnxElement::other;
}

OnnxTensor tensor(Ort::AllocatedStringPtr name, const Ort::TypeInfo& type) {
  OnnxTensor result{.name = name.get()};
  if (type.GetONNXType() != ONNX_TYPE_TENSOR) return result;
  const auto info = type.GetTensorTypeAndShapeInfo();
  result.element = element_of(info.GetElementType());
  result.shape = info.GetShape();
  return result;
}

std::vector<OnnxTensor> inputs_of(const Ort::Session& session) {
  const Ort::AllocatorWithDefaultOptions allocator;
  std::vector<OnnxTensor> tensors;
  for (std::size_t i = 0; i < session.GetInputCount(); ++i) {
    tensors.push_back(
        tensor(session.GetInputNameAllocated(i, allocator), session.GetInputTypeInfo(i)));
  }
  return tensors;
}

std::vector<OnnxTensor> outputs_of(const Ort::Session& session) {
  const Ort::AllocatorWithDefaultOptions allocator;
  std::vector<OnnxTensor> tensors;
  for (std::size_t i = 0; i < session.GetOutputCount(); ++i) {
    tensors.push_back(
        tensor(session.GetOutputNameAllocated(i, allocator), session.GetOutputTypeInfo(i)));
  }
  return tensors;
}

Ort::Value value_of(const OnnxValues& input, const Ort::MemoryInfo& memory) {
  return std::visit(
      [&]<typename T>(std::span<const T> values) {
        // The runtime only reads its inputs, but takes them as if it wrote.
        auto* const data = const_cast<T*>(values.data());  // NOLINT
        return Ort::Value::CreateTensor<T>(memory, data, values.size(), input.shape.data(),
                                           input.shape.size());
      },
      input.values);
}

void require_file(const std::string& model) {
  std::error_code ignored;
  require(std::filesystem::is_regular_file(model, ignored), ErrorKind::not_found,
          [&] { return fmt::format("{}: no such file", model); });
  require(std::filesystem::file_size(model, ignored) > 0, ErrorKind::bad_format,
          [&] { return fmt::format("{}: is empty", model); });
}

}  // namespace

struct OnnxSession::State {
  explicit State(const OnnxSessionOptions& options)
      : model(options.model),
        env(runtime(options.library).env),
        session(env, options.model.c_str(), session_options(options.threads)),
        inputs(inputs_of(session)),
        outputs(outputs_of(session)) {}

  std::string model;
  Ort::Env& env;         // first: nothing of the runtime works before it is loaded
  Ort::Session session;  // Run is safe from many threads, though not const
  std::vector<OnnxTensor> inputs;
  std::vector<OnnxTensor> outputs;
};

std::string onnx_runtime_description(const std::string& library) {
  try {
    return fmt::format("ONNX Runtime {}", open_library(library).base->GetVersionString());
  } catch (const Error& error) {
    return fmt::format("without ONNX Runtime: {}", error.what());
  }
}

OnnxSession::OnnxSession(const OnnxSessionOptions& options) {
  require_file(options.model);
  state_ = with_runtime(options.model, "cannot be loaded as an ONNX model",
                        [&] { return std::make_unique<State>(options); });
}

OnnxSession::~OnnxSession() = default;

const std::vector<OnnxTensor>& OnnxSession::inputs() const { return state_->inputs; }
const std::vector<OnnxTensor>& OnnxSession::outputs() const { return state_->outputs; }

void OnnxSession::run(std::span<const OnnxValues> inputs, const std::string& output,
                      const Take& take) const {
  with_runtime(state_->model, "failed when it was run", [&] {
    const auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
    std::vector<Ort::Value> values;
    std::vector<const char*> names;
    for (const OnnxValues& input : inputs) {
      values.push_back(value_of(input, memory));
      names.push_back(input.name.c_str());
    }
    const char* const output_name = output.c_str();
    const auto results = state_->session.Run(Ort::RunOptions(), names.data(), values.data(),
                                             values.size(), &output_name, 1);
    const auto info = results[0].GetTensorTypeAndShapeInfo();
    take({results[0].GetTensorData<float>(), info.GetElementCount()}, info.GetShape());
  });
}

}  // namespace caos
