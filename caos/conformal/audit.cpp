#include "caos/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "caos/error.hpp"
#include "caos/numerics/tails.hpp"
#include "caos/rng.hpp"

namespace caos {
namespace {

constexpr std::uint64_t order_stream = 0x6175646974;  // apart from every other use of the seed

/// The probability with which one of the statements may be wrong.
Ratio accepted_error(const Confidence& confidence, std::size_t statements) {
  return {.numerator = confidence.denominator() - confidence.numerator(),
          .denominator = confidence.denominator() * statements};
}

void check_count(const AuditCount& count, std::size_t statements) {
  const std::size_t pool = count.pool.value_or(most_units);
  require(1 <= count.audited && count.hits <= count.audited, ErrorKind::invalid_input, [&] {
    return fmt::format("{} hits of {} audited units; expected at least 1 unit and no more hits",
                       count.hits, count.audited);
  });
  require(count.audited <= pool && pool <= most_units, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{} audited units of a pool of {}; the pool includes them, and has at most {}",
        count.audited, pool, most_units);
  });
  require(1 <= statements && statements <= 1'000'000, ErrorKind::invalid_input, [&] {
    return fmt::format("confidence is divided among {} statements; expected 1 to 1000000",
                       statements);
  });
}

/// The first of low ... high at which `holds`, which stays true from there on and is so at `high`.
template <typename Holds>
std::uint64_t first_where(std::uint64_t low, std::uint64_t high, const Holds& holds) {
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// L. What cannot be decided counts as possible, which lowers the bound.
std::uint64_t fewest_hits_in_pool(const AuditCount& count, const Ratio& error) {
  const std::uint64_t pool = *count.pool;
  const std::uint64_t most = pool - (count.audited - count.hits);
  return first_where(count.hits, most, [&](std::uint64_t marked) {
    const auto tail =
        compare_upper_tail(Hypergeometric{pool, marked, count.audited}, count.hits, error);
    return tail > 0 || tail == std::partial_ordering::unordered;
  });
}

/// The largest multiple of 1e-9 at which so many hits are too improbable, or 0.
double least_probability(const AuditCount& count, const Ratio& error) {
  constexpr std::uint64_t one = 1'000'000'000;
  const std::uint64_t possible = first_where(1, one, [&](std::uint64_t billionths) {
    if (billionths == one) return true;
    const auto tail =
        compare_upper_tail(Binomial{count.audited, {billionths, one}}, count.hits, error);
    return tail > 0 || tail == std::partial_ordering::unordered;
  });
  return static_cast<double>(possible - 1) / static_cast<double>(one);
}

const char* units_name(AuditUnit unit) {
  if (unit == AuditUnit::other) return "units";
  return unit == AuditUnit::image ? "images" : "subjects";
}

std::string unit_words(AuditUnit unit) {
  return unit == AuditUnit::subject ? "subjects (one image of each, drawn at random)"
                                    : units_name(unit);
}

std::string of_landmark(const AuditBound& bound, const std::string& landmark, AuditUnit unit,
                        AuditAbsence absence) {
  const std::string share = audit_percent(bound);
  std::string text;
  if (!bound.remaining) {
    text = fmt::format("at least {} of the regions of {} in further {}", share, landmark,
                       unit_words(unit));
  } else if (unit == AuditUnit::image) {
    text = fmt::format("at least {} of the remaining {} regions of {}", share, *bound.remaining,
                       landmark);
  } else {
    text = fmt::format("at least {} of the regions of {} in the remaining {} {}", share, landmark,
                       *bound.remaining, unit_words(unit));
  }
  return text + (absence == AuditAbsence::hidden
                     ? " contain the landmark; an image without it, or in which it is hidden, "
                       "counts as if they did"
                     : " contain the landmark; an image without it counts as if they did");
}

std::string of_images(const AuditBound& bound, AuditUnit unit, AuditAbsence absence) {
  const std::string which =
      bound.remaining ? fmt::format("the remaining {}", *bound.remaining) : std::string("further");
  return fmt::format(
      "all landmarks that are present{} lie inside their regions in at least {} of {} {}",
      absence == AuditAbsence::hidden ? " and not hidden" : "", audit_percent(bound), which,
      unit_words(unit));
}

}  // namespace

AuditBound audit_bound(const AuditCount& count, const Confidence& confidence,
                       std::size_t statements) {
  check_count(count, statements);
  const Ratio error = accepted_error(confidence, statements);
  AuditBound bound{.count = count, .statements = statements};
  if (!count.pool) {
    bound.share = least_probability(count, error);
    return bound;
  }
  bound.remaining = *count.pool - count.audited;
  bound.remaining_hits = fewest_hits_in_pool(count, error) - count.hits;
  if (*bound.remaining == 0) {
    bound.share = 1;
  } else {
    bound.share =
        static_cast<double>(*bound.remaining_hits) / static_cast<double>(*bound.remaining);
  }
  return bound;
}

std::string audit_percent(const AuditBound& bound) {
  std::uint64_t hundredths = 10'000;
  if (bound.remaining && *bound.remaining > 0) {
    hundredths = *bound.remaining_hits * hundredths / *bound.remaining;
  } else if (!bound.remaining) {
    const auto billionths = static_cast<std::uint64_t>(std::llround(bound.share * 1e9));
    hundredths = billionths / 100'000;
  }
  return fmt::format("{}.{:02} %", hundredths / 100, hundredths % 100);
}

std::string audit_statement(const AuditBound& bound, const Confidence& confidence,
                            const std::optional<std::string>& landmark, AuditUnit unit,
                            AuditAbsence absence) {
  if (bound.remaining == std::size_t{0}) {
    return fmt::format("All {} {} were audited and none remain; {} of them were hits.",
                       bound.count.audited, unit_words(unit), bound.count.hits);
  }
  const std::string together =
      bound.statements > 1 ? fmt::format(", for all {} statements together,", bound.statements)
                           : std::string();
  return fmt::format(
      "With {} confidence{} {}.", confidence.percent(), together,
      landmark ? of_landmark(bound, *landmark, unit, absence) : of_images(bound, unit, absence));
}

std::string audit_assumption(const AuditBound& bound, AuditUnit unit) {
  return fmt::format(
      "the regions were frozen before the audit, the audited {} are a random draw from {}, their "
      "number was fixed beforehand, and they were labeled without seeing region or proposal",
      units_name(unit), bound.count.pool ? "the pool" : "the population");
}

std::vector<std::size_t> audit_order(std::size_t num_units, std::uint64_t seed) {
  std::vector<std::size_t> order(num_units);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Rng rng = Rng::stream(seed, order_stream);
  rng.shuffle(std::span(order));
  return order;
}

}  // namespace caos
