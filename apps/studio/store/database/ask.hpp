#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "caos/io/sqlite.hpp"

namespace caos::studio {

/// One statement with its parameters, asked once: `Ask ask(db, "SELECT ... WHERE id = ?", id)`.
/// Parameters are integers, doubles, texts, and optional ones of these.
class Ask {
 public:
  template <typename... Parameters>
  explicit Ask(io::sqlite::Connection& db, std::string_view sql, const Parameters&... parameters)
      : statement_(db, sql), query_(statement_) {
    [[maybe_unused]] int number = 0;
    (bind(++number, parameters), ...);
  }

  /// Goes to the next row, the first one at first; false if there is none.
  bool next() { return query_.next(); }

  [[nodiscard]] std::string text(int column) const { return query_.bytes(column); }
  [[nodiscard]] std::int64_t integer(int column) const { return query_.integer(column); }
  [[nodiscard]] double real(int column) const { return query_.real(column); }
  [[nodiscard]] bool is_null(int column) const { return query_.is_null(column); }
  [[nodiscard]] std::size_t count(int column) const {
    return static_cast<std::size_t>(query_.integer(column));
  }

  [[nodiscard]] std::optional<std::string> optional_text(int column) const {
    return is_null(column) ? std::nullopt : std::optional(text(column));
  }
  [[nodiscard]] std::optional<double> optional_real(int column) const {
    return is_null(column) ? std::nullopt : std::optional(real(column));
  }
  [[nodiscard]] std::optional<std::size_t> optional_count(int column) const {
    return is_null(column) ? std::nullopt : std::optional(count(column));
  }

 private:
  template <typename Integer>
  requires std::is_integral_v<Integer>
  void bind(int number, Integer value) {
    query_.bind_integer(number, static_cast<std::int64_t>(value));
  }
  void bind(int number, double value) { query_.bind_real(number, value); }
  void bind(int number, const std::string& text) {
    query_.bind_text(number, texts_.emplace_back(text));
  }
  template <typename Value>
  void bind(int number, const std::optional<Value>& value) {
    if (value) {
      bind(number, *value);
    } else {
      query_.bind_null(number);
    }
  }

  io::sqlite::Statement statement_;
  std::deque<std::string> texts_{};  // SQLite looks at them where they are
  io::sqlite::Query query_;
};

/// Runs a statement that gives no rows.
template <typename... Parameters>
void tell(io::sqlite::Connection& db, std::string_view sql, const Parameters&... parameters) {
  Ask(db, sql, parameters...).next();
}

}  // namespace caos::studio
