#include "apps/studio/store/records.hpp"

#include <fmt/format.h>

#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "caos/error.hpp"

namespace caos::studio {
namespace {

template <typename Value, std::size_t size>
using Names = std::array<std::pair<Value, std::string_view>, size>;

constexpr Names<PointState, 3> states = {{{PointState::visible, "visible"},
                                          {PointState::hidden, "hidden"},
                                          {PointState::missing, "missing"}}};
constexpr Names<Source, 6> sources = {{{Source::blind, "blind"},
                                       {Source::accept, "accept"},
                                       {Source::correct, "correct"},
                                       {Source::import, "import"},
                                       {Source::restore, "restore"},
                                       {Source::automatic, "auto"}}};
constexpr Names<Sampling::Kind, 3> samplings = {{{Sampling::Kind::none, "none"},
                                                 {Sampling::Kind::random, "random"},
                                                 {Sampling::Kind::given, "given"}}};

constexpr Names<AuditRole, 3> audit_roles = {
    {{AuditRole::none, "none"}, {AuditRole::open, "open"}, {AuditRole::finished, "finished"}}};

constexpr Names<ImageQuery::Which, 4> whiches = {{{ImageQuery::Which::all, "all"},
                                                  {ImageQuery::Which::sample, "sample"},
                                                  {ImageQuery::Which::audit, "audit"},
                                                  {ImageQuery::Which::review, "review"}}};

constexpr Names<ImageQuery::Sort, 3> sorts = {{{ImageQuery::Sort::added, "added"},
                                               {ImageQuery::Sort::name, "name"},
                                               {ImageQuery::Sort::order, "order"}}};

/// Okabe's and Ito's colors, which color-blind people tell apart, but for black, which dark
/// images swallow.
constexpr std::array palette = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                "#56b4e9", "#d55e00", "#f0e442"};

template <typename Value, std::size_t size>
std::string name_in(const Names<Value, size>& names, Value value) {
  for (const auto& [known, name] : names) {
    if (known == value) return std::string(name);
  }
  return {};
}

template <typename Value, std::size_t size>
Value parse_in(const Names<Value, size>& names, std::string_view text, const char* what) {
  std::string list;
  for (const auto& [known, name] : names) {
    if (name == text) return known;
    list += fmt::format("{}{}", list.empty() ? "" : ", ", name);
  }
  throw Error(ErrorKind::invalid_input, fmt::format("{} must be one of {}", what, list));
}

}  // namespace

std::string color_at(std::size_t place) { return palette[place % palette.size()]; }

std::string name_of(PointState state) { return name_in(states, state); }
std::string name_of(Source source) { return name_in(sources, source); }
std::string name_of(Sampling::Kind kind) { return name_in(samplings, kind); }
std::string name_of(AuditRole role) { return name_in(audit_roles, role); }

std::size_t Audit::num_images_missed() const {
  std::set<std::string> images;
  for (const AuditedLandmark& landmark : landmarks) {
    images.insert(landmark.missed.begin(), landmark.missed.end());
  }
  return images.size();
}

PointState parse_point_state(const std::string& text) {
  return parse_in(states, text, "the state of a point");
}

Source parse_source(const std::string& text) {
  return parse_in(sources, text, "the source of a point");
}

ImageQuery::Which parse_which(const std::string& text) { return parse_in(whiches, text, "which"); }

ImageQuery::Sort parse_sort(const std::string& text) { return parse_in(sorts, text, "sort"); }

Sampling::Kind parse_sampling_kind(const std::string& text) {
  return parse_in(samplings, text, "the kind of a sample");
}

}  // namespace caos::studio
