// What the onnx: backbone costs beyond ONNX Runtime itself.
//
//   onnx_bench MODEL [ROUNDS [THREADS]]
//
// Each round embeds the same images with the backbone, from pixels to matrices, and runs the same
// model bare, on tensors that were prepared before; which goes first alternates. Prints the fastest
// round of each, the ratio of these, and the median of the ratios in each round.

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "caos/core/parallel_for.hpp"
#include "caos/onnx/onnx_runtime.hpp"
#include "caos/rng.hpp"
#include "caos/vision/backbones/onnx_backbone.hpp"

#define ORT_API_MANUAL_INIT
#include <onnxruntime_cxx_api.h>

namespace {

using caos::vision::Backbone;
using caos::vision::Image;

constexpr std::size_t num_images = 8;

std::vector<Image> random_images(std::size_t width, std::size_t height) {
  caos::Rng rng(1);
  std::vector<Image> images(num_images, {.width = width, .height = height});
  for (Image& image : images) {
    image.rgb.resize(3 * width * height);
    for (auto& value : image.rgb) value = static_cast<std::uint8_t>(rng.uniform() * 256);
  }
  return images;
}

void load_runtime() {
  void* const handle = ::dlopen("libonnxruntime.so.1", RTLD_NOW);
  if (handle == nullptr) throw std::runtime_error(caos::onnx_runtime_description());
  const auto base = reinterpret_cast<const OrtApiBase* (*)()>(::dlsym(handle, "OrtGetApiBase"));
  Ort::InitApi(base()->GetApi(ORT_API_VERSION));
}

/// The least that has to be done: runs on tensors of noise.
class BareLoop {
 public:
  BareLoop(Ort::Env& env, const std::string& model, std::size_t batch, std::size_t threads)
      : session_(env, model.c_str(), options(threads)), batch_(batch) {
    const Ort::AllocatorWithDefaultOptions allocator;
    input_ = session_.GetInputNameAllocated(0, allocator).get();
    output_ = session_.GetOutputNameAllocated(0, allocator).get();
    shape_ = session_.GetInputTypeInfo(0).GetTensorTypeAndShapeInfo().GetShape();
    if (shape_[2] < 0 || shape_[3] < 0) throw std::runtime_error("give a model of fixed size");
    shape_[0] = static_cast<std::int64_t>(batch);
    caos::Rng rng(2);
    values_.resize(batch * 3 * height() * width());
    for (float& value : values_) value = static_cast<float>(2 * rng.uniform() - 1);
  }

  [[nodiscard]] std::size_t height() const { return static_cast<std::size_t>(shape_[2]); }
  [[nodiscard]] std::size_t width() const { return static_cast<std::size_t>(shape_[3]); }

  void run() {
    const auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
    const auto tensor = Ort::Value::CreateTensor<float>(memory, values_.data(), values_.size(),
                                                        shape_.data(), shape_.size());
    const char* const input = input_.c_str();
    const char* const output = output_.c_str();
    for (std::size_t i = 0; i < num_images; i += batch_) {
      (void)session_.Run(Ort::RunOptions(), &input, &tensor, 1, &output, 1);
    }
  }

 private:
  static Ort::SessionOptions options(std::size_t threads) {
    Ort::SessionOptions result;
    result.SetIntraOpNumThreads(static_cast<int>(threads));
    // Else its idle threads would take the cores from the backbone, which is measured next.
    result.AddConfigEntry("session.force_spinning_stop", "1");
    return result;
  }

  Ort::Session session_;
  std::size_t batch_;
  std::string input_;
  std::string output_;
  std::vector<std::int64_t> shape_;
  std::vector<float> values_;
};

template <typename Action>
double seconds(const Action& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// The backbone against the bare runtime, with one batch size.
class Contest {
 public:
  Contest(Ort::Env& env, const std::string& model, std::size_t batch, std::size_t threads)
      : bare_(env, model, batch, threads),
        backbone_(caos::vision::open_onnx_backbone(
            {.model = model, .threads = threads, .batch_size = batch})),
        images_(random_images(bare_.width(), bare_.height())) {}

  void play(bool bare_first) {
    if (bare_first) bare_times_.push_back(seconds([&] { bare_.run(); }));
    our_times_.push_back(seconds([&] { (void)backbone_->embed(images_); }));
    if (!bare_first) bare_times_.push_back(seconds([&] { bare_.run(); }));
    ratios_.push_back(our_times_.back() / bare_times_.back());
  }

  void print() const {
    const double ours = std::ranges::min(our_times_) * 1000 / num_images;
    const double bare = std::ranges::min(bare_times_) * 1000 / num_images;
    fmt::print("| {} | {:.2f} ms | {:.2f} ms | {:.3f} | {:.3f} |\n", backbone_->batch_size(), ours,
               bare, ours / bare, median(ratios_));
  }

 private:
  BareLoop bare_;
  std::unique_ptr<Backbone> backbone_;
  std::vector<Image> images_;
  std::vector<double> our_times_;
  std::vector<double> bare_times_;
  std::vector<double> ratios_;
};

void run(const std::string& model, std::size_t rounds, std::size_t threads) {
  load_runtime();
  Ort::Env env(ORT_LOGGING_LEVEL_ERROR, "bench");
  std::vector<std::unique_ptr<Contest>> contests;
  for (const std::size_t batch : {1UL, 2UL, 4UL, 8UL}) {
    contests.push_back(std::make_unique<Contest>(env, model, batch, threads));
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const auto& contest : contests) contest->play(round % 2 == 0);
  }
  fmt::print("{}, {} threads, {} rounds of {} images\n\n", caos::onnx_runtime_description(),
             threads, rounds, num_images);
  fmt::print("| batch | backbone, per image | bare, per image | ratio | median ratio |\n");
  fmt::print("| --- | --- | --- | --- | --- |\n");
  for (const auto& contest : contests) contest->print();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: onnx_bench MODEL [ROUNDS [THREADS]]\n");
    return 2;
  }
  try {
    run(argv[1], argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 15,
        argc > 3 ? std::strtoul(argv[3], nullptr, 10) : caos::default_threads());
  } catch (const std::exception& error) {
    fmt::print(stderr, "onnx_bench: {}\n", error.what());
    return 1;
  }
}
