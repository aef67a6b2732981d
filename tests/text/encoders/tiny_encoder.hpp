#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "caos/rng.hpp"
#include "tests/support/onnx_writer.hpp"

/// A sentence encoder that is so small that its vectors can be worked out by hand.
namespace caos::test {

/// The vector of a token is its row of a table. Rows that are not given are random.
struct TinyEncoder {
  std::vector<std::string> vocabulary = letters();
  std::vector<std::vector<float>> rows{};
  std::size_t dimension = 8;
  std::size_t most_tokens = 64;
  std::string output = "last_hidden_state";
  std::vector<std::string> inputs = {"input_ids", "attention_mask", "token_type_ids"};
  std::size_t input_type = 7;  ///< 7: int64

  /// The special tokens of BERT, and pieces of one letter or digit.
  [[nodiscard]] static std::vector<std::string> letters();
  [[nodiscard]] std::vector<float> table() const;
  [[nodiscard]] std::string model() const;
  [[nodiscard]] nlohmann::json tokenizer() const;
  /// Puts tokenizer.json and onnx/model.onnx into a folder.
  void write(const std::filesystem::path& folder) const;
};

inline std::vector<std::string> TinyEncoder::letters() {
  std::vector<std::string> pieces = {"[PAD]", "[UNK]", "[CLS]", "[SEP]"};
  for (const char c : std::string_view("abcdefghijklmnopqrstuvwxyz0123456789")) {
    pieces.push_back(std::string(1, c));
    pieces.push_back("##" + std::string(1, c));
  }
  return pieces;
}

inline std::vector<float> TinyEncoder::table() const {
  Rng rng(1);
  std::vector<float> values;
  for (std::size_t t = 0; t < vocabulary.size(); ++t) {
    for (std::size_t d = 0; d < dimension; ++d) {
      const auto random = static_cast<float>(2 * rng.uniform() - 1);
      values.push_back(t < rows.size() ? rows[t][d] : random);
    }
  }
  return values;
}

inline std::string TinyEncoder::model() const {
  Message graph;
  // Rows of the table, times the mask.
  graph.message(1, onnx::node("Gather", {"table", "input_ids"}, "rows"));
  graph.message(1, onnx::node("Cast", {"attention_mask"}, "mask", {onnx::number("to", 1)}));
  graph.message(1, onnx::node("Unsqueeze", {"mask", "last"}, "mask3"));
  if (output == "sentence_embedding") {
    graph.message(1, onnx::node("Mul", {"rows", "mask3"}, "masked"));
    graph.message(1, onnx::node("ReduceMean", {"masked"}, output,
                                {onnx::numbers("axes", {1}), onnx::number("keepdims", 0)}));
  } else {
    graph.message(1, onnx::node("Mul", {"rows", "mask3"}, output));
  }
  graph.text(2, "tiny");
  graph.message(5, onnx::dimensions({vocabulary.size(), dimension})
                       .number(2, 1)
                       .text(8, "table")
                       .text(9, onnx::raw(table())));
  graph.message(
      5, onnx::dimensions({1}).number(2, 7).text(8, "last").text(9, onnx::raw<std::int64_t>({2})));
  for (const std::string& input : inputs) {
    graph.message(11, onnx::value_info(input, input_type, {-1, -1}));
  }
  const auto size = static_cast<std::int64_t>(dimension);
  graph.message(12, output == "sentence_embedding" ? onnx::value_info(output, 1, {-1, size})
                                                   : onnx::value_info(output, 1, {-1, -1, size}));
  const Message opset = Message().text(1, "").number(2, 17);
  return Message().number(1, 8).message(8, opset).message(7, graph).bytes();
}

inline nlohmann::json TinyEncoder::tokenizer() const {
  nlohmann::json vocab;
  for (std::size_t t = 0; t < vocabulary.size(); ++t) vocab[vocabulary[t]] = t;
  const auto special = [](const char* token) {
    return nlohmann::json{{"SpecialToken", {{"id", token}, {"type_id", 0}}}};
  };
  const auto added = [&](const char* token) {
    return nlohmann::json{{"id", vocab[token]}, {"content", token}, {"single_word", false},
                          {"lstrip", false},    {"rstrip", false},  {"normalized", false},
                          {"special", true}};
  };
  return {{"version", "1.0"},
          {"truncation", {{"direction", "Right"}, {"max_length", most_tokens}, {"stride", 0}}},
          {"added_tokens", {added("[CLS]"), added("[SEP]")}},
          {"normalizer",
           {{"type", "BertNormalizer"},
            {"clean_text", true},
            {"handle_chinese_chars", true},
            {"strip_accents", nullptr},
            {"lowercase", true}}},
          {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
          {"post_processor",
           {{"type", "TemplateProcessing"},
            {"single",
             {special("[CLS]"), {{"Sequence", {{"id", "A"}, {"type_id", 0}}}}, special("[SEP]")}},
            {"special_tokens",
             {{"[CLS]", {{"id", "[CLS]"}, {"ids", {vocab["[CLS]"]}}}},
              {"[SEP]", {{"id", "[SEP]"}, {"ids", {vocab["[SEP]"]}}}}}}}},
          {"model",
           {{"type", "WordPiece"},
            {"unk_token", "[UNK]"},
            {"continuing_subword_prefix", "##"},
            {"max_input_chars_per_word", 100},
            {"vocab", vocab}}}};
}

inline void TinyEncoder::write(const std::filesystem::path& folder) const {
  std::filesystem::create_directories(folder / "onnx");
  std::ofstream(folder / "tokenizer.json") << tokenizer().dump();
  std::ofstream(folder / "onnx/model.onnx", std::ios::binary) << model();
}

}  // namespace caos::test
