#pragma once

#include <string>
#include <string_view>

namespace caos::text {

/// A one-shot prompt: an instruction, one labeled example, and the text to label.
/// In the file the fields {reference_text}, {reference_label} and {text} stand where those go, each
/// once and in this order; everything else is literal. One newline at the end of the file is
/// dropped. The label is appended after a space.
class PromptTemplate {
 public:
  /// The paper's (App. LLM prompt template), without the blank at the end of its first line.
  [[nodiscard]] static PromptTemplate paper();

  /// Throws `bad_format`, naming `name`, where a field is missing, unknown, twice or out of order.
  [[nodiscard]] static PromptTemplate parse(std::string_view text, const std::string& name);
  [[nodiscard]] static PromptTemplate read(const std::string& path);

  /// The text of the file.
  [[nodiscard]] const std::string& source() const { return source_; }

  /// The prompt up to where the text goes.
  [[nodiscard]] std::string opening(std::string_view reference_text,
                                    std::string_view reference_label) const;
  /// The whole prompt, without the label.
  [[nodiscard]] std::string prompt(std::string_view reference_text,
                                   std::string_view reference_label, std::string_view text) const;

 private:
  std::string source_;
  std::string parts_[4];  // before, between and after the fields
};

}  // namespace caos::text
