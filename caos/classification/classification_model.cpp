#include "caos/classification/classification_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>

#include "caos/classification/vector_methods.hpp"
#include "caos/error.hpp"
#include "caos/io/artifact.hpp"
#include "caos/io/model_file.hpp"
#include "caos/io/utf8.hpp"

namespace caos {
namespace {

// Writing.

/// Names, each followed by a zero byte.
std::vector<std::uint8_t> packed_names(const std::vector<std::string>& names) {
  std::vector<std::uint8_t> bytes;
  for (const std::string& name : names) {
    require(text::is_utf8(name) && name.find('\0') == std::string::npos, ErrorKind::invalid_input,
            "the labels and features of a model must have names in UTF-8");
    bytes.insert(bytes.end(), name.begin(), name.end());
    bytes.push_back(0);
  }
  return bytes;
}

bool are_distinct(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size() == names.size();
}

std::vector<std::int64_t> whole_numbers(const std::vector<Label>& labels) {
  return {labels.begin(), labels.end()};
}

std::vector<GroupId> ids_of_examples(const Grouping& grouping) {
  std::vector<GroupId> ids;
  for (std::size_t i = 0; i < grouping.num_examples(); ++i) {
    ids.push_back(grouping.id(grouping.of_example(i)));
  }
  return ids;
}

/// An array to be written, in float32 where every value is one.
class NarrowArray {
 public:
  NarrowArray(std::string name, const Matrix<double>& values) : name_(std::move(name)) {
    const std::size_t count = values.rows() * values.cols();
    const std::span<const double> all(values.view().data(), count);
    wide_ = values.view();
    if (!std::ranges::all_of(all, [](double v) { return double{static_cast<float>(v)} == v; })) {
      return;
    }
    narrow_ = Matrix<float>(values.rows(), values.cols());
    std::ranges::transform(all, narrow_.view().data(),
                           [](double v) { return static_cast<float>(v); });
  }

  [[nodiscard]] io::TensorRef tensor() const {
    return narrow_.rows() > 0 ? io::tensor_of(name_, narrow_.view()) : io::tensor_of(name_, wide_);
  }

 private:
  std::string name_;
  MatrixView<const double> wide_;
  Matrix<float> narrow_;
};

io::Metadata header_of(const ClassificationModel& model) {
  const VectorClassifierOptions& options = model.classifier.options();
  io::Metadata metadata = io::model_header(io::ModelKind::classification, 1);
  metadata.insert({{"method", std::string(method_name(options.method))},
                   {"temperature", fmt::format("{}", options.temperature)},
                   {"k", fmt::format("{}", options.k)},
                   {"distance", std::string(distance_name(options.distance))},
                   {"standardize", options.standardize ? "batch" : "no"},
                   {"num_labels", fmt::format("{}", model.classifier.num_labels())},
                   {"labels_from", model.labels_from_train ? "train" : "given"},
                   {"groups", std::string(grouping_name(model.classifier.grouping().kind()))}});
  if (options.prior_weight) metadata["prior_weight"] = fmt::format("{}", *options.prior_weight);
  return metadata;
}

// Reading.

/// Reads and checks one part after another; arrays bound what the header may claim.
class ClassificationReader {
 public:
  explicit ClassificationReader(io::SafetensorsFile file)
      : file_(std::move(file), io::ModelKind::classification, 1) {}

  [[nodiscard]] ClassificationModel read() const;

 private:
  /// What the library says of the parts, as a defect of the file.
  template <typename Action>
  auto told(Action action) const {
    try {
      return action();
    } catch (const Error& error) {
      file_.refuse(error.what());
    }
  }

  /// Names, each followed by a zero byte.
  [[nodiscard]] std::vector<std::string> unpacked_names(const std::string& array) const {
    const std::span<const std::uint8_t> bytes = file_.arrays().u8(array);
    std::vector<std::string> names;
    std::string name;
    for (const std::uint8_t byte : bytes) {
      if (byte != 0) {
        name += static_cast<char>(byte);
        continue;
      }
      names.push_back(std::move(name));
      name.clear();
    }
    const bool valid = name.empty() && !names.empty() && names.size() <= io::max_labels &&
                       std::ranges::all_of(names, text::is_utf8) && are_distinct(names);
    if (!valid) file_.refuse(fmt::format("its {} are not distinct UTF-8 texts", array));
    return names;
  }

  [[nodiscard]] std::vector<std::string> read_names() const {
    std::vector<std::string> names = unpacked_names("label_names");
    if (names.size() != file_.count("num_labels")) {
      file_.refuse("its label names are not one per label");
    }
    return names;
  }

  [[nodiscard]] std::vector<std::string> read_features(std::size_t dimension) const {
    if (!file_.arrays().contains("features")) return {};
    std::vector<std::string> names = unpacked_names("features");
    if (names.size() != dimension) file_.refuse("its features are not one per dimension");
    return names;
  }

  [[nodiscard]] Matrix<double> vectors(const std::string& name) const {
    const io::ElementType type = file_.arrays().tensor(name).type;
    if (type == io::ElementType::f64) return file_.matrix<double>(name);
    const Matrix<float> narrow = file_.matrix<float>(name);
    Matrix<double> wide(narrow.rows(), narrow.cols());
    std::copy_n(narrow.view().data(), narrow.rows() * narrow.cols(), wide.view().data());
    return wide;
  }

  [[nodiscard]] std::vector<Label> read_labels(std::size_t num_labels) const {
    std::vector<Label> labels;
    for (const std::int64_t label : file_.arrays().i64("labels")) {
      if (label < 0 || static_cast<std::size_t>(label) >= num_labels) {
        file_.refuse(fmt::format("label {} is out of range", label));
      }
      labels.push_back(static_cast<Label>(label));
    }
    return labels;
  }

  [[nodiscard]] Grouping read_grouping(const LabeledVectors& labeled) const {
    const std::string& kind = file_.text("groups");
    if (kind == grouping_name(Grouping::Kind::none)) return Grouping::none(labeled.labels.size());
    if (kind == grouping_name(Grouping::Kind::by_label)) {
      return Grouping::by_label(labeled.labels, labeled.num_labels);
    }
    if (kind != grouping_name(Grouping::Kind::by_input)) file_.refuse("unknown kind of groups");
    return Grouping::by_input(file_.arrays().i64("groups"));
  }

  [[nodiscard]] VectorClassifierOptions read_options() const {
    VectorClassifierOptions options{
        .method = told([&] { return classification::parse_vector_method(file_.text("method")); }),
        .temperature = file_.number("temperature"),
        .k = file_.count("k"),
        .distance = file_.has("distance")
                        ? told([&] { return parse_distance(file_.text("distance")); })
                        : VectorDistance::euclidean,
        .standardize = file_.is("standardize", "batch", "no")};
    if (file_.has("prior_weight")) options.prior_weight = file_.number("prior_weight");
    return options;
  }

  io::ModelFile file_;
};

ClassificationModel ClassificationReader::read() const {
  const std::vector<std::string> names = read_names();
  LabeledVectors labeled{.vectors = vectors("vectors"),
                         .labels = read_labels(names.size()),
                         .num_labels = names.size(),
                         .name = file_.name(),
                         .label_vectors_name = file_.name()};
  if (file_.arrays().contains("label_vectors")) labeled.label_vectors = vectors("label_vectors");
  const std::vector<std::string> features = read_features(labeled.vectors.cols());
  Grouping grouping = read_grouping(labeled);
  const VectorClassifierOptions options = read_options();
  return told([&] {
    return ClassificationModel{VectorClassifier(std::move(labeled), std::move(grouping), options),
                               names, file_.is("labels_from", "train", "given"), features};
  });
}

}  // namespace

Guarantee guarantee_of(const ClassificationModel& model, const Miscoverage& alpha, RankRule rule) {
  Guarantee guarantee = model.classifier.guarantee(alpha, rule);
  guarantee.listed_labels_only = model.labels_from_train;
  return guarantee;
}

void write_classification_model(const std::string& path, const ClassificationModel& model) {
  const LabeledVectors& labeled = model.classifier.labeled();
  require(model.label_names.size() == labeled.num_labels && are_distinct(model.label_names),
          ErrorKind::invalid_input, "a model needs one name per label, each once");
  require(model.features.empty() ||
              (model.features.size() == labeled.vectors.cols() && are_distinct(model.features)),
          ErrorKind::invalid_input, "a model needs one name per feature, each once, or none");
  const std::vector<std::uint8_t> names = packed_names(model.label_names);
  const std::vector<std::uint8_t> features = packed_names(model.features);
  const std::vector<std::int64_t> labels = whole_numbers(labeled.labels);
  const std::vector<GroupId> groups = ids_of_examples(model.classifier.grouping());
  const NarrowArray vectors("vectors", labeled.vectors);
  const NarrowArray label_vectors("label_vectors", labeled.label_vectors);
  std::vector<io::TensorRef> tensors = {vectors.tensor(), io::tensor_of("labels", labels),
                                        io::tensor_of("label_names", names)};
  if (labeled.label_vectors.rows() > 0) tensors.push_back(label_vectors.tensor());
  if (!model.features.empty()) tensors.push_back(io::tensor_of("features", features));
  if (model.classifier.grouping().kind() == Grouping::Kind::by_input) {
    tensors.push_back(io::tensor_of("groups", groups));
  }
  io::write_safetensors(path, header_of(model), tensors);
}

ClassificationModel read_classification_model(io::SafetensorsFile file) {
  return ClassificationReader(std::move(file)).read();
}

ClassificationModel read_classification_model(const std::string& path) {
  return read_classification_model(io::SafetensorsFile::open(path));
}

}  // namespace caos
