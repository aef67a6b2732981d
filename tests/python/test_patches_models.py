"""From images to regions and model files, against the program."""

import json

import numpy as np
import pytest

import caos
from face_support import fixture_embedded, fixture_faces  # noqa: F401

pytestmark = pytest.mark.filterwarnings("ignore:.*images are needed:UserWarning")


def calibrate_by_program(program, faces, out, *more, landmarks="labeled.csv"):
    if "--score" not in more:
        more = ("--score", "cosine", *more)
    program.json("landmarks", "calibrate", "--images", faces.folder / "labeled", "--landmarks",
                 faces.folder / landmarks, "--out", out, "--no-cache", *more)
    return out.read_bytes()


def predict_by_program(program, model, images, out, *more):
    run = program.run("landmarks", "predict", model, images, "--out", out, "--no-cache", *more)
    assert run.returncode == 0, run.stderr
    return json.loads(out.read_text(encoding="utf-8"))


def hold(regions, said, calibration):
    """Regions against the program's file of predictions."""
    assert regions.alpha == said["alpha"]
    assert {regions.guarantee} == {landmark["guarantee"] for landmark in said["landmarks"]}
    assert regions.feasible.tolist() == [l["feasible"] for l in said["landmarks"]]
    assert regions.guarantee_is_for == said["guarantee_is_for"]
    for one, image in zip(regions, said["images"], strict=True):
        for t, landmark in enumerate(image["landmarks"]):
            assert landmark["landmark"] == regions.landmarks[t]
            assert one.sets[t].tolist() == landmark["patches"]
            assert one.p_values[t].tolist() == landmark["p_values"]
            names = [calibration.images[i] for i in one.supporting_references[t]]
            assert names == landmark["supporting_references"]
            proposal = landmark["proposal"]
            assert one.proposals[t] == proposal["patch"]
            assert one.proposal_p_values[t] == proposal["p_value"]
            assert one.scores_over_threshold[t] == proposal["score_over_threshold"]
            if one.grid is not None:
                assert np.round(one.points[t], 3).tolist() == [proposal["x"], proposal["y"]]
    names = [image["image"] for image in said["images"]]
    assert [names[i] for i in regions.review_order] == said["review_order"]


class TestModels:
    """Files of the program and of the package are the same, and so is what they predict."""

    @pytest.mark.parametrize("score", ["cosine", "softmax", "margin:10", "geometry"])
    def test_are_the_same_bytes(self, score, faces, embedded, program, tmp_path):
        if score == "geometry":
            embedded = caos.patches.embed(faces.files)  # with cells
        bytes_of_program = calibrate_by_program(program, faces, tmp_path / "a.caos", "--score",
                                                score, "--k", 2)
        calibration = caos.patches.calibrate(
            embedded, embedded.labels_of(faces.points), landmarks=faces.names, score=score, k=2,
            offsets=embedded.offsets_of(faces.points))
        calibration.save(tmp_path / "b.caos")
        assert (tmp_path / "b.caos").read_bytes() == bytes_of_program

    def test_are_the_same_bytes_with_subjects_and_missing_landmarks(self, faces, embedded, program,
                                                                    tmp_path):
        subjects = [f"s{i // 2}" for i in range(faces.n)]
        missing = {(i, 3) for i in range(0, faces.n, 3)} | {(i, 7) for i in range(22)}
        faces.write("some.csv", faces.rows(subjects, missing))
        bytes_of_program = calibrate_by_program(program, faces, tmp_path / "a.caos",
                                                landmarks="some.csv")
        points = faces.points.copy()
        for i, t in missing:
            points[i, t] = np.nan
        # The file names the landmarks in the order in which they appear.
        names = list(dict.fromkeys(row[1] for row in faces.rows(subjects, missing)))
        columns = [faces.names.index(name) for name in names]
        with pytest.warns(UserWarning, match="left out"):
            calibration = caos.patches.calibrate(
                embedded, embedded.labels_of(points[:, columns]), landmarks=names,
                subjects=subjects, offsets=embedded.offsets_of(points[:, columns]), score="cosine")
        calibration.save(tmp_path / "b.caos")
        assert (tmp_path / "b.caos").read_bytes() == bytes_of_program
        assert calibration.left_out == [faces.names[7]]

    @pytest.mark.parametrize("more", [[], ["--method", "full-caos"], ["--simultaneous"],
                                      ["--alpha", "0.01"], ["--alpha", "0.01", "--clip-rank"]])
    def test_predict_the_same(self, more, faces, embedded, program, tmp_path):
        calibrate_by_program(program, faces, tmp_path / "a.caos")
        said = predict_by_program(program, tmp_path / "a.caos", faces.folder / "new",
                                  tmp_path / "regions.json", *more)
        calibration = caos.patches.load(tmp_path / "a.caos")
        assert calibration.landmarks == faces.names and calibration.backbone == "builtin-2"
        assert calibration.backbone_identity == embedded.backbone_identity
        regions = calibration.predict_set(
            calibration.embed(faces.new_files), "0.01" if "0.01" in more else 0.1,
            method="full-caos" if "full-caos" in more else "caos",
            simultaneous="--simultaneous" in more, clip_rank="--clip-rank" in more)
        hold(regions, said, calibration)

    def test_predict_the_same_where_images_are_padded(self, faces, program, tmp_path):
        how = ["--working-size", "240x240", "--location-sigma", 40, "--location-weight", 0.1]
        calibrate_by_program(program, faces, tmp_path / "a.caos", *how)
        said = predict_by_program(program, tmp_path / "a.caos", faces.folder / "new",
                                  tmp_path / "regions.json", "--alpha", "0.01")
        calibration = caos.patches.load(tmp_path / "a.caos")
        new = calibration.embed(faces.folder / "new")
        regions = calibration.predict_set(new, 0.01)
        hold(regions, said, calibration)
        assert not regions.mask.all() and regions.mask.any(axis=(0, 1)).sum() == 12 * 14
        np.testing.assert_array_equal(calibration.predict_p(new) > 0, regions.mask)

    def test_of_plain_arrays_serve_the_program(self, faces, program, tmp_path):
        files = {}
        for name in ("labeled", "new"):
            files[name] = tmp_path / f"{name}.npy"
            program.json("landmarks", "embed", faces.folder / name, "--out", files[name])
        labels = caos.patches.embed(faces.files, cell=16).labels_of(faces.points)
        calibration = caos.patches.calibrate(np.load(files["labeled"]), labels, patch_size=16,
                                             landmarks=faces.names)
        calibration.save(tmp_path / "arrays.caos")
        said = predict_by_program(program, tmp_path / "arrays.caos", faces.folder / "new",
                                  tmp_path / "regions.json", "--backbone",
                                  f"embeddings:{files['new']}")
        hold(calibration.predict_set(np.load(files["new"]), 0.1), said, calibration)
        with pytest.raises(ValueError, match="the calibration is of plain embeddings"):
            calibration.embed(faces.new_files)

    def test_are_described_by_the_program(self, faces, embedded, program, tmp_path):
        calibration = caos.patches.calibrate(embedded.embeddings, embedded.labels_of(faces.points))
        calibration.save(tmp_path / "a.caos")
        said = program.json("inspect", tmp_path / "a.caos")
        assert said["working_size"] == calibration.working_size == "512"
        assert said["precision"] == calibration.precision == "float32"
        assert said["backbone"] == calibration.backbone == "embeddings:"
        assert said["num_images"] == len(calibration)


class TestWaysOfEmbedding:
    """Embeddings made in two ways are not compared, where that can be known."""

    def test_must_be_the_same_for_new_images(self, faces, embedded):
        calibration = caos.patches.calibrate(embedded, embedded.labels_of(faces.points))
        other = caos.patches.embed(faces.new_files, working_size="192x224", cell=16)
        with pytest.raises(ValueError, match="embeddings: was embedded with working_size "
                                             "'192x224', float16, the calibration with '512', "
                                             "float16"):
            calibration.predict_set(other, 0.1)
        precise = caos.patches.embed(faces.new_files, precision="float32", cell=16)
        with pytest.raises(ValueError, match="'512', float32, the calibration with '512', float16"):
            calibration.predict_set(precise, 0.1)
        calibration.predict_set(other.embeddings, 0.1)  # unknown for plain arrays

    def test_must_be_the_same_for_test_images(self, faces, embedded):
        other = caos.patches.embed(faces.new_files, location=(24, 0.25))
        labels, new_labels = embedded.labels_of(faces.points), other.labels_of(faces.new_points)
        with pytest.raises(ValueError, match="test: has 497 numbers for each patch"):
            caos.patches.evaluate(embedded, labels, other, new_labels)
        other = caos.patches.embed(faces.new_files, working_size=500, cell=16)
        with pytest.raises(ValueError, match="test: was embedded with working_size '500', float16, "
                                             "embeddings with '512', float16; embed both in one "
                                             "way"):
            caos.patches.evaluate(embedded, labels, other, new_labels)

    def test_come_with_images_and_not_with_arguments(self, faces, embedded):
        with pytest.raises(ValueError, match="patch_size and working_size are for plain arrays"):
            caos.patches.calibrate(embedded, embedded.labels_of(faces.points), patch_size=16)


def test_regions_say_how_large_they_are(faces, embedded):
    calibration = caos.patches.calibrate(embedded, embedded.labels_of(faces.points))
    assert (calibration.working_size, calibration.precision) == ("512", "float16")
    new = caos.patches.embed(faces.new_files, cell=16)
    small = calibration.predict_set(new, 0.3)
    assert small.large_regions is None
    # By area: patches at the edge of 178 x 218 pixels are cut off.
    grid = new.grids[0]
    bounds = np.array([grid.bounds(p) for p in range(len(grid))])
    areas = np.prod(bounds[:, 2:] - bounds[:, :2], axis=1) / (178 * 218)
    np.testing.assert_allclose(small.mean_region_share, (small.mask * areas).sum(axis=2).mean())
    plain = calibration.predict_set(new.embeddings, 0.3)
    np.testing.assert_allclose(plain.mean_region_share, plain.mask.mean())


def test_large_regions_say_what_to_try():
    rng = np.random.default_rng(4)
    noise = [rng.integers(256, size=(160, 192, 3), dtype=np.uint8) for _ in range(24)]
    embedded = caos.patches.embed(noise, cell=16)
    labels = rng.integers(120, size=(24, 2))
    calibration = caos.patches.calibrate(embedded[:16], labels[:16])
    with pytest.warns(UserWarning, match="regions cover .* % of the image on average; for smaller "
                                         "ones try a smaller working_size, more"):
        regions = calibration.predict_set(embedded[16:], 0.2)
    assert regions.mean_region_share > 0.05
    assert regions.large_regions.startswith("regions cover ")
    with pytest.warns(UserWarning, match="caos at alpha 0.2: regions cover"):
        found = caos.patches.evaluate(embedded[:16], labels[:16], embedded[16:], labels[16:],
                                      alpha=0.2)
    np.testing.assert_allclose(found.methods[0].mean_region_share, regions.sizes.mean() / 120)


def test_regions_know_places_only_of_images(faces, embedded):
    calibration = caos.patches.calibrate(embedded, embedded.labels_of(faces.points),
                                         offsets=embedded.offsets_of(faces.points))
    new = caos.patches.embed(faces.new_files, cell=16)
    regions = calibration.predict_set(new, 0.1)
    assert regions.points.shape == (6, 42, 2)
    assert np.abs(regions.points - faces.new_points).mean() < 4
    assert repr(regions[0].grid) == repr(new.grids[0])
    for points in (lambda r: r.points, lambda r: r[0].points):
        with pytest.raises(ValueError, match="where patches lie is not known of plain arrays"):
            points(calibration.predict_set(new.embeddings, 0.1))


def test_evaluate_is_that_of_the_program_from_images(faces, embedded, program):
    said = program.json("landmarks", "evaluate", "--images", faces.folder, "--landmarks",
                        faces.folder / "all.csv", "--split", faces.folder / "split.csv",
                        "--methods", "caos,split-caos", "--score", "margin", "--no-cache",
                        "--alpha", "0.05,0.1,0.2")
    new = caos.patches.embed(faces.new_files, cell=16)
    found = caos.patches.evaluate(
        embedded, embedded.labels_of(faces.points), new, new.labels_of(faces.new_points),
        methods=["caos", "split-caos"], score="margin", landmarks=faces.names,
        reference_indices=np.arange(0, faces.n, 2))
    assert found.score == said["score"] == "margin:3"
    assert [r.coverage for r in found.methods] == [r["coverage"]["mean"] for r in said["results"]]
    assert [r.mean_set_size for r in found.methods] == [r["mean_set_size"]["mean"]
                                                        for r in said["results"]]
