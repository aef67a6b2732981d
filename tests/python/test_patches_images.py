"""From images to embeddings: grids, labels and drawn faces, against the program."""

import copy
import pathlib
import pickle

import numpy as np
import pytest

import caos
from face_support import fixture_embedded, fixture_faces  # noqa: F401
from patch_support import png


class TestEmbed:
    @pytest.mark.parametrize("how", [{}, {"working_size": "192x224"}, {"working_size": "100x160"},
                                     {"working_size": "original", "precision": "float32"},
                                     {"working_size": "192x224", "location": (30, 0.2)}])
    def test_gives_what_the_program_gives(self, how, faces, program, tmp_path):
        options = [x for name, value in how.items() for x in
                   ((f"--{name.replace('_', '-')}", value) if name != "location" else
                    ("--location-sigma", value[0], "--location-weight", value[1]))]
        said = program.json("landmarks", "embed", faces.folder / "labeled", "--out",
                            tmp_path / "x.npy", "--no-cache", *options)
        found = caos.patches.embed(faces.folder / "labeled", **how)
        assert found.embeddings.dtype == np.float32
        np.testing.assert_array_equal(found.embeddings, np.load(tmp_path / "x.npy"))
        assert (found.names, found.backbone_identity) == (said["images"], said["backbone"])
        assert found.backbone == "builtin-2"
        assert (found.working_size, found.precision) == (said["working_size"], said["precision"])
        assert found.working_size == how.get("working_size", "512")
        assert found.precision == how.get("precision", "float16")

    def test_takes_folders_files_and_lists_of_files(self, faces, embedded):
        folder = caos.patches.embed(str(faces.folder / "labeled"), cell=16)
        np.testing.assert_array_equal(folder.embeddings, embedded.embeddings)
        one = caos.patches.embed(faces.files[3], cell=16)
        np.testing.assert_array_equal(one.embeddings, embedded.embeddings[3:4])
        some = caos.patches.embed([str(faces.files[5]), faces.files[2]], cell=16)
        np.testing.assert_array_equal(some.embeddings, embedded.embeddings[[5, 2]])
        assert some.names == [faces.files[5].name, faces.files[2].name]

    def test_gives_the_same_of_pixels_and_of_files_without_loss(self, tmp_path):
        rng = np.random.default_rng(1)
        pixels = [rng.integers(256, size=(h, w, 3), dtype=np.uint8) for h, w in
                  [(48, 64), (40, 33), (17, 90)]]
        for i, image in enumerate(pixels):
            (tmp_path / f"{i}.png").write_bytes(png(image.shape[1], image.shape[0], image))
        files = caos.patches.embed(tmp_path, cell=16)
        arrays = caos.patches.embed(pixels, cell=16)
        strided = caos.patches.embed([image[::-1].copy()[::-1] for image in pixels], cell=16)
        assert isinstance(files.embeddings, list)
        for one, other, third in zip(files.embeddings, arrays.embeddings, strided.embeddings):
            np.testing.assert_array_equal(one, other)
            np.testing.assert_array_equal(one, third)
        assert [len(grid) for grid in arrays.grids] == [12, 9, 12]
        assert arrays.names == ["0", "1", "2"]

    def test_makes_large_images_smaller(self):
        pixels = np.random.default_rng(2).integers(256, size=(300, 700, 3), dtype=np.uint8)
        grid = caos.patches.embed([pixels], cell=16).grids[0]
        assert (grid.columns, grid.rows, grid.width) == (32, 14, 700)
        assert caos.patches.embed([pixels], working_size=None, cell=16).grids[0].columns == 32
        assert caos.patches.embed([pixels], working_size="original", cell=16).grids[0].columns == 44

    def test_rounds_embeddings_to_float16(self, faces):
        exact = caos.patches.embed(faces.files[:2], precision="float32", cell=16)
        exact = exact.embeddings.astype(float)
        found = caos.patches.embed(faces.files[:2], cell=16).embeddings
        scaled = exact / np.exp2(np.floor(np.log2(np.abs(exact).max(axis=2, keepdims=True))))
        halves = scaled.astype(np.float16).astype(float)  # of unit rows, which are rounded already
        np.testing.assert_allclose(
            found, halves / np.linalg.norm(halves, axis=2, keepdims=True), atol=1e-3)
        assert (exact != found).any()

    def test_keeps_a_cache_below_its_size(self, faces, tmp_path):
        caos.patches.embed(faces.files[:6], cache=tmp_path / "cache", cache_size="400kB", cell=16)
        sizes = [file.stat().st_size for file in (tmp_path / "cache").rglob("*.safetensors")]
        assert 0 < sum(sizes) <= 400_000

    def test_gives_unit_rows(self, embedded):
        lengths = np.linalg.norm(embedded.embeddings.astype(float), axis=-1)
        np.testing.assert_allclose(lengths, 1, atol=1e-6)

    def test_keeps_embeddings_where_asked_to(self, faces, embedded, tmp_path):
        first = caos.patches.embed(faces.files[:3], cache=tmp_path / "cache", cell=16)
        kept = list((tmp_path / "cache").rglob("*"))
        assert kept
        np.testing.assert_array_equal(first.embeddings, embedded.embeddings[:3])
        again = caos.patches.embed(faces.files[:3], cache=tmp_path / "cache", cell=16)
        np.testing.assert_array_equal(again.embeddings, first.embeddings)

    def test_does_not_depend_on_threads(self, faces, embedded):
        for threads in (1, 3):
            found = caos.patches.embed(faces.files, threads=threads, cell=16)
            np.testing.assert_array_equal(found.embeddings, embedded.embeddings)

    def test_tells_how_far_it_is(self, faces):
        told = []
        caos.patches.embed(faces.files[:4], progress=lambda *so_far: told.append(so_far), cell=16)
        assert told[-1] == (4, 4)

    @pytest.mark.parametrize("images, error, said", [
        ([], ValueError, "images: the list is empty"),
        ("missing", FileNotFoundError, "missing: not an image or a directory"),
        (["missing.jpg"], FileNotFoundError, "missing.jpg: no such file"),
        ([np.zeros((4, 4, 3))], ValueError,
         r"images\[0\]: is float64 of shape \(4, 4, 3\); expected uint8"),
        ([np.zeros((4, 4), np.uint8)], ValueError, r"images\[0\]: is uint8 of shape \(4, 4\)"),
        (np.zeros((4, 4, 3), np.uint8), ValueError, r"images\[0\]: is uint8 of shape \(4, 3\)"),
        ([np.zeros((4, 4, 4), np.uint8)], ValueError, r"\(4, 4, 4\)"),
        ([np.zeros((0, 4, 3), np.uint8)], ValueError, "image 0: an image must have pixels"),
        ([pathlib.Path(__file__), np.zeros((4, 4, 3), np.uint8)], ValueError,
         r"images\[1\]: give either files or arrays"),
        ([pathlib.Path(__file__)], ValueError, "test_patches_images.py"),
        ([pathlib.Path(__file__)] * 3, ValueError, "and 2 more images cannot be used"),
    ])
    def test_refuses_what_are_no_images(self, images, error, said, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        with pytest.raises(error, match=said):
            caos.patches.embed(images, cell=16)

    @pytest.mark.parametrize("how, said", [
        ({"backbone": "hog"}, "unknown backbone 'hog'; give builtin-2, builtin, onnx:FILE"),
        ({"working_size": "large"}, "working size 'large'"),
        ({"precision": "half"}, "precision 'half': expected float16 or float32"),
        ({"cache_size": "large"}, "cache_size 'large': expected a size such as 500MB"),
        ({"location": (0, 0.5)}, "must be positive"),
        ({"threads": -1}, "threads: is -1"),
    ])
    def test_refuses_ways_that_there_are_not(self, how, said, faces):
        with pytest.raises(ValueError, match=said):
            caos.patches.embed(faces.files[:1], **how)

    def test_says_that_a_model_is_missing(self, faces):
        with pytest.raises(FileNotFoundError, match="missing.onnx"):
            caos.patches.embed(faces.files[:1], backbone="onnx:missing.onnx", cell=16)


class TestEmbeddedImages:
    def test_labels_are_the_patches_of_points(self, faces, embedded):
        labels = embedded.labels_of(faces.points)
        expected = faces.points[..., 1] // 16 * 12 + faces.points[..., 0] // 16
        np.testing.assert_array_equal(labels, expected.astype(int))
        np.testing.assert_allclose(embedded.offsets_of(faces.points), faces.points % 16 / 16,
                                   atol=1e-12)

    def test_points_with_nan_are_missing(self, faces, embedded):
        points = faces.points.copy()
        points[2, 5, 0] = points[3, 1, 1] = np.nan
        labels, offsets = embedded.labels_of(points), embedded.offsets_of(points)
        assert np.argwhere(labels == -1).tolist() == [[2, 5], [3, 1]]
        assert np.argwhere(np.isnan(offsets).all(axis=2)).tolist() == [[2, 5], [3, 1]]

    @pytest.mark.parametrize("points, said", [
        (np.zeros((24, 2)), "points: has 2 dimensions"),
        (np.zeros((23, 1, 2)), r"points: has shape \(23, 1, 2\); expected \(24, landmarks, 2\)"),
        (np.zeros((24, 1, 3)), r"points: has shape \(24, 1, 3\)"),
        (np.full((24, 2, 2), 178.0), r"points: element \[0, 0\]: the point \(178, 178\) lies "
                                     "outside of the image's 178 x 218 pixels"),
        (np.full((24, 2, 2), -0.5), "outside"),
        (np.full((24, 2, 2), np.inf), "outside"),
    ])
    def test_points_that_do_not_fit_are_refused(self, points, said, embedded):
        for function in (embedded.labels_of, embedded.offsets_of):
            with pytest.raises(ValueError, match=said):
                function(points)

    def test_points_of_smaller_working_images_are_those_of_the_original(self, faces):
        small = caos.patches.embed(faces.files, working_size=109, cell=16)
        grid = small.grids[0]
        assert (grid.rows, grid.columns, grid.patch_size) == (7, 6, 16)
        expected = faces.points[..., 1] // 32 * 6 + faces.points[..., 0] // 32
        np.testing.assert_array_equal(small.labels_of(faces.points), expected)
        assert grid.corner(7) == (32, 32)
        assert grid.patch_at(33, 33) == 7

    @pytest.mark.parametrize("index", [slice(2, 9), slice(None, None, -3), [5, 1], -1,
                                       np.arange(24) % 3 == 0])
    def test_some_are_chosen_as_in_numpy(self, index, embedded):
        some = embedded[index]
        rows = [index] if isinstance(index, int) else index
        np.testing.assert_array_equal(some.embeddings, embedded.embeddings[rows])
        assert some.names == np.atleast_1d(np.array(embedded.names)[index]).tolist()
        assert len(some) == len(some.grids) == len(some.names)
        with pytest.raises(IndexError):
            embedded[99]

    def test_some_of_different_sizes_are_chosen_too(self):
        images = [np.full((16, 16 * w, 3), 40 * w, np.uint8) + np.arange(16 * w)[:, None].astype(
            np.uint8) for w in (1, 2, 3)]
        embedded = caos.patches.embed(images, cell=16)
        assert [len(rows) for rows in embedded[1:].embeddings] == [2, 3]
        assert repr(embedded) == "EmbeddedImages(3 images of different sizes, backbone builtin-2)"
        assert repr(embedded[:1]).startswith("EmbeddedImages(")


class TestGrid:
    def test_counts_patches_row_by_row(self):
        grid = caos.patches.Grid(40, 30, patch_size=16)
        assert (grid.rows, grid.columns, grid.patch_size, len(grid)) == (2, 3, 16, 6)
        assert (grid.width, grid.height) == (40, 30)
        assert grid.patch_at(39.9, 0) == 2
        assert grid.patch_at(0, 16) == 3
        assert grid.patch_at(float("nan"), 0) == -1
        np.testing.assert_array_equal(grid.patch_at([0, 17], [[0], [20]]), [[0, 1], [3, 4]])
        assert grid.corner(4) == (16, 16)
        assert grid.bounds(5) == (32, 16, 40, 30)
        assert caos.patches.Grid(40, 30).patch_size == 16
        assert repr(grid) == "Grid(2 rows x 3 columns of patches of 16, image 40 x 30)"

    @pytest.mark.parametrize("call, said", [
        (lambda g: g.patch_at(40, 0), "outside of the image's 40 x 30 pixels"),
        (lambda g: g.corner(6), "patch: is 6; the grid has patches 0 to 5"),
        (lambda g: g.bounds(-1), "patch: is -1"),
        (lambda g: caos.patches.Grid(0, 5), "width: is 0; expected a whole number from 1"),
        (lambda g: caos.patches.Grid(5, 5, 0), "patch_size: is 0"),
    ])
    def test_refuses_what_is_not_there(self, call, said):
        with pytest.raises(ValueError, match=said):
            call(caos.patches.Grid(40, 30))


class TestDrawFaces:
    def test_draws_those_of_the_program(self, faces):
        images, points, names = caos.patches.draw_faces(30, seed=faces.seed)
        assert (images.shape, images.dtype) == ((30, 218, 178, 3), np.uint8)
        assert names == faces.names
        np.testing.assert_array_equal(points[:24], faces.points)
        np.testing.assert_array_equal(points[24:], faces.new_points)

    def test_draws_the_pixels_that_the_program_compresses(self, faces):
        reader = pytest.importorskip("PIL.Image", reason="NOT TESTED: pixels of drawn faces")
        images, _, _ = caos.patches.draw_faces(2, seed=faces.seed)
        for image, file in zip(images, faces.files):
            pixels = np.asarray(reader.open(file)).astype(int)
            assert np.abs(pixels - image).mean() < 3

    def test_draws_the_same_whatever_their_number(self):
        few = caos.patches.draw_faces(2, seed=1)
        more = caos.patches.draw_faces(4, seed=1, threads=3)
        np.testing.assert_array_equal(more[0][:2], few[0])
        np.testing.assert_array_equal(more[1][:2], few[1])
        assert (caos.patches.draw_faces(2, seed=2)[0] != few[0]).any()

    def test_refuses_no_faces(self):
        with pytest.raises(ValueError, match="n: is 0; expected a whole number from 1"):
            caos.patches.draw_faces(0)


def test_images_grids_and_regions_can_be_pickled_and_copied():
    images, points, names = caos.patches.draw_faces(8, seed=2)
    embedded = caos.patches.embed(images, working_size="96x128", location=(20, 0.2))
    labels = embedded.labels_of(points)
    calibration = caos.patches.calibrate(embedded[:6], labels[:6], landmarks=names)
    for make in (lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy):
        again = make(embedded)
        assert repr(again) == repr(embedded) and again.names == embedded.names
        np.testing.assert_array_equal(again.embeddings, embedded.embeddings)
        np.testing.assert_array_equal(again.labels_of(points), labels)
        grid = make(embedded.grids[0])
        assert repr(grid) == repr(embedded.grids[0])
        assert grid.corner(17) == embedded.grids[0].corner(17)
        # What was pickled is of the same embedding as the calibration.
        regions = calibration.predict_set(again[6:], 0.3)
        other = make(regions)
        assert repr(other) == repr(regions)
        for name in ("mask", "points", "feasible"):
            np.testing.assert_array_equal(getattr(other, name), getattr(regions, name))
        one, same = regions[1], make(regions[1])
        assert repr(same) == repr(one) and same.guarantee_is_for == one.guarantee_is_for
        for name in ("mask", "points", "offsets", "proposal_p_values",
                     "supporting_references", "supporters",
                     "scores_over_threshold", "review_order"):
            np.testing.assert_array_equal(getattr(same, name), getattr(one, name))
        for p, q in zip(same.p_values, one.p_values, strict=True):
            np.testing.assert_array_equal(p, q)
        assert repr(same.grid) == repr(one.grid)


def test_regions_of_some_landmarks_keep_what_holds():
    images, points, names = caos.patches.draw_faces(8, seed=2)
    embedded = caos.patches.embed(images, cell=16)
    calibration = caos.patches.calibrate(embedded[:6], embedded[:6].labels_of(points[:6]),
                                         landmarks=names)
    one = calibration.predict_set(embedded[6:], 0.3)[0]
    some = one.select(["chin", 3, -1])
    assert some.landmarks == ["chin", names[3], names[-1]]
    assert (some.alpha, some.guarantee, some.method) == (one.alpha, one.guarantee, one.method)
    np.testing.assert_array_equal(some.mask, one.mask[[names.index("chin"), 3, -1]])
    with pytest.raises(KeyError, match="unknown"):
        one.select(["unknown"])
    with pytest.raises(IndexError, match="there are 42 landmarks"):
        one.select([42])


def test_the_text_of_a_calibration_of_arrays_names_no_backbone():
    embeddings = np.random.default_rng(0).normal(size=(6, 5, 4))
    calibration = caos.patches.calibrate(embeddings, np.arange(6) % 5, k=2, working_size=224)
    assert repr(calibration) == (
        "PatchCalibration(1 landmark from 6 images, k = 2, score cosine; marginal)")
