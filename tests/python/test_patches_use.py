"""Landmarks: threads, Ctrl-C, memory and plots."""

import gc
import pickle
import signal
import subprocess
import sys
import textwrap
from types import SimpleNamespace

import numpy as np
import pytest

import caos
from patch_support import evaluate, random_split
from test_leaks import assert_flat, failing, heap_in_use, raising, resident
from test_threads import assert_others_run, at_once

pytestmark = pytest.mark.filterwarnings("ignore:.*images are needed:UserWarning")


def test_threads_at_once_get_the_same_answers(tmp_path):
    labeled, test = random_split(1, n=20, m=4)
    calibration = caos.patches.calibrate(labeled.embeddings, labeled.labels)
    calibration.save(tmp_path / "model.caos")
    mask = calibration.predict_set(test.embeddings, 0.2).mask
    p_values = calibration.predict_p(test.embeddings)
    table = str(evaluate(labeled, test, methods=["caos", "full-caos"]))
    # Not used to predict yet: the first calls build what all of them share.
    fresh = caos.patches.load(tmp_path / "model.caos")

    def predict_set():
        np.testing.assert_array_equal(fresh.predict_set(test.embeddings, 0.2).mask, mask)

    def predict_p():
        np.testing.assert_array_equal(fresh.predict_p(test.embeddings, threads=1), p_values)

    def evaluate_again():
        assert str(evaluate(labeled, test, methods=["caos", "full-caos"])) == table

    at_once(predict_set, predict_p, evaluate_again)


# Each takes minutes unless it is ended.
SETUP = """
    import os
    import threading
    import time
    import numpy as np
    import caos

    rng = np.random.default_rng(1)
    images = rng.normal(size=(40, 150, 64)).astype(np.float32)
    labels = rng.integers(150, size=(40, 200))
    calibration = caos.patches.calibrate(images, labels, score="softmax")
    many = [images[i % 40] for i in range(100_000)]
    pixels = rng.integers(256, size=(1500, 1500, 3), dtype=np.uint8)
    told = lambda done, total: print("told", flush=True)
"""
LONG_CALLS = {
    "predict_set": "calibration.predict_set(many, 0.1, progress=told)",
    "predict_p": "calibration.predict_p(many, progress=told)",
    "evaluate": "caos.patches.evaluate(images, labels, many, np.zeros((100_000, 200), int), "
                "score='softmax', progress=told)",
    "embed": "caos.patches.embed([pixels] * 100_000, progress=told, cell=16)",
}


@pytest.mark.parametrize("call", LONG_CALLS)
def test_ctrl_c_ends_the_work(call):
    script = textwrap.dedent(SETUP) + textwrap.dedent(f"""
        try:
            {LONG_CALLS[call]}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE,
                          text=True) as process:
        try:
            assert process.stdout.readline() == "told\n"
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert out.replace("told\n", "") == "interrupted\n"


@pytest.mark.parametrize("call", [*LONG_CALLS, "calibrate", "draw_faces"])
def test_other_threads_run_while_it_works(call):
    calls = {**LONG_CALLS, "calibrate": "caos.patches.calibrate(many[:9000], np.zeros(9000, int), "
                                        "score='softmax')",
             "draw_faces": "caos.patches.draw_faces(10_000)"}
    assert_others_run(SETUP + "    told = None\n", calls[call])


@pytest.fixture(scope="module", name="calls")
def fixture_calls(tmp_path_factory):
    """Calls by name, on a task so small that ten thousand take seconds."""
    labeled, test = random_split(1, n=8, m=2, num_patches=5, dimension=3, num_landmarks=2,
                                 missing=0)
    calibration = caos.patches.calibrate(labeled.embeddings, labeled.labels)
    path = tmp_path_factory.mktemp("leaks") / "model.caos"
    calibration.save(path)
    regions = calibration.predict_set(test.embeddings, 0.3)
    evaluation = evaluate(labeled, test, simultaneous=True, keep_sets="caos", ablation_ks=[1])
    rng = np.random.default_rng(1)
    images = caos.patches.embed(rng.integers(256, size=(2, 20, 20, 3), dtype=np.uint8), cell=16)
    points = np.ones((2, 1, 2))
    lists = list(test.embeddings)
    return {
        "calibrate": lambda: caos.patches.calibrate(labeled.embeddings, labeled.labels, threads=1),
        "calibrate with subjects": lambda: caos.patches.calibrate(
            lists * 4, labeled.labels, subjects=list("abababcd"), k=1, landmarks=["x", "y"]),
        "predict_set": lambda: calibration.predict_set(test.embeddings, 0.3, threads=1),
        "predict_set on two threads": lambda: calibration.predict_set(lists, [0.3, 0.5], threads=2),
        "predict_p": lambda: calibration.predict_p(test.embeddings, threads=1),
        "evaluate": lambda: evaluate(labeled, test, alpha=0.3, threads=1, keep_sets="caos"),
        "load": lambda: caos.patches.load(path),
        "pickle": lambda: pickle.loads(pickle.dumps(calibration)),
        "what a calibration tells": lambda: (
            repr(calibration), calibration.threshold([0.1, 0.2]), calibration.landmarks,
            calibration.num_calibrating, calibration.images),
        "what regions tell": lambda: (
            regions.mask, regions.sizes, regions.covers(test.labels), repr(regions),
            [(one.sets, one.p_values, one.supporting_references, one[0], one["1"])
             for one in regions]),
        "what an evaluation tells": lambda: (
            evaluation.sets, evaluation.packed_sets, str(evaluation), evaluation.to_dicts(),
            evaluation.methods[0].landmark_coverage, evaluation.ablation, evaluation.simultaneous),
        "embed": lambda: caos.patches.embed(np.ones((1, 16, 16, 3), np.uint8)
                                            * np.arange(16, dtype=np.uint8)[:, None],
                                            threads=1, cell=16),
        "what images tell": lambda: (images[:1], images[[1]], images.labels_of(points),
                                     images.offsets_of(points), images.grids[0].corner(1)),
        "errors": failing(lambda: caos.patches.calibrate(labeled.embeddings, labeled.labels + 9)),
        "errors of progress": failing(lambda: calibration.predict_set(test.embeddings, 0.3,
                                                                      progress=raising)),
    }


NAMES = ["calibrate", "calibrate with subjects", "predict_set", "predict_set on two threads",
         "predict_p", "evaluate", "load", "pickle", "what a calibration tells", "what regions tell",
         "what an evaluation tells", "embed", "what images tell", "errors", "errors of progress"]


def test_every_call_is_tried(calls):
    assert list(calls) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_ten_thousand_calls_leave_nothing_behind(name, calls):
    assert_flat(calls[name])


def test_large_arrays_are_used_where_they_lie():
    """What would be a copy of the images would be seen."""
    rng = np.random.default_rng(2)
    images = rng.normal(size=(400, 200, 100)).astype(np.float32)  # 32 MB
    calibration = caos.patches.calibrate(images[:10], np.zeros(10, int), threads=1)
    calibration.predict_set(images[:10], 0.2, threads=1)
    gc.collect()
    heap, pages, most = heap_in_use(), resident(), []
    calibration.predict_set(images, 0.2, threads=1,
                            progress=lambda *_: most.append((heap_in_use(), resident())))
    assert most[-1][0] - heap < images.nbytes / 4
    assert most[-1][1] - pages < images.nbytes / 4


@pytest.mark.parametrize("kind", ["list", "numpy", "torch", "list of tensors", "texts", "nan"])
def test_subjects_of_any_kind_are_told_apart_by_value(kind):
    rng = np.random.default_rng(5)
    embeddings = rng.normal(size=(12, 6, 4)).astype(np.float32)
    labels = rng.integers(6, size=(12, 2))
    pairs = np.arange(12) // 2
    subjects = {"list": pairs.tolist, "numpy": lambda: pairs,
                "texts": lambda: np.array([f"p{i}" for i in pairs], dtype=object),
                "nan": lambda: [float("nan")] * 2 + [f"p{i}" for i in pairs[2:]]}
    if "to" in kind or "tensor" in kind:
        torch = pytest.importorskip("torch", reason="NOT TESTED: tensors as subjects need torch")
        subjects |= {"torch": lambda: torch.arange(12) // 2,
                     "list of tensors": lambda: list(torch.arange(12) // 2)}
    calibration = caos.patches.calibrate(embeddings, labels, subjects=subjects[kind]())
    assert list(calibration.num_calibrating) == [12, 12]
    # Every subject counts once: 1 / (subjects + 1) is the smallest alpha. One without a name is a
    # subject of its own.
    num_subjects = 7 if kind == "nan" else 6
    assert calibration.is_feasible(0.125 if kind == "nan" else 0.143)
    assert not calibration.is_feasible(1 / (num_subjects + 1) - 0.001)


def test_embeddings_that_were_moved_about_are_refused():
    images, points, _ = caos.patches.draw_faces(8, seed=2)
    embedded = caos.patches.embed([images[0], images[1][:100], *images[2:]], cell=16)
    calibration = caos.patches.calibrate(embedded, embedded.labels_of(points % 90), k=2)
    embedded.embeddings.reverse()
    with pytest.raises(ValueError, match="not those that embed made"):
        calibration.predict_set(embedded, alpha=0.3)
    embedded.embeddings.reverse()
    embedded.embeddings.append(embedded.embeddings[0])
    with pytest.raises(ValueError, match="not those that embed made"):
        calibration.predict_p(embedded)


def test_images_that_were_pickled_are_embedded():
    images, _, _ = caos.patches.draw_faces(2, seed=2)
    again = pickle.loads(pickle.dumps(images))
    np.testing.assert_array_equal(caos.patches.embed(again, cell=16).embeddings,
                                  caos.patches.embed(images, cell=16).embeddings)


@pytest.fixture
def drawing():
    """What tests of plots are made with; skips where these are skipped."""
    import test_plots  # pylint: disable=import-outside-toplevel
    yield test_plots
    test_plots.pyplot.close("all")


@pytest.fixture(scope="module")
def faces():
    images, points, names = caos.patches.draw_faces(24, seed=1)
    embedded = caos.patches.embed(images, working_size="96x128", cell=16)
    return SimpleNamespace(images=images, embedded=embedded, names=names[:5],
                           labels=embedded.labels_of(points[:, :5]))


@pytest.fixture(scope="module")
def landmark_evaluation(faces):
    return caos.patches.evaluate(faces.embedded[:16], faces.labels[:16], faces.embedded[16:],
                                 faces.labels[16:], alpha=[0.2, 0.4], methods=["caos", "scos"])


@pytest.fixture(scope="module")
def regions(faces):
    calibration = caos.patches.calibrate(faces.embedded[:16], faces.labels[:16])
    return calibration.predict_set(faces.embedded[16:], 0.2)


def test_coverage_of_landmarks_is_their_mean_and_theirs(drawing, landmark_evaluation):
    ax = drawing.drawn(caos.plots.coverage(landmark_evaluation))
    lines = drawing.lines_by_label(ax)
    (line,) = [one for label, one in lines.items() if label.startswith("caos;")]
    results = [landmark_evaluation.result("caos", alpha) for alpha in (0.2, 0.4)]
    np.testing.assert_array_equal(line.get_ydata(), [result.coverage for result in results])
    marks = {tuple(one.get_ydata()) for one in ax.lines if one.get_linewidth() == 0}
    assert marks == {tuple(result.landmark_coverage) for result in landmark_evaluation}
    labels = [drawing.words(band.get_label()) for band in drawing.bands(ax)]
    assert ["(n = 16, of one landmark, 8 test examples)" in label for label in labels] == [
        True, False]
    assert "(n = 8, of one landmark, 8 test examples)" in labels[1]


def test_sizes_of_landmarks_and_regions_are_drawn(drawing, landmark_evaluation, regions):
    result = landmark_evaluation.result("caos", 0.2)
    ax = drawing.drawn(caos.plots.set_sizes([result, landmark_evaluation.result("scos", 0.2)]))
    assert ax.lines[0].get_xdata()[0] == result.landmark_mean_set_size.mean()
    assert ax.get_ylabel() == "share of landmarks"
    ax = drawing.drawn(caos.plots.set_sizes(regions))
    np.testing.assert_array_equal(drawing.heights(ax.containers[0]),
                                  np.bincount(regions.sizes.ravel()) / regions.sizes.size)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("patches in the region", "share of regions")


def test_coverage_of_regions_leaves_missing_landmarks_out(drawing, faces, regions):
    labels = faces.labels[16:].copy()
    labels[:3, 1] = -1
    ax = drawing.drawn(caos.plots.coverage(regions, labels, n=16))
    assert ax.lines[0].get_ydata()[0] == np.nanmean(regions.covers(labels))


def test_scatter_has_a_mark_for_each_landmark(drawing, landmark_evaluation):
    a, b = (landmark_evaluation.result(method, 0.2) for method in ("scos", "caos"))
    for what, name in (("set_sizes", "landmark_mean_set_size"), ("covered", "landmark_coverage")):
        ax = drawing.drawn(caos.plots.scatter(a, b, what=what))
        (marks,) = [one for one in ax.collections if isinstance(one, drawing.PathCollection)]
        assert {tuple(place) for place in marks.get_offsets()} == set(
            zip(getattr(a, name), getattr(b, name)))
        assert ax.get_title().startswith("5 landmarks at alpha 0.2\n")


def test_regions_of_smaller_images_lie_on_the_image_that_was_given(drawing, faces, regions):
    one = regions[0]
    ax = drawing.drawn(caos.plots.overlay(faces.images[16], one))
    assert ax.get_title() == "caos at alpha 0.2 (marginal)"
    sets = [patches for patches in one.sets if len(patches)]
    for edges, patches in zip(drawing.outlines(ax), sets, strict=True):
        corners = np.array([one.grid.corner(patch) for patch in patches])
        places = np.array(sorted(edges)).reshape(-1, 2)
        np.testing.assert_allclose(places.min(axis=0), corners.min(axis=0))
        inner = one.grid.bounds(int(patches[corners[:, 1].argmax()]))
        assert places[:, 1].max() >= inner[3] - 1e-9
    again = drawing.drawn(caos.plots.overlay(faces.images[16], one, one.grid))
    assert drawing.outlines(again) == drawing.outlines(ax)
    with pytest.raises(ValueError, match="image: is 178 pixels wide and 200 high; the grid is of"):
        caos.plots.overlay(faces.images[16][:200], one)
    with pytest.raises(ValueError, match="regions: are of 8 images; give those of one"):
        caos.plots.overlay(faces.images[16], regions, one.grid)
    with pytest.raises(ValueError, match="grid: give how the image was cut"):
        caos.plots.overlay(faces.images[16], one.mask)
