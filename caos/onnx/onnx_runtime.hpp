#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

/// ONNX Runtime, which is never linked but loaded when first needed, so that one program serves
/// with it and without. The first library that loads stays for the life of the process.
namespace caos {

/// "ONNX Runtime 1.30.0", or "without ONNX Runtime: " and how to get it.
[[nodiscard]] std::string onnx_runtime_description(const std::string& library = {});

/// What a tensor holds, as far as caos uses it.
enum class OnnxElement { float32, int64, other };

/// An input or output of a model.
struct OnnxTensor {
  std::string name{};
  OnnxElement element = OnnxElement::other;
  std::vector<std::int64_t> shape{};  ///< -1 where any size goes; empty where the rank is open
};

struct OnnxSessionOptions {
  std::string model{};      ///< path of the model; data outside it are found beside it
  std::string library{};    ///< path of ONNX Runtime; empty: the system's loader searches
  std::size_t threads = 0;  ///< 0: one per core
};

/// An input of one run, which must hold as many values as its shape says. The runtime only reads.
struct OnnxValues {
  std::string name{};
  std::variant<std::span<const float>, std::span<const std::int64_t>> values{};
  std::vector<std::int64_t> shape{};
};

/// A model that ONNX Runtime has loaded. Safe to share between threads.
/// Whatever fails throws an `Error` that holds the model's name and what the runtime said.
class OnnxSession {
 public:
  using Take =
      std::function<void(std::span<const float> values, std::span<const std::int64_t> shape)>;

  explicit OnnxSession(const OnnxSessionOptions& options);
  OnnxSession(const OnnxSession&) = delete;
  OnnxSession& operator=(const OnnxSession&) = delete;
  ~OnnxSession();

  [[nodiscard]] const std::vector<OnnxTensor>& inputs() const;
  [[nodiscard]] const std::vector<OnnxTensor>& outputs() const;

  /// Runs the model on all its inputs and hands one output, of float32, to `take`, without a copy.
  void run(std::span<const OnnxValues> inputs, const std::string& output, const Take& take) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace caos
