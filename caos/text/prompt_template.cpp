#include "caos/text/prompt_template.hpp"

#include <fmt/format.h>

#include <array>

#include "caos/error.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/io/utf8.hpp"

namespace caos::assets {
extern const std::string_view paper_template;
}  // namespace caos::assets

namespace caos::text {
namespace {

constexpr std::array<std::string_view, 3> fields = {"{reference_text}", "{reference_label}",
                                                    "{text}"};

/// The first thing that looks like a field: {word}.
std::string_view next_field(std::string_view text) {
  for (std::size_t open = text.find('{'); open != std::string_view::npos;
       open = text.find('{', open + 1)) {
    const std::size_t end =
        text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ", open + 1);
    if (end != std::string_view::npos && text[end] == '}' && end > open + 1) {
      return text.substr(open, end + 1 - open);
    }
  }
  return {};
}

void check_field(std::string_view found, std::string_view expected, const std::string& name) {
  require(found == expected, ErrorKind::bad_format, [&] {
    return fmt::format(
        "{}: a prompt template has the fields {}, {} and {}, each once and in this order; {} {}",
        name, fields[0], fields[1], fields[2], found.empty() ? expected : found,
        found.empty() ? "is missing" : "is out of place");
  });
}

}  // namespace

PromptTemplate PromptTemplate::paper() {
  return parse(assets::paper_template, "the paper's template");
}

PromptTemplate PromptTemplate::parse(std::string_view text, const std::string& name) {
  require(is_utf8(text), ErrorKind::bad_format, [&] { return fmt::format("{}: not UTF-8", name); });
  PromptTemplate result;
  result.source_ = text;
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const std::string_view found = next_field(text);
    check_field(found, fields[f], name);
    const auto position = static_cast<std::size_t>(found.data() - text.data());
    result.parts_[f] = text.substr(0, position);
    text.remove_prefix(position + found.size());
  }
  check_field(next_field(text), {}, name);
  result.parts_[3] = text;
  return result;
}

PromptTemplate PromptTemplate::read(const std::string& path) {
  return parse(io::MappedFile::read(path).text(), path);
}

std::string PromptTemplate::opening(std::string_view reference_text,
                                    std::string_view reference_label) const {
  return fmt::format("{}{}{}{}{}", parts_[0], reference_text, parts_[1], reference_label,
                     parts_[2]);
}

std::string PromptTemplate::prompt(std::string_view reference_text,
                                   std::string_view reference_label, std::string_view text) const {
  return fmt::format("{}{}{}", opening(reference_text, reference_label), text, parts_[3]);
}

}  // namespace caos::text
