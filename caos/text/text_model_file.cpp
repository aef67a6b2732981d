#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/model_file.hpp"
#include "caos/io/utf8.hpp"
#include "caos/text/encoders/text_encoders.hpp"
#include "caos/text/prompt_template.hpp"
#include "caos/text/text_model.hpp"
#include "caos/version.hpp"

namespace caos {
namespace {

// Writing.

/// Many texts as one array of bytes and one of where each begins, with the end of the last. In the
/// header they would have to share 16 MiB.
struct PackedTexts {
  std::vector<std::uint8_t> bytes{};
  std::vector<std::int64_t> offsets{0};

  void push_back(const std::string& text) {
    require(text::is_utf8(text), ErrorKind::invalid_input, "the texts of a model must be UTF-8");
    bytes.insert(bytes.end(), text.begin(), text.end());
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
  }
};

PackedTexts pack(const std::vector<std::string>& texts) {
  PackedTexts packed;
  for (const std::string& text : texts) packed.push_back(text);
  return packed;
}

PackedTexts pack_texts(const std::vector<text::LabeledText>& examples) {
  PackedTexts packed;
  for (const text::LabeledText& example : examples) packed.push_back(example.text);
  return packed;
}

std::vector<std::int64_t> labels_of(const std::vector<text::LabeledText>& examples) {
  std::vector<std::int64_t> labels;
  labels.reserve(examples.size());
  for (const text::LabeledText& example : examples) {
    labels.push_back(static_cast<std::int64_t>(example.label));
  }
  return labels;
}

void push_texts(const std::string& name, const PackedTexts& texts,
                std::vector<io::TensorRef>& tensors) {
  tensors.push_back(io::tensor_of(name, texts.bytes));
  tensors.push_back(io::tensor_of(name + "_offsets", texts.offsets));
}

io::Metadata metadata_of(const TextModel& model) {
  const TextScoreRecord& scoring = model.scoring;
  io::Metadata metadata = io::model_header(io::ModelKind::text, model.vectors ? 2 : 1);
  metadata.insert({{"model", scoring.model},
                   {"model_identity", scoring.identity},
                   {"context", fmt::format("{}", scoring.context)},
                   {"chat", scoring.chat ? "yes" : "no"},
                   {"server_model", scoring.server_model},
                   {"prompt", scoring.prompt},
                   {"normalization", std::string(normalization_name(scoring.normalization))},
                   {"labels_from", model.labels_from_train ? "train" : "given"},
                   {"k", fmt::format("{}", model.calibration.k())},
                   {"groups", std::string(grouping_name(model.calibration.grouping().kind()))}});
  return metadata;
}

bool is_group_of(const Grouping& grouping, const TextModel& model) {
  if (grouping.kind() != Grouping::Kind::by_label) return grouping.kind() == Grouping::Kind::none;
  for (std::size_t i = 0; i < model.examples.size(); ++i) {
    if (grouping.of_example(i) != model.examples[i].label) return false;
  }
  return grouping.num_groups() == model.labels.size();
}

/// What the reader takes for granted: one calibration score, label and id per example.
void check_model(const TextModel& model) {
  const std::size_t n = model.examples.size();
  const Calibration& calibration = model.calibration;
  const bool fits = model.ids.size() == n && calibration.size() == n &&
                    calibration.num_references() == n &&
                    is_group_of(calibration.grouping(), model) &&
                    model.vectors.has_value() == text::is_encoder(model.scoring.model);
  require(fits && std::ranges::all_of(model.examples,
                                      [&](const text::LabeledText& example) {
                                        return example.label < model.labels.size();
                                      }),
          ErrorKind::invalid_input, "the parts of the text model do not fit together");
}

// Reading.

/// Reads and checks one part after another.
class Reader {
 public:
  explicit Reader(io::SafetensorsFile file) : file_(std::move(file), io::ModelKind::text, 2) {}

  TextModel read() const {
    Matrix<Score> nearest = read_nearest();
    const std::size_t n = nearest.rows();
    text::LabelSpace labels = read_label_space();
    const std::size_t num_labels = labels.size();
    std::vector<text::LabeledText> examples = read_examples(n, num_labels);
    Grouping grouping = read_grouping(examples, num_labels);
    std::vector<std::string> ids = texts("ids");
    if (ids.size() != n) file_.refuse("there is not one id per example");
    return {.scoring = read_scoring(),
            .text_columns = texts("text_columns"),
            .labels = std::move(labels),
            .labels_from_train = file_.is("labels_from", "train", "given"),
            .examples = std::move(examples),
            .ids = std::move(ids),
            .calibration = Calibration(std::move(nearest), std::move(grouping), n),
            .vectors = read_vectors(n, num_labels)};
  }

 private:
  [[nodiscard]] TextScoreRecord read_scoring() const {
    return {
        .model = file_.text("model"),
        .identity = file_.text("model_identity"),
        .context = file_.count("context"),
        .chat = file_.is("chat", "yes", "no"),
        .server_model = file_.text("server_model"),
        .prompt = read_prompt(),
        .normalization = told([&] { return parse_normalization(file_.text("normalization")); })};
  }

  /// Scores from a file had no prompt; any other must be one.
  [[nodiscard]] std::string read_prompt() const {
    const std::string& prompt = file_.text("prompt");
    if (!prompt.empty()) (void)text::PromptTemplate::parse(prompt, file_.name());
    return prompt;
  }

  /// What a user may type wrongly is the fault of the file here.
  template <typename Make>
  [[nodiscard]] auto told(Make make) const -> decltype(make()) {
    try {
      return make();
    } catch (const Error& error) {
      file_.refuse(error.what());
    }
  }

  // The arrays.

  [[nodiscard]] std::string_view bytes(const std::string& name) const {
    const io::TensorRef& tensor = file_.arrays().tensor(name);
    if (tensor.type != io::ElementType::u8 || tensor.shape.size() != 1) {
      file_.refuse(fmt::format("array '{}' is not a list of bytes", name));
    }
    return {reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()};
  }

  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const {
    const std::string_view all = bytes(name);
    const std::span<const std::int64_t> offsets = file_.arrays().i64(name + "_offsets");
    const bool whole = !offsets.empty() && offsets.front() == 0 &&
                       std::ranges::is_sorted(offsets) &&
                       static_cast<std::size_t>(offsets.back()) == all.size();
    if (!whole) file_.refuse(fmt::format("'{}_offsets' do not cut '{}'", name, name));
    std::vector<std::string> result;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      const auto begin = static_cast<std::size_t>(offsets[i]);
      const auto end = static_cast<std::size_t>(offsets[i + 1]);
      result.emplace_back(all.substr(begin, end - begin));
      if (!text::is_utf8(result.back())) {
        file_.refuse(fmt::format("entry {} of '{}' is not UTF-8", i, name));
      }
    }
    return result;
  }

  [[nodiscard]] text::LabelSpace read_label_space() const {
    std::vector<std::string> names = texts("label_names");
    return told([&] { return text::LabelSpace(std::move(names), "'label_names'"); });
  }

  [[nodiscard]] std::vector<text::LabeledText> read_examples(std::size_t n,
                                                             std::size_t num_labels) const {
    std::vector<std::string> all = texts("texts");
    const std::span<const std::int64_t> labels = file_.arrays().i64("labels");
    if (all.size() != n || labels.size() != n) {
      file_.refuse("there is not one text and one label per example");
    }
    std::vector<text::LabeledText> examples;
    for (std::size_t i = 0; i < n; ++i) {
      if (labels[i] < 0 || static_cast<std::size_t>(labels[i]) >= num_labels) {
        file_.refuse(fmt::format("the label of example {} is out of range", i));
      }
      examples.push_back({.text = std::move(all[i]), .label = static_cast<Label>(labels[i])});
    }
    return examples;
  }

  [[nodiscard]] Grouping read_grouping(const std::vector<text::LabeledText>& examples,
                                       std::size_t num_labels) const {
    if (!file_.is("groups", "labels", "none")) return Grouping::none(examples.size());
    std::vector<Label> labels;
    labels.reserve(examples.size());
    for (const text::LabeledText& example : examples) labels.push_back(example.label);
    return Grouping::by_label(labels, num_labels);
  }

  [[nodiscard]] Matrix<Score> read_nearest() const {
    Matrix<Score> nearest = file_.nearest();
    if (nearest.cols() >= nearest.rows()) file_.refuse("the calibration scores do not fit k");
    return nearest;
  }

  /// Those of an encoder; nothing with a language model.
  [[nodiscard]] std::optional<TextVectors> read_vectors(std::size_t n,
                                                        std::size_t num_labels) const {
    const bool of_encoder = text::is_encoder(file_.text("model"));
    if (of_encoder != file_.arrays().contains("vectors")) {
      file_.refuse("it has vectors without an encoder, or an encoder without vectors");
    }
    if (!of_encoder) return std::nullopt;
    TextVectors vectors{.texts = file_.matrix<float>("vectors"),
                        .labels = file_.matrix<float>("label_vectors")};
    if (vectors.texts.rows() != n || vectors.labels.rows() != num_labels ||
        vectors.texts.cols() != vectors.labels.cols() || vectors.texts.cols() == 0) {
      file_.refuse("there is not one vector per text and label, all of one dimension");
    }
    check_unit_rows(vectors.texts, "vectors");
    check_unit_rows(vectors.labels, "label_vectors");
    return vectors;
  }

  void check_unit_rows(const Matrix<float>& rows, const char* name) const {
    constexpr double of_rounding = 1e-3;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      double square = 0;
      for (const float value : rows.row(r)) square += double{value} * double{value};
      if (std::abs(square - 1) < of_rounding) continue;
      file_.refuse(fmt::format("row {} of '{}' does not have length 1", r, name));
    }
  }

  io::ModelFile file_;
};

}  // namespace

void write_text_model(const std::string& path, const TextModel& model) {
  check_model(model);
  const std::vector<std::int64_t> labels = labels_of(model.examples);
  const PackedTexts texts = pack_texts(model.examples);
  const PackedTexts ids = pack(model.ids);
  const PackedTexts names = pack(model.labels.names());
  const PackedTexts columns = pack(model.text_columns);
  std::vector<io::TensorRef> tensors = {io::tensor_of("nearest", model.calibration.nearest()),
                                        io::tensor_of("labels", labels)};
  push_texts("texts", texts, tensors);
  push_texts("ids", ids, tensors);
  push_texts("label_names", names, tensors);
  push_texts("text_columns", columns, tensors);
  if (model.vectors) {
    tensors.push_back(io::tensor_of("vectors", model.vectors->texts.view()));
    tensors.push_back(io::tensor_of("label_vectors", model.vectors->labels.view()));
  }
  io::write_safetensors(path, metadata_of(model), tensors);
}

TextModel read_text_model(io::SafetensorsFile file) { return Reader(std::move(file)).read(); }

TextModel read_text_model(const std::string& path) {
  return read_text_model(io::SafetensorsFile::open(path));
}

}  // namespace caos
