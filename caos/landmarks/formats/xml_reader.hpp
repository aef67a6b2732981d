#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// For the reader of dlib's files; not for users of the library.
namespace caos::landmarks {

/// The beginning or the end of an element.
struct XmlTag {
  enum class Kind { begin, end };

  Kind kind = Kind::begin;
  std::string name{};
  std::map<std::string, std::string, std::less<>> attributes{};
  std::size_t line = 0;
};

/// The tags of an XML file, one after the other: elements, attributes, the five named entities and
/// numbered ones, comments, processing instructions. Text between tags is passed over. Bytes stay
/// what they are, whatever the encoding that the file declares.
/// Tags that do not match, document type definitions and CDATA are an Error bad_format with line.
class XmlReader {
 public:
  XmlReader(std::string_view text, const std::string& name);

  /// The next tag; nothing after the end of the outermost element. `<a/>` begins and ends.
  std::optional<XmlTag> next();

  /// Throws bad_format.
  [[noreturn]] void refuse(std::size_t line, const std::string& what) const;

 private:
  bool skip_other();
  void skip_past(std::string_view end, const char* what);
  bool skip_text();
  XmlTag begin_tag();
  XmlTag end_tag();
  void read_attribute(XmlTag& tag);
  std::string name();
  std::string quoted();
  std::string decode(std::string_view raw) const;
  std::string entity(std::string_view name) const;
  void skip_spaces();
  bool accept(std::string_view text);
  std::string_view take(std::size_t count);

  std::string_view rest_;
  const std::string& file_;
  std::size_t line_ = 1;
  std::vector<std::string> open_;
  bool closes_at_once_ = false;
  bool seen_root_ = false;
};

}  // namespace caos::landmarks
