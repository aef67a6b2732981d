#include "caos/vision/backbones/onnx_backbone.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>

#include "caos/error.hpp"
#include "caos/onnx/onnx_runtime.hpp"
#include "caos/vision/backbones/onnx_signature.hpp"
#include "caos/vision/backbones/pixel_planes.hpp"

namespace caos::vision {

namespace {

/// The size of the images that the model sees.
struct Frame {
  std::size_t width = 0;
  std::size_t height = 0;

  [[nodiscard]] std::size_t values() const { return 3 * width * height; }
};

/// Tokens of a batch, [images, tokens, dimension], as the runtime gave them.
struct Tokens {
  std::span<const float> values{};
  std::size_t images = 0;
  std::size_t tokens = 0;
  std::size_t dimension = 0;
};

std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

std::vector<std::int64_t> shape_of(std::size_t images, Frame frame) {
  return {static_cast<std::int64_t>(images), 3, static_cast<std::int64_t>(frame.height),
          static_cast<std::int64_t>(frame.width)};
}

class OnnxBackbone final : public Backbone {
 public:
  explicit OnnxBackbone(const OnnxOptions& options)
      : options_(options),
        session_({options.model, options.library, options.threads}),
        input_(image_input(session_.inputs(), options.model)),
        output_(token_output(session_.outputs(), options.config.output, options.model)),
        planes_(options.config.mean, options.config.std_dev) {
    settle_layout();
  }

  [[nodiscard]] std::string identity() const override;
  [[nodiscard]] std::size_t patch_size() const override { return layout_.patch_size; }
  [[nodiscard]] std::size_t dimension() const override { return dimension_; }
  [[nodiscard]] std::size_t batch_size() const override {
    return input_.takes_batches ? std::max<std::size_t>(options_.batch_size, 1) : 1;
  }
  [[nodiscard]] bool is_parallel() const override { return true; }
  [[nodiscard]] PatchGrid grid_of(std::size_t width, std::size_t height) const override;
  [[nodiscard]] std::vector<Matrix<float>> embed(std::span<const Image> images) const override;

 private:
  [[noreturn]] void fail(ErrorKind kind, const std::string& what) const {
    throw Error(kind, fmt::format("{}: {}", options_.model, what));
  }

  void settle_layout();
  [[nodiscard]] Frame trial_frame() const;
  [[noreturn]] void refuse_layout(Frame frame, std::size_t tokens) const;

  [[nodiscard]] Frame frame_over(const PatchGrid& grid) const;
  void check_image(const Image& image, const PatchGrid& grid) const;
  void run(std::span<const float> pixels, std::size_t images, Frame frame,
           const std::function<void(const Tokens&)>& take) const;
  void check_tokens(const Tokens& tokens, Frame frame) const;
  [[nodiscard]] Matrix<float> patches(const Tokens& tokens, std::size_t image,
                                      const PatchGrid& grid, Frame frame) const;

  OnnxOptions options_;
  OnnxSession session_;
  OnnxInput input_;
  std::string output_;
  PixelPlanes planes_;
  TokenLayout layout_{};
  std::size_t dimension_ = 0;
};

// What follows settles the layout of tokens when the model is opened.

/// A size that shows the layout: so many patches that a wrong size of them cannot pass for prefix
/// tokens. Common patch sizes divide 224.
Frame OnnxBackbone::trial_frame() const {
  const std::optional<std::size_t> patch_size = options_.config.patch_size;
  return {.width = input_.width.value_or(patch_size ? 12 * *patch_size : 224),
          .height = input_.height.value_or(patch_size ? 8 * *patch_size : 224)};
}

void OnnxBackbone::settle_layout() {
  if (options_.config.patch_size == 0) fail(ErrorKind::invalid_input, "patch_size must not be 0");
  const Frame frame = trial_frame();
  const std::vector<float> black(frame.values());
  run(black, 1, frame, [&](const Tokens& trial) {
    const auto found = layout_of(frame.width, frame.height, trial.tokens, options_.config);
    if (!found) refuse_layout(frame, trial.tokens);
    layout_ = *found;
    dimension_ = trial.dimension;
  });
  if (dimension_ == 0) fail(ErrorKind::bad_format, fmt::format("{} is empty", output_));
}

void OnnxBackbone::refuse_layout(Frame frame, std::size_t tokens) const {
  const OnnxConfig& config = options_.config;
  const auto says = [](const std::optional<std::size_t>& value) {
    return value ? std::to_string(*value) : "unknown";
  };
  fail(ErrorKind::invalid_input,
       fmt::format("{} holds {} tokens for an image of {}x{}, which does not fit patch_size {} and "
                   "prefix_tokens {}; say what is right in {}",
                   output_, tokens, frame.width, frame.height, says(config.patch_size),
                   says(config.prefix_tokens), onnx_config_file(options_.model)));
}

// What follows embeds images.

std::string OnnxBackbone::identity() const {
  return fmt::format("onnx:{} output={} patch_size={} prefix_tokens={} mean={} std={}",
                     options_.identity, output_, layout_.patch_size, layout_.prefix_tokens,
                     fmt::join(options_.config.mean, ","), fmt::join(options_.config.std_dev, ","));
}

PatchGrid OnnxBackbone::grid_of(std::size_t width, std::size_t height) const {
  if (width == 0 || height == 0) fail(ErrorKind::invalid_input, "takes no empty image");
  const std::size_t most_columns = input_.width.value_or(width);
  const std::size_t most_rows = input_.height.value_or(height);
  if (width > most_columns || height > most_rows) {
    fail(ErrorKind::invalid_input,
         fmt::format("takes images up to {}x{}, not {}x{}; give a working size of {}x{}",
                     most_columns, most_rows, width, height, most_columns, most_rows));
  }
  const std::size_t side = layout_.patch_size;
  return {.patch_size = side,
          .columns = round_up(width, side) / side,
          .rows = round_up(height, side) / side};
}

Frame OnnxBackbone::frame_over(const PatchGrid& grid) const {
  return {.width = input_.width.value_or(grid.columns * grid.patch_size),
          .height = input_.height.value_or(grid.rows * grid.patch_size)};
}

void OnnxBackbone::check_image(const Image& image, const PatchGrid& grid) const {
  if (grid_of(image.width, image.height) != grid) {
    fail(ErrorKind::invalid_input, "images that are embedded together must share one grid");
  }
  if (image.rgb.size() != 3 * image.width * image.height) {
    fail(ErrorKind::invalid_input,
         fmt::format("an image of {}x{} holds {} bytes; three per pixel are right", image.width,
                     image.height, image.rgb.size()));
  }
}

void OnnxBackbone::run(std::span<const float> pixels, std::size_t images, Frame frame,
                       const std::function<void(const Tokens&)>& take) const {
  const auto hand_on = [&](std::span<const float> values, std::span<const std::int64_t> shape) {
    if (shape.size() != 3 || shape[0] != static_cast<std::int64_t>(images)) {
      fail(ErrorKind::bad_format,
           fmt::format("{} has shape [{}] for {} images; [images, tokens, dimension] is right",
                       output_, fmt::join(shape, ", "), images));
    }
    take({values, images, static_cast<std::size_t>(shape[1]), static_cast<std::size_t>(shape[2])});
  };
  const OnnxValues input{session_.inputs()[0].name, pixels, shape_of(images, frame)};
  session_.run(std::span(&input, 1), output_, hand_on);
}

void OnnxBackbone::check_tokens(const Tokens& tokens, Frame frame) const {
  const std::size_t rows = frame.height / layout_.patch_size;
  const std::size_t columns = frame.width / layout_.patch_size;
  const std::size_t expected = layout_.prefix_tokens + rows * columns;
  if (tokens.tokens != expected || tokens.dimension != dimension_) {
    fail(ErrorKind::bad_format,
         fmt::format("{} holds {} tokens of {} numbers for an image of {}x{}; {} prefix tokens and "
                     "{} patches make {} of {}",
                     output_, tokens.tokens, tokens.dimension, frame.width, frame.height,
                     layout_.prefix_tokens, rows * columns, expected, dimension_));
  }
}

Matrix<float> OnnxBackbone::patches(const Tokens& tokens, std::size_t image, const PatchGrid& grid,
                                    Frame frame) const {
  Matrix<float> result(grid.size(), dimension_);
  const std::size_t columns = frame.width / layout_.patch_size;
  const std::size_t first = image * tokens.tokens + layout_.prefix_tokens;
  for (std::size_t row = 0; row < grid.rows; ++row) {
    const auto source = tokens.values.subspan((first + row * columns) * dimension_);
    std::ranges::copy(source.first(grid.columns * dimension_),
                      result.row(row * grid.columns).begin());
  }
  return result;
}

std::vector<Matrix<float>> OnnxBackbone::embed(std::span<const Image> images) const {
  std::vector<Matrix<float>> embeddings;
  if (images.empty()) return embeddings;
  const PatchGrid grid = grid_of(images[0].width, images[0].height);
  for (const Image& image : images) check_image(image, grid);

  const Frame frame = frame_over(grid);
  const std::size_t most = std::min(batch_size(), images.size());
  // An array without zeros to begin with: every pixel is filled below.
  const auto pixels = std::make_unique_for_overwrite<float[]>(  // NOLINT(*-avoid-c-arrays)
      most * frame.values());
  for (std::size_t first = 0; first < images.size(); first += most) {
    const std::size_t count = std::min(most, images.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      planes_.fill(images[first + i], frame.width, frame.height,
                   {pixels.get() + i * frame.values(), frame.values()});
    }
    run({pixels.get(), count * frame.values()}, count, frame, [&](const Tokens& tokens) {
      check_tokens(tokens, frame);
      for (std::size_t i = 0; i < count; ++i) {
        embeddings.push_back(patches(tokens, i, grid, frame));
      }
    });
  }
  return embeddings;
}

}  // namespace

std::unique_ptr<Backbone> open_onnx_backbone(const OnnxOptions& options) {
  return std::make_unique<OnnxBackbone>(options);
}

}  // namespace caos::vision
