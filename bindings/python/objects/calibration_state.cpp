#include "bindings/python/objects/calibration_state.hpp"

#include <pybind11/stl.h>

#include <algorithm>

#include "bindings/python/arguments/arrays.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

struct State {
  Matrix<Score> own;
  std::size_t k = 0;
  Grouping::Kind kind = Grouping::Kind::none;
  std::vector<GroupId> ids;  // of the examples' groups
  std::size_t num_groups = 0;
};

State snapshot(const CalibratedScores& calibrated) {
  const py::gil_scoped_release released;
  State state;
  calibrated.read_all([&](const OwnScores& own, const Calibration& calibration) {
    state.own = Matrix<Score>(own.size(), own.size());
    std::copy_n(own.view().data(), own.size() * own.size(), state.own.view().data());
    const Grouping& grouping = calibration.grouping();
    state.k = calibration.k();
    state.kind = grouping.kind();
    state.num_groups = grouping.num_groups();
    for (std::size_t i = 0; i < grouping.num_examples(); ++i) {
      state.ids.push_back(grouping.id(grouping.of_example(i)));
    }
  });
  return state;
}

}  // namespace

py::tuple state_of(const CalibratedScores& calibrated) {
  const State state = snapshot(calibrated);
  return py::make_tuple(array_of(std::as_const(state).own.view()), state.k,
                        static_cast<int>(state.kind), state.ids, state.num_groups,
                        calibrated.num_labels());
}

CalibratedScores from_state(const py::tuple& state) {
  const RealArray own_array(state[0], "state");
  const auto ids = state[3].cast<std::vector<GroupId>>();
  Grouping grouping = Grouping::none(ids.size());
  switch (static_cast<Grouping::Kind>(state[2].cast<int>())) {
    case Grouping::Kind::none:
      break;
    case Grouping::Kind::by_label:
      grouping = Grouping::by_label(std::vector<Label>(ids.begin(), ids.end()),
                                    state[4].cast<std::size_t>());
      break;
    case Grouping::Kind::by_input:
      grouping = Grouping::by_input(ids);
      break;
  }
  OwnScores own(own_array.rows());
  Calibration calibration = calibrate(own, grouping, {.k = state[1].cast<std::size_t>()});
  return {std::move(own), std::move(calibration), state[5].cast<std::size_t>()};
}

}  // namespace caos::python
