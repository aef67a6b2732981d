#include "caos/io/arrays/npy_dict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"

namespace caos::io {
namespace {

constexpr std::size_t max_dimensions = 64;  // as in numpy 2

class Parser {
 public:
  Parser(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  NpyDict parse() {
    expect("{");
    while (!accept("}")) {
      entry();
      if (!accept(",")) {
        expect("}");
        break;
      }
    }
    if (!rest_after_space().empty()) refuse("goes on after its end");
    if (seen_.size() != 3) refuse("lacks one of 'descr', 'fortran_order' and 'shape'");
    return std::move(dict_);
  }

 private:
  void entry() {
    const std::string key = string();
    if (!seen_.insert(key).second) refuse(fmt::format("has '{}' twice", printable(key)));
    expect(":");
    if (key == "descr") {
      dict_.descr = descr();
    } else if (key == "fortran_order") {
      dict_.fortran_order = boolean();
    } else if (key == "shape") {
      dict_.shape = shape();
    } else {
      refuse(fmt::format("has the unknown entry '{}'", printable(key)));
    }
  }

  std::string descr() {
    const std::string_view ahead = rest_after_space();
    if (ahead.starts_with('[') || ahead.starts_with('(')) {
      io::refuse(name_,
                 "has a structured element type; save one field of it, converted with "
                 ".astype('float32')");
    }
    return string();
  }

  std::string string() {
    const char quote = rest_after_space().starts_with('"') ? '"' : '\'';
    expect(std::string_view(&quote, 1));
    const std::size_t end = rest_.find(quote);
    if (end == std::string_view::npos) refuse("has a text without an end");
    std::string result(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return result;
  }

  bool boolean() {
    if (accept("True")) return true;
    expect("False");
    return false;
  }

  Shape shape() {
    Shape result;
    expect("(");
    while (!accept(")")) {
      if (result.size() == max_dimensions) refuse("has more than 64 dimensions");
      result.push_back(length());
      if (!accept(",")) {
        expect(")");
        break;
      }
    }
    return result;
  }

  std::size_t length() {
    const std::string_view digits = rest_after_space();
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc()) refuse("has a dimension that is not a number of elements");
    rest_.remove_prefix(static_cast<std::size_t>(end - digits.data()));
    accept("L");  // as Python 2 wrote long integers
    return value;
  }

  std::string_view rest_after_space() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
    return rest_;
  }

  bool accept(std::string_view token) {
    const bool found = rest_after_space().starts_with(token);
    if (found) rest_.remove_prefix(token.size());
    return found;
  }

  void expect(std::string_view token) {
    if (!accept(token)) refuse(fmt::format("lacks '{}' before '{}'", token, printable(rest_)));
  }

  [[noreturn]] void refuse(const std::string& what) const {
    io::refuse(name_, fmt::format("its .npy header {}; save it again with numpy.save", what));
  }

  std::string_view rest_;
  const std::string& name_;
  std::set<std::string> seen_;
  NpyDict dict_;
};

}  // namespace

NpyDict parse_npy_dict(std::string_view text, const std::string& name) {
  return Parser(text, name).parse();
}

}  // namespace caos::io
