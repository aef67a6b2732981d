#include "apps/studio/store/sampling/looks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apps/studio/store/store_limits.hpp"
#include "caos/error.hpp"
#include "caos/miscoverage.hpp"

namespace caos::studio {
namespace {

__extension__ using Wide = unsigned __int128;

/// As many as the page reads.
constexpr int least_places = 6;

template <typename Message>
void demand_look(bool condition, Message&& message) {
  require(condition, ErrorKind::invalid_input, std::forward<Message>(message));
}

/// alpha times 10^places. Requires alpha.places() <= places <= 36, so that it fits.
Wide scaled(const Miscoverage& alpha, int places) {
  Wide value = alpha.numerator();
  for (int i = alpha.places(); i < places; ++i) value *= 10;
  return value;
}

bool has_alpha(const Look& look) { return !look.alpha.empty(); }

/// Whether the alphas of all looks add up to at most `alpha`. Twenty numbers below 10^36 fit.
bool is_shared(const std::vector<Look>& looks, const Miscoverage& alpha) {
  int places = alpha.places();
  for (const Look& look : looks) {
    places = std::max(places, Miscoverage::parse(look.alpha).places());
  }
  Wide sum = 0;
  for (const Look& look : looks) sum += scaled(Miscoverage::parse(look.alpha), places);
  return sum <= scaled(alpha, places);
}

}  // namespace

std::vector<Look> equal_looks(const std::vector<std::size_t>& sizes, const std::string& alpha) {
  const auto whole = Miscoverage::parse(alpha);
  const int places = std::max(least_places, whole.places());
  const auto share = static_cast<std::uint64_t>(scaled(whole, places) / sizes.size());
  demand_look(share > 0, [&] {
    return fmt::format("alpha {} is too small to be divided among {} looks; plan fewer", alpha,
                       sizes.size());
  });
  const std::string text = Miscoverage::parse(fmt::format("0.{:0{}}", share, places)).text();
  std::vector<Look> looks;
  for (const std::size_t size : sizes) looks.push_back({size, text});
  return looks;
}

void check_looks(const std::vector<Look>& looks, const std::string& alpha) {
  demand_look(looks.size() <= limits::looks,
              [] { return fmt::format("at most {} looks can be planned", limits::looks); });
  for (std::size_t i = 0; i < looks.size(); ++i) {
    demand_look(looks[i].size > (i == 0 ? 0 : looks[i - 1].size),
                "each look must have more images than the one before");
    demand_look(looks[i].alpha.size() <= limits::setting, "alpha has too many digits");
  }
  demand_look(is_shared(looks, Miscoverage::parse(alpha)), [&] {
    return fmt::format("the alphas of the looks add up to more than {}, the target of the project",
                       alpha);
  });
}

std::vector<Look> planned_looks(const std::vector<Look>& asked, const std::string& alpha) {
  if (asked.empty() || std::ranges::all_of(asked, has_alpha)) {
    check_looks(asked, alpha);
    return asked;
  }
  demand_look(std::ranges::none_of(asked, has_alpha),
              "give an alpha for every look, or for none to divide the target equally");
  std::vector<std::size_t> sizes;
  for (const Look& look : asked) sizes.push_back(look.size);
  std::vector<Look> looks = equal_looks(sizes, alpha);
  check_looks(looks, alpha);
  return looks;
}

bool is_planned(const Sampling& sampling, std::size_t size) {
  if (sampling.looks.empty()) return size == sampling.size;
  return std::ranges::find(sampling.looks, size, &Look::size) != sampling.looks.end();
}

std::size_t looks_reached(const Sampling& sampling, std::size_t labeled) {
  const std::size_t most = std::min(labeled, sampling.size);
  if (sampling.looks.empty()) return labeled >= sampling.size ? 1 : 0;
  return static_cast<std::size_t>(
      std::ranges::count_if(sampling.looks, [&](const Look& look) { return look.size <= most; }));
}

}  // namespace caos::studio
