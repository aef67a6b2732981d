#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <tuple>

#include "tests/studio/store/store_fixture.hpp"

namespace caos::studio {
namespace {

using test::StoreFixture;

/// Image, reading and landmark, each by its place.
using Where = std::tuple<std::size_t, int, std::size_t>;
using What = std::tuple<PointState, double, double, std::string>;

struct Oracle {
  std::map<Where, What> points{};
  std::map<std::pair<std::size_t, int>, std::int64_t> revisions{};
  std::size_t edits = 0;
};

/// Landmark, state or 3 for none, x.
using Edits = std::vector<std::tuple<std::size_t, int, int>>;

struct Step {
  std::size_t image = 0;
  int reading = 1;
  bool is_stale = false;
  bool is_sent_again = false;
  std::string annotator{};
  Edits edits{};
};

/// At least one edit, and at most one of each landmark.
rc::Gen<Edits> any_edits() {
  const auto state = rc::gen::inRange(0, 5);  // 4: not touched
  const auto x = rc::gen::inRange(0, 40);
  return rc::gen::map(
      rc::gen::container<std::vector<std::pair<int, int>>>(3, rc::gen::pair(state, x)),
      [](const std::vector<std::pair<int, int>>& drawn) {
        Edits edits;
        for (std::size_t i = 0; i < drawn.size(); ++i) {
          if (drawn[i].first < 4) edits.emplace_back(i, drawn[i].first, drawn[i].second);
        }
        if (edits.empty()) edits.emplace_back(0, 0, drawn[0].second);
        return edits;
      });
}

rc::Gen<Step> any_step() {
  return rc::gen::build<Step>(
      rc::gen::set(&Step::image, rc::gen::inRange<std::size_t>(0, 3)),
      rc::gen::set(&Step::reading, rc::gen::inRange(1, 3)),
      rc::gen::set(&Step::is_stale, rc::gen::weightedElement<bool>({{4, false}, {1, true}})),
      rc::gen::set(&Step::is_sent_again, rc::gen::weightedElement<bool>({{4, false}, {1, true}})),
      rc::gen::set(&Step::annotator, rc::gen::element<std::string>("Ada", "Bo")),
      rc::gen::set(&Step::edits, any_edits()));
}

/// What happens to a store, and to a map beside it.
class Case {
 public:
  explicit Case(StoreFixture& store) : store_(store), images_(store.add_images(3)) {
    for (const SchemeLandmark& landmark : store->scheme(store.project)) {
      landmarks_.push_back(landmark.id);
    }
  }

  void run(const Step& step) {
    std::int64_t& revision = oracle_.revisions[{step.image, step.reading}];
    const Change change = change_of(step, step.is_stale ? revision + 1 : revision);
    const bool applied = store_->apply(store_.project, change).applied;
    RC_ASSERT(applied == !step.is_stale);
    if (step.is_stale) return;
    ++revision;
    note(step);
    if (step.is_sent_again) RC_ASSERT(store_->apply(store_.project, change).applied);
  }

  void check() {
    std::size_t lines = 0;
    for (std::size_t i = 0; i < images_.size(); ++i) {
      for (const int reading : {1, 2}) check_reading(i, reading);
      lines += store_->history(store_.project, images_[i]).size();
    }
    RC_ASSERT(lines == oracle_.edits);
  }

 private:
  Change change_of(const Step& step, std::int64_t base) {
    Change change{.id = fmt::format("c{}", ++changes_),
                  .image = images_[step.image],
                  .reading = step.reading,
                  .base = base,
                  .annotator = step.annotator};
    for (const auto& [landmark, state, x] : step.edits) {
      Edit edit{.landmark = landmarks_[landmark], .x = x + 0.5, .y = 1};
      if (state < 3) edit.state = static_cast<PointState>(state);
      change.edits.push_back(edit);
    }
    return change;
  }

  void note(const Step& step) {
    oracle_.edits += step.edits.size();
    for (const auto& [landmark, state, x] : step.edits) {
      const Where where(step.image, step.reading, landmark);
      oracle_.points.erase(where);
      if (state == 3) continue;
      const auto known = static_cast<PointState>(state);
      const bool has_place = known != PointState::missing;
      oracle_.points[where] = {known, has_place ? x + 0.5 : 0, has_place ? 1 : 0, step.annotator};
    }
  }

  void check_reading(std::size_t image, int number) {
    const Reading reading = store_->reading(store_.project, images_[image], number);
    RC_ASSERT(reading.revision == (oracle_.revisions[{image, number}]));
    std::vector<What> expected;
    for (std::size_t landmark = 0; landmark < landmarks_.size(); ++landmark) {
      const auto found = oracle_.points.find({image, number, landmark});
      if (found != oracle_.points.end()) expected.push_back(found->second);
    }
    std::vector<What> stored;
    for (const Point& point : reading.points) {
      stored.emplace_back(point.state, point.x, point.y, point.annotator);
    }
    RC_ASSERT(stored == expected);
    RC_ASSERT(reading.complete == (expected.size() == landmarks_.size()));
  }

  StoreFixture& store_;
  std::vector<Id> images_;
  std::vector<Id> landmarks_{};
  Oracle oracle_{};
  int changes_ = 0;
};

RC_GTEST_PROP(StoreSequences, LeaveWhatAPlainMapWouldHoldAlsoWhenOpenedAgain, ()) {
  StoreFixture store({"nose", "chin", "brow"});
  Case sequence(store);
  for (const Step& step : *rc::gen::resize(30, rc::gen::container<std::vector<Step>>(any_step())))
    sequence.run(step);
  sequence.check();
  store.reopen();
  sequence.check();
}

}  // namespace
}  // namespace caos::studio
