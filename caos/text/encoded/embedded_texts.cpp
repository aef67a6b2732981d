#include "caos/text/encoded/embedded_texts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "caos/classification/evaluate_vectors.hpp"
#include "caos/error.hpp"

namespace caos {
namespace {

constexpr const char* vectors_name = "embeddings";
constexpr const char* label_vectors_name = "embeddings of the labels";

Matrix<double> rows_at(const Matrix<float>& vectors, const std::vector<std::size_t>& positions) {
  Matrix<double> result(positions.size(), vectors.cols());
  for (std::size_t r = 0; r < positions.size(); ++r) {
    std::ranges::copy(vectors.row(positions[r]), result.row(r).begin());
  }
  return result;
}

/// The places of labels in an ascending list.
std::vector<Label> places_in(const std::vector<Label>& listed, const std::vector<Label>& labels,
                             const Indices& positions) {
  std::vector<Label> result;
  for (const std::size_t i : positions) {
    const auto found = std::ranges::lower_bound(listed, labels[i]);
    const bool is_there = found != listed.end() && *found == labels[i];
    result.push_back(is_there ? static_cast<Label>(found - listed.begin()) : unlisted_label);
  }
  return result;
}

}  // namespace

std::vector<std::string> texts_to_embed(const LabeledTexts& texts) {
  std::vector<std::string> all;
  for (const text::LabeledText& example : texts.examples) all.push_back(example.text);
  for (const std::string& name : texts.labels.names()) all.push_back(name);
  return all;
}

EmbeddedTexts embed_texts(LabeledTexts texts, EncoderSession& session) {
  const Matrix<float> all = session.embed(texts_to_embed(texts));
  const std::size_t n = texts.examples.size();
  EmbeddedTexts result{.texts = std::move(texts),
                       .vectors = Matrix<float>(n, all.cols()),
                       .label_vectors = Matrix<float>(all.rows() - n, all.cols())};
  for (std::size_t r = 0; r < all.rows(); ++r) {
    std::ranges::copy(all.row(r),
                      (r < n ? result.vectors.row(r) : result.label_vectors.row(r - n)).begin());
  }
  return result;
}

Matrix<double> widened(MatrixView<const float> rows) {
  Matrix<double> result(rows.rows(), rows.cols());
  std::copy_n(rows.data(), rows.rows() * rows.cols(), result.view().data());
  return result;
}

std::vector<Method> default_encoder_methods(bool grouped) {
  std::vector<Method> methods = default_text_methods(grouped);
  methods.insert(methods.begin(), Method::full_kernel);
  return methods;
}

std::vector<std::string> encoder_method_names() {
  std::vector<std::string> names = {std::string(method_name(Method::full_kernel))};
  for (const Method method : all_methods()) names.emplace_back(method_name(method));
  return names;
}

Method parse_encoder_method(std::string_view name) {
  if (name == method_name(Method::full_kernel)) return Method::full_kernel;
  for (const Method method : all_methods()) {
    if (method_name(method) == name) return method;
  }
  throw Error(ErrorKind::invalid_input, fmt::format("unknown method '{}'; choose among {}", name,
                                                    fmt::join(encoder_method_names(), ", ")));
}

EvaluationReport evaluate_embedded(const EmbeddedTexts& texts, const TextSplit& split,
                                   const EvaluateOptions& options) {
  const std::vector<Label> labels = texts.texts.example_labels();
  const std::vector<Label> listed = listed_labels(split, labels, texts.texts.labels.size());
  const LabeledVectors labeled{.vectors = rows_at(texts.vectors, split.labeled),
                               .labels = places_in(listed, labels, split.labeled),
                               .num_labels = listed.size(),
                               .label_vectors = rows_at(texts.label_vectors, listed),
                               .name = vectors_name,
                               .label_vectors_name = label_vectors_name};
  const classification::TestVectors test{.vectors = rows_at(texts.vectors, split.test),
                                         .labels = places_in(listed, labels, split.test),
                                         .groups = {},
                                         .name = vectors_name};
  const Grouping grouping = options.grouping.kind() == Grouping::Kind::by_label
                                ? Grouping::by_label(labeled.labels, labeled.num_labels)
                                : Grouping::none(labeled.labels.size());
  EvaluationReport report{.n = split.labeled.size(),
                          .num_labels = listed.size(),
                          .num_test = split.test.size(),
                          .k = options.k};
  for (const Label y : listed) report.label_names.push_back(texts.texts.labels[y]);
  report.results = classification::evaluate_vectors(labeled, test,
                                                    {.methods = options.methods,
                                                     .alphas = options.alphas,
                                                     .classifier = {.threads = options.threads},
                                                     .k = options.k,
                                                     .grouping = grouping,
                                                     .partition = split.partition,
                                                     .rule = options.rule,
                                                     .conditional = options.conditional});
  for (MethodResult& result : report.results) {
    result.guarantee.listed_labels_only = split.labels_from_labeled;
  }
  return report;
}

}  // namespace caos
