"""Examples that join and leave, against calibrating from scratch; and copies."""

import copy
import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import caos

scores = st.integers(0, 3).map(float) | st.just(float("inf"))


@st.composite
def growing_examples(draw):
    """Own scores of up to 9 examples, k, groups of a kind, and who leaves in the end."""
    n = draw(st.integers(4, 9))
    own = np.array(draw(st.lists(st.lists(scores, min_size=n, max_size=n), min_size=n,
                                 max_size=n)))
    k = draw(st.integers(1, 2))
    kind = draw(st.sampled_from(["none", "labels", "inputs"]))
    labels = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    leavers = draw(st.lists(st.integers(0, n - 1), max_size=n - k - 1))
    return own, k, kind, labels, leavers


def calibrate_kind(own, k, kind, labels):
    """By label there are always three: a label stays, whether or not an example has it."""
    if kind == "none":
        return caos.calibrate(own, k=k)
    if kind == "inputs":
        return caos.calibrate(own, k=k, groups=labels)
    every = np.zeros((len(own), 3, len(own)))
    every[np.arange(len(own)), labels] = own
    return caos.calibrate(every, labels, k=k, groups="labels")


def assert_same_bits(a, b, folder):
    np.testing.assert_array_equal(a.scores, b.scores)
    assert a.groups == b.groups
    a.save(folder / "a.caos")
    b.save(folder / "b.caos")
    assert (folder / "a.caos").read_bytes() == (folder / "b.caos").read_bytes()


@given(growing_examples())
def test_growing_is_calibrating_from_scratch_bit_for_bit(tmp_path_factory, examples):
    own, k, kind, labels, leavers = examples
    folder = tmp_path_factory.mktemp("grown")
    start = k + 1
    grown = calibrate_kind(own[:start, :start], k, kind, labels[:start])
    for i in range(start, len(own)):
        group = None if kind == "none" else labels[i]
        grown.add_example(own[i, :i], own[:i, i], group=group)
        again = calibrate_kind(own[:i + 1, :i + 1], k, kind, labels[:i + 1])
        assert_same_bits(grown, again, folder)
    stay = list(range(len(own)))
    for leaver in leavers:
        leaver %= len(stay)
        grown.remove_example(leaver)
        del stay[leaver]
    again = calibrate_kind(own[np.ix_(stay, stay)], k, kind, [labels[i] for i in stay])
    assert_same_bits(grown, again, folder)


@given(growing_examples())
def test_pickle_and_copy_keep_every_bit(tmp_path_factory, examples):
    own, k, kind, labels, leavers = examples
    folder = tmp_path_factory.mktemp("pickled")
    calibration = calibrate_kind(own, k, kind, labels)
    assert_same_bits(pickle.loads(pickle.dumps(calibration)), calibration, folder)
    for leaver in leavers:
        calibration.remove_example(leaver % len(calibration))
    assert_same_bits(copy.deepcopy(calibration), calibration, folder)
    assert_same_bits(copy.copy(calibration), calibration, folder)


def test_a_copy_grows_by_itself(task):
    own = task.own()
    calibration = caos.calibrate(own[:8, :8])
    other = copy.copy(calibration)
    other.add_example(own[8, :8], own[:8, 8])
    assert (len(calibration), len(other)) == (8, 9)
