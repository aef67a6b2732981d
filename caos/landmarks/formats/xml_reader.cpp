#include "caos/landmarks/formats/xml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "caos/io/printable.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

constexpr std::string_view blanks = " \t\r\n";
constexpr std::size_t max_depth = 64;

struct Entity {
  std::string_view name;
  char meaning;
};

constexpr std::array<Entity, 5> entities = {
    {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};

/// A code point, or 0 if the text is none: "#65", "#x41".
std::uint32_t code_point(std::string_view text) {
  text.remove_prefix(1);
  const bool hexadecimal = text.starts_with('x');
  if (hexadecimal) text.remove_prefix(1);
  std::uint32_t code = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, code, hexadecimal ? 16 : 10);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return error == std::errc() && stop == end && code <= 0x10FFFF && !surrogate ? code : 0;
}

std::string utf8(std::uint32_t code) {
  const auto tail = [code](unsigned shift) {
    return static_cast<char>(0x80U | ((code >> shift) & 0x3FU));
  };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0U | (code >> 6U)), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0U | (code >> 12U)), tail(6), tail(0)};
  return {static_cast<char>(0xF0U | (code >> 18U)), tail(12), tail(6), tail(0)};
}

}  // namespace

XmlReader::XmlReader(std::string_view text, const std::string& name) : rest_(text), file_(name) {
  (void)accept("\xef\xbb\xbf");
}

std::optional<XmlTag> XmlReader::next() {
  if (std::exchange(closes_at_once_, false)) {
    XmlTag tag{.kind = XmlTag::Kind::end, .name = std::move(open_.back()), .line = line_};
    open_.pop_back();
    return tag;
  }
  while (skip_text() && skip_other()) {
  }
  if (rest_.empty()) {
    if (!open_.empty()) refuse(line_, fmt::format("the file ends within <{}>", open_.back()));
    return std::nullopt;
  }
  if (accept("</")) return end_tag();
  if (open_.empty() && std::exchange(seen_root_, true)) refuse(line_, "a second outermost element");
  return begin_tag();
}

void XmlReader::refuse(std::size_t line, const std::string& what) const {
  refuse_line(file_, line, what);
}

/// Up to the next '<'; outside of all elements there may be spaces alone.
bool XmlReader::skip_text() {
  const std::string_view text = rest_.substr(0, rest_.find('<'));
  if (open_.empty() && !trim(text).empty()) refuse(line_, "text outside of all elements");
  (void)take(text.size());
  return !rest_.empty();
}

/// Skips one comment, instruction or declaration; returns whether there was one.
bool XmlReader::skip_other() {
  const bool comment = accept("<!--");
  const bool instruction = !comment && accept("<?");
  if (comment) skip_past("-->", "a comment");
  if (instruction) skip_past("?>", "an instruction (<?...)");
  if (rest_.starts_with("<!")) refuse(line_, "document types and CDATA are not expected here");
  return comment || instruction;
}

void XmlReader::skip_past(std::string_view end, const char* what) {
  const std::size_t place = rest_.find(end);
  if (place == std::string_view::npos) refuse(line_, fmt::format("{} never ends", what));
  (void)take(place + end.size());
}

XmlTag XmlReader::begin_tag() {
  (void)accept("<");
  XmlTag tag{.line = line_};
  tag.name = name();
  for (skip_spaces(); !rest_.empty() && rest_[0] != '>' && rest_[0] != '/'; skip_spaces()) {
    read_attribute(tag);
  }
  closes_at_once_ = accept("/");
  if (!accept(">")) refuse(tag.line, fmt::format("the tag <{}> never ends", tag.name));
  if (open_.size() == max_depth) refuse(tag.line, "elements are nested too deeply");
  open_.push_back(tag.name);
  return tag;
}

XmlTag XmlReader::end_tag() {
  XmlTag tag{.kind = XmlTag::Kind::end, .line = line_};
  tag.name = name();
  skip_spaces();
  if (open_.empty() || open_.back() != tag.name || !accept(">")) {
    refuse(tag.line, fmt::format("</{}> closes an element that is not open", tag.name));
  }
  open_.pop_back();
  return tag;
}

void XmlReader::read_attribute(XmlTag& tag) {
  std::string key = name();
  skip_spaces();
  if (!accept("=")) refuse(line_, fmt::format("attribute '{}' has no value", key));
  skip_spaces();
  const bool is_new = tag.attributes.emplace(key, quoted()).second;
  if (!is_new) refuse(line_, fmt::format("attribute '{}' is given twice", key));
}

std::string XmlReader::name() {
  const std::string result(take(std::min(rest_.find_first_of(" \t\r\n=/><'\"&"), rest_.size())));
  const bool steers = std::ranges::any_of(result, [](char c) { return c >= 0 && c < ' '; });
  if (result.empty() || steers) refuse(line_, "a name is expected here");
  // For errors, which show it.
  return result.size() < 40 ? result : printable(result);
}

std::string XmlReader::quoted() {
  const char quote = rest_.empty() ? '\0' : rest_[0];
  if (quote != '"' && quote != '\'') refuse(line_, "the value of an attribute must be quoted");
  const std::size_t end = rest_.find(quote, 1);
  if (end == std::string_view::npos) refuse(line_, "a quote opens here and never ends");
  const std::string result = decode(rest_.substr(1, end - 1));
  (void)take(end + 1);
  return result;
}

std::string XmlReader::decode(std::string_view raw) const {
  if (raw.find('<') != std::string_view::npos) refuse(line_, "'<' within quotes; write &lt;");
  if (raw.find('\0') != std::string_view::npos)
    refuse(line_, "a zero byte within quotes; remove it");
  std::string result;
  for (std::size_t at = raw.find('&'); at != std::string_view::npos; at = raw.find('&')) {
    const std::size_t end = raw.find(';', at);
    if (end == std::string_view::npos) refuse(line_, "'&' does not begin an entity; write &amp;");
    result += raw.substr(0, at);
    result += entity(raw.substr(at + 1, end - at - 1));
    raw.remove_prefix(end + 1);
  }
  return result.append(raw);
}

std::string XmlReader::entity(std::string_view name) const {
  const auto* const found = std::ranges::find(entities, name, &Entity::name);
  if (found != entities.end()) return {found->meaning};
  const std::uint32_t code = name.starts_with('#') ? code_point(name) : 0;
  if (code == 0) refuse(line_, fmt::format("unknown entity '&{};'", printable(name)));
  return utf8(code);
}

void XmlReader::skip_spaces() {
  (void)take(std::min(rest_.find_first_not_of(blanks), rest_.size()));
}

bool XmlReader::accept(std::string_view text) {
  const bool found = rest_.starts_with(text);
  if (found) (void)take(text.size());
  return found;
}

std::string_view XmlReader::take(std::size_t count) {
  const std::string_view taken = rest_.substr(0, count);
  line_ += static_cast<std::size_t>(std::ranges::count(taken, '\n'));
  rest_.remove_prefix(taken.size());
  return taken;
}

}  // namespace caos::landmarks
