#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/studio/http/route.hpp"
#include "apps/studio/store/records.hpp"

namespace caos::studio {

/// Keys stay in the order in which they are written.
using Json = nlohmann::ordered_json;

/// The JSON in a request's body. Throws `bad_format` if it is not valid JSON.
[[nodiscard]] Json parse_body(const http::Request& request);

/// Takes an object apart, key by key. A key that is missing, of the wrong type, or that is not
/// asked for is an Error invalid_input that names it.
class Reader {
 public:
  /// `where` is what messages call it; empty for a body itself.
  explicit Reader(const Json& object, std::string where = {});

  [[nodiscard]] bool has(const std::string& key) const;  ///< and is not null
  [[nodiscard]] bool has_null(const std::string& key) const;

  [[nodiscard]] std::string text(const std::string& key);
  [[nodiscard]] std::string text(const std::string& key, std::string otherwise);
  [[nodiscard]] std::int64_t whole(const std::string& key);
  [[nodiscard]] std::int64_t whole(const std::string& key, std::int64_t otherwise);
  /// At least `least`.
  [[nodiscard]] std::size_t count(const std::string& key, std::size_t least);
  [[nodiscard]] double number(const std::string& key);
  [[nodiscard]] bool flag(const std::string& key, bool otherwise);
  [[nodiscard]] const Json& list(const std::string& key);
  [[nodiscard]] const Json& object(const std::string& key);
  /// Nothing for null.
  [[nodiscard]] std::optional<std::string> text_or_null(const std::string& key);
  [[nodiscard]] std::optional<double> number_or_null(const std::string& key);

  [[nodiscard]] std::string name_of(const std::string& key) const;

  /// To be called last: refuses keys that were not asked for.
  void finish() const;

 private:
  [[nodiscard]] const Json& at(const std::string& key);
  [[nodiscard]] const Json* find(const std::string& key) const;
  [[noreturn]] void refuse(const std::string& key, const std::string& what) const;

  const Json& object_;
  std::string where_;
  std::set<std::string> asked_{};
};

/// Refuses a request whose address has other keys than these behind its question mark.
void check_query(const http::Request& request, std::initializer_list<const char*> keys);

/// Values behind the question mark; nothing where the key is not there. Wrong ones are an Error
/// invalid_input.
[[nodiscard]] std::optional<std::string> query_text(const http::Request& request,
                                                    const std::string& key);
[[nodiscard]] std::optional<double> query_number(const http::Request& request,
                                                 const std::string& key);
[[nodiscard]] std::optional<std::int64_t> query_whole(const http::Request& request,
                                                      const std::string& key);
[[nodiscard]] bool query_flag(const http::Request& request, const std::string& key, bool otherwise);

/// Which part of a list is wanted: `offset` and `limit` behind the question mark; all without them.
struct Part {
  std::size_t offset = 0;
  std::optional<std::size_t> limit{};
};
[[nodiscard]] Part part_in(const http::Request& request);

/// The number of a row in the path; `not_found` if it is not a number.
[[nodiscard]] Id id_in(const http::Request& request, const std::string& name);

}  // namespace caos::studio
