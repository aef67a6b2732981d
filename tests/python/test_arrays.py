"""What may be handed in as an array, what is refused, and what is copied."""

import subprocess
import sys
import textwrap
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import caos
from conftest import OnlyDLPack

try:
    import torch
except ImportError:
    torch = None


def named(kinds):
    """The names of kinds of arrays, to be tested one by one."""
    skipped = pytest.mark.skipif(torch is None,
                                 reason="NOT TESTED: PyTorch's tensors; torch is missing")
    return [pytest.param(kind, marks=skipped) if "torch" in kind else kind for kind in kinds]


class WithArray:
    """Like a table of pandas: no array, but it can become one."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None):
        return self.array if dtype is None else self.array.astype(dtype)


def unaligned(array):
    shifted = np.frombuffer(b"x" + array.tobytes(), np.uint8)[1:]
    view = shifted.view(array.dtype).reshape(array.shape)
    assert not view.flags.aligned
    return view


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


def every_second(array):
    wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
    wide[..., ::2] = array
    return wide[..., ::2]


# Each turns an array of whole numbers 0 to 5 in float32 into something that means the same.
KINDS = {
    "float32": lambda a: a,
    "float64": lambda a: a.astype(np.float64),
    "float16": lambda a: a.astype(np.float16),
    "int8": lambda a: a.astype(np.int8),
    "int64": lambda a: a.astype(np.int64),
    "uint8": lambda a: a.astype(np.uint8),
    "uint64": lambda a: a.astype(np.uint64),
    "big-endian float32": lambda a: a.astype(">f4"),
    "big-endian float64": lambda a: a.astype(">f8"),
    "big-endian int16": lambda a: a.astype(">i2"),
    "Fortran": np.asfortranarray,
    "Fortran float64": lambda a: np.asfortranarray(a.astype(np.float64)),
    "transposed": lambda a: np.ascontiguousarray(a.T).T,
    "reversed": lambda a: np.flip(np.ascontiguousarray(np.flip(a))),
    "every second": every_second,
    "unaligned": unaligned,
    "unaligned float64": lambda a: unaligned(a.astype(np.float64)),
    "read-only": read_only,
    "subclass": lambda a: a.view(type("Sub", (np.ndarray,), {})),
    "record array": lambda a: a.view(np.recarray),
    "list": lambda a: a.tolist(),
    "tuple of arrays": tuple,
    "__array__": WithArray,
    "__array__ float16": lambda a: WithArray(a.astype(np.float16)),
    "DLPack": OnlyDLPack,
    "DLPack float64": lambda a: OnlyDLPack(a.astype(np.float64)),
    "torch float32": lambda a: torch.tensor(a),
    "torch float64": lambda a: torch.tensor(a, dtype=torch.float64),
    "torch float16": lambda a: torch.tensor(a, dtype=torch.float16),
    "torch int32": lambda a: torch.tensor(a, dtype=torch.int32),
    "torch transposed": lambda a: torch.tensor(np.ascontiguousarray(a.T)).permute(
        *reversed(range(a.ndim))),
    "torch DLPack": lambda a: OnlyDLPack(torch.tensor(a)),
}


@pytest.mark.parametrize("kind", named(KINDS))
class TestEveryKindOfArray:
    def test_calibrates_and_predicts_the_same_bits(self, kind, task):
        made = KINDS[kind]
        plain = caos.calibrate(task.labeled, task.labels)
        other = caos.calibrate(made(task.labeled), task.labels)
        np.testing.assert_array_equal(other.scores, plain.scores)
        own = caos.calibrate(made(task.own()))
        np.testing.assert_array_equal(own.scores, plain.scores)
        how = {"method": "full-caos"}
        np.testing.assert_array_equal(
            other.predict_p(made(task.test), reverse=made(task.reverse), **how),
            plain.predict_p(task.test, reverse=task.reverse, **how))
        np.testing.assert_array_equal(other.predict_set(made(task.test), 0.2).mask,
                                      plain.predict_set(task.test, 0.2).mask)
        np.testing.assert_array_equal(other.label_scores(made(task.test)),
                                      plain.label_scores(task.test))

    @pytest.mark.filterwarnings("ignore:alpha:UserWarning")
    def test_evaluates_to_the_same_bits(self, kind, task):
        made = KINDS[kind]
        plain = caos.evaluate(task.labeled, task.labels, task.test, task.test_labels,
                              reverse=task.reverse)
        other = caos.evaluate(made(task.labeled), task.labels, made(task.test), task.test_labels,
                              reverse=made(task.reverse))
        assert other.to_dicts() == plain.to_dicts()

    def test_joins_with_the_same_bits(self, kind, task):
        made, own = KINDS[kind], task.own()
        plain, other = caos.calibrate(own[:9, :9]), caos.calibrate(own[:9, :9])
        plain.add_example(own[9, :9], own[:9, 9])
        other.add_example(made(own[9, :9].copy()), made(own[:9, 9].copy()))
        np.testing.assert_array_equal(other.scores, plain.scores)


@given(hnp.arrays(np.float32, (5, 5), elements=st.floats(0, 1, width=16)))
def test_half_precision_is_widened_exactly(own):
    halves = caos.calibrate(own.astype(np.float16), k=2).scores
    np.testing.assert_array_equal(halves, caos.calibrate(own.astype(np.float64), k=2).scores)


@given(hnp.arrays(np.float64, (5, 5), elements=st.floats(-1e6, 1e6)))
def test_double_precision_is_never_narrowed(own):
    np.fill_diagonal(own, np.inf)
    expected = np.sort(own, axis=1)[:, 0]
    np.testing.assert_array_equal(caos.calibrate(own, k=1).scores, expected)


LABEL_KINDS = {
    "int64": lambda a: a,
    "int8": lambda a: a.astype(np.int8),
    "uint64": lambda a: a.astype(np.uint64),
    "big-endian": lambda a: a.astype(">i4"),
    "strided": lambda a: np.repeat(a, 2)[::2],
    "list": lambda a: a.tolist(),
    "tuple": lambda a: tuple(a),
    "torch": lambda a: torch.tensor(a),
    "__array__": WithArray,
    "DLPack": OnlyDLPack,
    "read-only": read_only,
}


@pytest.mark.parametrize("kind", named(LABEL_KINDS))
def test_every_kind_of_whole_numbers_serves_as_labels_and_groups(kind, task):
    made = LABEL_KINDS[kind]
    groups = np.abs(task.groups)
    plain = caos.calibrate(task.labeled, task.labels, groups=groups)
    other = caos.calibrate(task.labeled, made(task.labels), groups=made(groups))
    np.testing.assert_array_equal(other.scores, plain.scores)
    assert other.groups == plain.groups
    sets = plain.predict_set(task.test, 0.5, groups=made(np.abs(task.test_groups)))
    np.testing.assert_array_equal(sets.covers(made(task.test_labels)),
                                  sets.covers(task.test_labels))


# What is refused, and how.

SQUARE = np.arange(36, dtype=np.float32).reshape(6, 6)

REFUSED = {
    "bool": (SQUARE > 3, "holds bool; expected float32, float64, float16 or whole numbers"),
    "longdouble": (SQUARE.astype(np.longdouble), "holds float128; expected"),
    "complex": (SQUARE.astype(complex), "holds complex128; expected"),
    "objects": (SQUARE.astype(object), "holds object; expected"),
    "texts": (SQUARE.astype(str), "holds <U32; expected"),
    "bytes": (SQUARE.astype("S8"), "holds |S8; expected"),
    "dates": (SQUARE.astype("M8[s]"), "holds datetime64[s]; expected"),
    "structured": (np.zeros((6, 6), [("a", "f4")]), "holds [('a', '<f4')]; expected"),
    "masked": (np.ma.masked_greater(SQUARE, 3),
               "is a masked array; give the values to use instead, such as numpy.ma.filled"),
    "masked nowhere": (np.ma.array(SQUARE), "is a masked array"),
    "None": (None, "is NoneType, not an array of numbers"),
    "an object": (object(), "is object, not an array of numbers"),
    "a text": ("scores.npy", "holds <U10; expected"),
    "a dict": ({1: 2}, "is dict, not an array of numbers"),
    "ragged lists": ([[1, 2], [3]], "list does not become a NumPy array (setting an array element"),
    "integers that round": (np.full((6, 6), 2**53 + 1), "holds whole numbers of 2^53 or more"),
    "unsigned that round": (np.full((6, 6), 2**64 - 1, np.uint64), "holds whole numbers of 2^53"),
    "torch bfloat16": (lambda: torch.zeros(6, 6, dtype=torch.bfloat16),
                       "Tensor does not become a NumPy array (Got unsupported ScalarType "
                       "BFloat16); give it as tensor.detach().cpu().float()"),
    "torch with gradient": (lambda: torch.zeros(6, 6, requires_grad=True),
                            "give it as tensor.detach().cpu().float()"),
    "torch sparse": (lambda: torch.eye(6).to_sparse(), "Tensor does not become a NumPy array"),
    "0-d": (np.float32(1), "has 0 dimensions, shape (); expected 3"),
    "1-d": (np.zeros(4), "has 1 dimension, shape (4,); expected 3"),
    "4-d": (np.zeros((2, 2, 2, 2)), "has 4 dimensions, shape (2, 2, 2, 2); expected 3"),
}


@pytest.mark.parametrize("kind", named(REFUSED))
def test_invalid_arrays_of_scores_are_refused_by_name(kind, task):
    value, message = REFUSED[kind]
    value = value() if "torch" in kind else value
    calibration = caos.calibrate(task.labeled, task.labels)
    for name, call in (("labeled", lambda: caos.calibrate(value, task.labels)),
                       ("test", lambda: calibration.predict_set(value, 0.1)),
                       ("test", lambda: calibration.predict_p(value))):
        with pytest.raises(ValueError) as caught:
            call()
        assert str(caught.value).startswith(f"{name}: "), caught.value
        assert message in str(caught.value)
    if value is None:
        return  # means that there are none
    with pytest.raises(ValueError) as caught:
        calibration.predict_set(task.test, 0.1, method="full-caos", reverse=value)
    assert str(caught.value).startswith("reverse: ")
    assert message in str(caught.value)


def test_what_an_array_raises_is_the_cause():
    class Broken:
        def __array__(self, dtype=None):
            raise RuntimeError("no memory of it")

    message = r"labeled: Broken does not become a NumPy array \(no memory of it\)"
    with pytest.raises(ValueError, match=message) as caught:
        caos.calibrate(Broken())
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_an_interrupt_while_an_array_is_made_stays_one():
    class Interrupted:
        def __array__(self, dtype=None):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        caos.calibrate(Interrupted())


def test_a_copy_that_does_not_fit_into_memory_is_a_memory_error():
    endless = np.broadcast_to(np.float32(1), (2**20, 2**20, 2**20))
    with pytest.raises(MemoryError):
        caos.calibrate(endless, np.zeros(2**20, int))


EMPTY = {
    "labeled": [((0, 3, 0), "there must be labels and references"),
                ((2, 0, 2), "there must be labels and references"),
                ((0, 0), "at least 2 labeled examples are needed"),
                ((1, 1), "at least 2 labeled examples are needed"),
                ((1, 3, 1), "at least 2 labeled examples are needed")],
    "test": [((0, 0, 12), "there must be labels and references"),
             ((9, 4, 0), "there must be labels and references")],
}


@pytest.mark.parametrize("shape, message", EMPTY["labeled"])
def test_empty_arrays_of_labeled_examples_are_refused(shape, message):
    with pytest.raises(ValueError, match=message):
        caos.calibrate(np.zeros(shape), np.zeros(shape[0], int))


@pytest.mark.parametrize("shape, message", EMPTY["test"])
def test_empty_arrays_of_new_inputs_are_refused(shape, message, task):
    with pytest.raises(ValueError, match=message):
        caos.calibrate(task.labeled, task.labels).predict_set(np.zeros(shape), 0.1)


REFUSED_LABELS = {
    "floats": (np.zeros(12), "labels: holds float64; expected whole numbers"),
    "bools": (np.zeros(12, bool), "labels: holds bool; expected whole numbers"),
    "texts": (["cat"] * 12, "labels: holds <U3; expected whole numbers"),
    "masked": (np.ma.masked_equal(np.zeros(12, int), 0), "labels: is a masked array"),
    "two dimensions": (np.zeros((12, 1), int),
                       "labels: has 2 dimensions, shape (12, 1); expected 1"),
    "negative": (np.full(12, -1), "labels: entry 0 is -1; labels are counted from 0"),
    "too large": (np.full(12, 4), "labels: entry 0 is 4; labels are 0 to 3"),
    "too few": (np.zeros(11, int), "labels: the number of labels is 11; expected 12"),
    "none": ([], "labels: the number of labels is 0; expected 12"),
    "huge": (np.full(12, 2**63, np.uint64), "expected whole numbers below 2^63"),
}


@pytest.mark.parametrize("kind", named(REFUSED_LABELS))
def test_labels_that_are_none_are_refused(kind, task):
    value, message = REFUSED_LABELS[kind]
    with pytest.raises(ValueError) as caught:
        caos.calibrate(task.labeled, value)
    assert message in str(caught.value)


# What is copied.

class Big:
    """A task with 8 MiB of new inputs in float32, more than everything else together."""

    n, num_labels, num_test = 64, 32, 1024

    def __init__(self):
        rng = np.random.default_rng(0)
        self.calibration = caos.calibrate(rng.random((self.n, self.n)))
        shape = (self.num_test, self.num_labels, self.n)
        self.test = rng.integers(100, size=shape).astype(np.float32)

    def peak(self, test):
        """The most memory that NumPy's arrays take while sets are predicted."""
        self.calibration.predict_set(test, 0.1)
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        self.calibration.predict_set(test, 0.1)
        peak = tracemalloc.get_traced_memory()[1] - before
        tracemalloc.stop()
        return peak


@pytest.fixture(scope="module")
def big():
    return Big()


MIB = 2**20

# By kind, the bytes of the one copy that it takes.
COPIES = {
    "float32": 0,
    "float64": 0,
    "read-only": 0,
    "subclass": 0,
    "__array__": 0,
    "DLPack": 0,
    "torch float32": 0,
    "torch float64": 0,
    "float16": 8 * MIB,
    "big-endian float32": 8 * MIB,
    "Fortran": 8 * MIB,
    "Fortran float64": 16 * MIB,
    "every second": 8 * MIB,
    "unaligned": 8 * MIB,
    "torch float16": 8 * MIB,
    "int8": 16 * MIB,
    "uint64": 16 * MIB,
}


@pytest.mark.parametrize("kind", named(COPIES))
def test_arrays_are_used_where_they_lie_or_copied_once(kind, big):
    peak = big.peak(KINDS[kind](big.test))
    assert COPIES[kind] <= peak < COPIES[kind] + MIB


def test_nothing_copies_a_large_array_behind_the_scenes():
    """Two GiB of zeros that take no memory as long as they are not copied."""
    script = textwrap.dedent("""
        import mmap
        import resource
        import numpy as np
        import caos

        def most():
            return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        shape = (1024, 1024, 512)
        zeros = mmap.mmap(-1, 4 * 1024 * 1024 * 512, mmap.MAP_PRIVATE, mmap.PROT_READ)
        test = np.frombuffer(zeros, np.float32).reshape(shape)
        labels = np.zeros(1024, int)
        own = np.zeros((512, 512))
        calibration = caos.calibrate(own)
        calibration.predict_set(test[:10], 0.1)
        before = most()
        calibration.predict_set(test, 0.1)
        caos.evaluate(own, None, test, labels, methods=["caos"], symmetric=True)
        print(most() - before)
    """)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(run.stdout) < 100 * MIB
