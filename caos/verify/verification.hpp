#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caos/guarantee.hpp"
#include "caos/method.hpp"
#include "caos/miscoverage.hpp"

/// Whether the program does on the user's own data what the theory says. Given the examples, random
/// splits of them are independent and each satisfies the theorem exactly, whatever the examples are
/// (docs/project/theory.md, section 14): a coverage that is too low is a fault of the program, of
/// the machine or of what was declared about the scores, never of the data.
namespace caos {

struct VerifyOptions {
  std::vector<Method> methods{};  ///< none: all that the examples allow
  std::vector<Miscoverage> alphas{};
  std::size_t k = 3;
  std::size_t splits = 100;
  std::size_t test_size = 0;  ///< of each split; 0: a quarter
  std::uint64_t seed = 0;     ///< of the first split
  std::size_t threads = 0;
  std::function<void(std::size_t done, std::size_t total)> progress{};
};

/// How many of so many examples are tested by default.
[[nodiscard]] std::size_t default_num_tested(std::size_t count);

/// Throws `invalid_input` where there is no split or no alpha.
void check_options(const VerifyOptions& options);

/// Throws `invalid_input` where so many tested examples leave too few labeled ones for k.
void check_num_tested(std::size_t tested, std::size_t count, std::size_t k);

// Coverage.

/// What the tests of one split, or of one task in it, are expected to look like: as many examples
/// calibrate, the rank among them, and as many examples are tested.
struct TrialLaw {
  std::size_t n = 0;
  std::size_t rank = 0;
  std::size_t tested = 0;

  friend auto operator<=>(const TrialLaw&, const TrialLaw&) = default;
};

/// One split: its coverage, the mean over its tasks (landmarks, labels), and the law of each.
struct Trial {
  double coverage = 0;
  std::vector<TrialLaw> tasks{};
};

enum class CoverageVerdict { agrees, contradicts, not_judged };

[[nodiscard]] std::string_view verdict_name(CoverageVerdict verdict);

/// How many standard errors below 1 - alpha a coverage must lie to contradict it.
inline constexpr double standard_errors_allowed = 4;
/// From so many splits on their standard error is believed.
inline constexpr std::size_t splits_for_an_error = 30;

/// The coverage of one method at one alpha over splits.
struct CoverageCheck {
  std::string method{};
  Miscoverage alpha;
  Guarantee guarantee{};
  std::size_t splits = 0;
  double coverage = 0;
  std::optional<double> standard_error{};  ///< over splits; nothing for one split
  double expected = 1;                     ///< the least that the theory allows: rank / (n + 1)
  double chance = 1;  ///< at most this probable is so low a coverage if the law holds
  CoverageVerdict verdict = CoverageVerdict::not_judged;
  std::string why_not_judged{};
};

/// Judges the coverages of one method at one alpha. It contradicts 1 - alpha if it lies more than
/// four standard errors below. Fewer than 30 splits, or splits that happen to agree with each
/// other, can have too small an error: there `chance` must be below exp(-8) as well, what four
/// standard errors of a normal law give. Methods without a guarantee, and one split alone, are not
/// judged.
/// Requires a trial, and a task in each.
[[nodiscard]] CoverageCheck check_coverage(std::string method, const Miscoverage& alpha,
                                           const Guarantee& guarantee,
                                           std::span<const Trial> trials);

/// An upper bound (Chernoff's) for the probability that splits with these laws cover no more than
/// they did. It holds for split conformal sets without ties; ties only add to coverage.
[[nodiscard]] double chance_of_so_little(std::span<const Trial> trials);

// Identities.

enum class IdentityVerdict { holds, broken, not_checked };

[[nodiscard]] std::string_view verdict_name(IdentityVerdict verdict);

/// Something that must be so bit for bit, how often it was looked at, and how often it was not so.
struct IdentityCheck {
  std::string name{};       ///< one word, for programs
  std::string statement{};  ///< what must be so
  std::size_t compared = 0;
  std::size_t broken = 0;
  std::string first_broken{};     ///< where
  std::string why_not_checked{};  ///< where nothing was compared

  /// Counts one comparison; `where` makes the text that names its place.
  template <typename Where>
  void expect(bool so, Where&& where) {
    ++compared;
    if (so) return;
    if (broken++ == 0) first_broken = where();
  }

  [[nodiscard]] IdentityVerdict verdict() const;
};

/// The checks, with a reason for each that compared nothing and has none.
[[nodiscard]] std::vector<IdentityCheck> explained(std::vector<IdentityCheck> checks);

/// Alphas that identities are looked at besides the user's; the smallest is infeasible for all but
/// a million examples.
[[nodiscard]] std::vector<Miscoverage> with_more_alphas(std::vector<Miscoverage> alphas);

// Both.

/// What was found on one set of examples.
struct Verification {
  std::string part{};    ///< `scores`, `landmarks` or `texts`
  std::string source{};  ///< where the examples come from
  std::size_t examples = 0;
  std::size_t labeled = 0;  ///< of each split; subjects, where they have several examples
  std::size_t tested = 0;   ///< of each split
  std::size_t splits = 0;
  std::uint64_t seed = 0;  ///< of the first split; the others count up
  std::size_t k = 0;
  std::vector<std::string> notes{};  ///< what a reader should know of this part
  std::vector<CoverageCheck> coverage{};
  std::vector<IdentityCheck> identities{};

  /// Whether something contradicts the theory: a broken identity, or a coverage.
  [[nodiscard]] bool contradicts() const;
};

}  // namespace caos
