#include "caos/landmarks/formats/hdf5/pickled_lists.hpp"

#include <map>
#include <utility>

#include "caos/io/refuse.hpp"

namespace caos::landmarks {
namespace {

/// What may lie on the stack: a mark, a text, a tuple of texts, or a list of these.
struct Value {
  enum class Kind { mark, text, tuple, list };

  Kind kind = Kind::mark;
  std::vector<std::string> texts{};               // of a text or tuple
  std::vector<std::vector<std::string>> items{};  // of a list
};

class Machine {
 public:
  Machine(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  std::vector<std::vector<std::string>> run() {
    for (char op = next(); op != '.'; op = next()) step(op);
    if (stack_.size() != 1 || stack_[0].kind != Value::Kind::list) refuse();
    return std::move(stack_[0].items);
  }

 private:
  void step(char op) {
    switch (op) {
      case '(':
        return push({});
      case 'V':
        return push({.kind = Value::Kind::text, .texts = {std::string(line())}});
      case 'l':
      case 't':
        return collect(op == 'l' ? Value::Kind::list : Value::Kind::tuple);
      case 'a':
        return append();
      case 'p':
        return remember();
      case 'g':
        return push({.kind = Value::Kind::text, .texts = {recall()}});
      default:
        refuse();
    }
  }

  void push(Value value) {
    constexpr std::size_t most = 64;
    if (stack_.size() >= most) refuse();
    stack_.push_back(std::move(value));
  }

  /// Everything above the last mark.
  void collect(Value::Kind kind) {
    std::size_t mark = stack_.size();
    while (mark > 0 && stack_[mark - 1].kind != Value::Kind::mark) --mark;
    if (mark == 0) refuse();
    Value value{.kind = kind};
    for (std::size_t i = mark; i < stack_.size(); ++i) {
      if (stack_[i].kind == Value::Kind::list) refuse();
      if (kind == Value::Kind::list) {
        value.items.push_back(stack_[i].texts);
      } else if (stack_[i].kind == Value::Kind::text) {
        value.texts.push_back(stack_[i].texts[0]);
      } else {
        refuse();
      }
    }
    stack_.resize(mark - 1);
    push(std::move(value));
  }

  void append() {
    if (stack_.size() < 2 || top().kind == Value::Kind::mark || top().kind == Value::Kind::list) {
      refuse();
    }
    std::vector<std::string> texts = std::move(top().texts);
    stack_.pop_back();
    if (top().kind != Value::Kind::list) refuse();
    top().items.push_back(std::move(texts));
  }

  Value& top() {
    if (stack_.empty()) refuse();
    return stack_.back();
  }

  /// Only texts come again; copies of copies of lists could grow without bounds.
  void remember() {
    const std::string_view key = line();
    if (top().kind == Value::Kind::text) memo_[std::string(key)] = top().texts[0];
  }

  const std::string& recall() {
    const auto found = memo_.find(std::string(line()));
    if (found == memo_.end()) refuse();
    return found->second;
  }

  char next() {
    if (rest_.empty()) refuse();
    const char c = rest_[0];
    rest_.remove_prefix(1);
    return c;
  }

  std::string_view line() {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) refuse();
    const std::string_view result = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return result;
  }

  [[noreturn]] void refuse() const {
    io::refuse(name_, "names its columns in a way that DeepLabCut does not");
  }

  std::string_view rest_;
  const std::string& name_;
  std::vector<Value> stack_;
  std::map<std::string, std::string> memo_;
};

}  // namespace

std::vector<std::vector<std::string>> unpickle_lists(std::string_view text,
                                                     const std::string& name) {
  return Machine(text, name).run();
}

}  // namespace caos::landmarks
