#include "apps/studio/store/database/clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string_view>

namespace caos::studio {

std::string utc_now() {
  namespace chrono = std::chrono;
  const auto now = chrono::floor<chrono::milliseconds>(chrono::system_clock::now());
  const auto seconds = chrono::floor<chrono::seconds>(now);
  const std::time_t time = chrono::system_clock::to_time_t(seconds);
  std::tm utc = {};
  ::gmtime_r(&time, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900,
                     utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
                     (now - seconds).count());
}

bool is_utc(const std::string& text) {
  constexpr std::string_view form = "0000-00-00T00:00:00.000Z";
  const auto fits = [](char letter, char wanted) {
    return wanted == '0' ? letter >= '0' && letter <= '9' : letter == wanted;
  };
  return std::ranges::equal(text, form, fits);
}

}  // namespace caos::studio
