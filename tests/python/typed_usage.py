"""What users write, with the types that they may rely on. Checked by mypy, and run."""

from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import assert_type

import numpy as np
import numpy.typing as npt

import caos


def scores_and_labels() -> None:
    rng = np.random.default_rng(1)
    labeled = rng.random((20, 3, 20))
    labels = rng.integers(3, size=20)
    test = rng.random((5, 3, 20), dtype=np.float32)

    calibration = assert_type(caos.calibrate(labeled, labels), caos.Calibration)
    caos.calibrate(labeled.tolist(), list(labels), k=2, groups="labels", threads=1)
    sets = assert_type(calibration.predict_set(test, 0.1), caos.PredictionSets)
    assert_type(calibration.predict_set(test, alpha="0.1"), caos.PredictionSets)
    assert_type(calibration.predict_set(test, alpha=Decimal("0.1")), caos.PredictionSets)
    assert_type(calibration.predict_set(test, alpha=[0.1, 0.2]), list[caos.PredictionSets])
    assert_type(calibration.predict_set(test, alpha=(0.1, 0.2)), list[caos.PredictionSets])
    assert_type(calibration.predict_set(test, alpha=["0.1", "0.2"]), list[caos.PredictionSets])
    several = calibration.predict_set(test, alpha=np.linspace(0.1, 0.3, 3), symmetric=True,
                                      method="full-caos")
    assert_type(several, list[caos.PredictionSets])
    assert_type(calibration.predict_p(test), npt.NDArray[np.float64])
    assert_type(calibration.threshold(0.1), float)
    assert_type(calibration.threshold([0.1, 0.2]), npt.NDArray[np.float64])
    assert_type(calibration.num_labels, int | None)

    assert_type(sets.mask, npt.NDArray[np.bool_])
    assert_type(sets.sizes, npt.NDArray[np.int64])
    assert_type(sets.alpha, float)
    assert_type(sets.guarantee, str)
    assert_type(len(sets), int)
    assert_type(sets.covers([0, 1, 2, 0, 1]), npt.NDArray[np.bool_])
    for one in sets:
        print(len(one))

    calibration.add_example(rng.random(20), rng.random(20))
    calibration.remove_example(20)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "model.caos"
        calibration.save(file)
        assert_type(caos.load(file), caos.Calibration)
        assert_type(caos.load(str(file)), caos.Calibration)


def evaluations_and_advice() -> None:
    rng = np.random.default_rng(2)
    labeled, test = rng.random((20, 3, 20)), rng.random((30, 3, 20))
    labels, test_labels = rng.integers(3, size=20), rng.integers(3, size=30)
    evaluation = assert_type(caos.evaluate(labeled, labels, test, test_labels, alpha=[0.1, 0.2],
                                           symmetric=True), caos.Evaluation)
    for one in evaluation:
        assert_type(one, caos.MethodResult)
        assert_type(one.coverage, float)
        assert_type(one.set_sizes, npt.NDArray[np.float64])
    assert_type(evaluation.result("caos", 0.1).threshold, float | None)
    assert_type(evaluation[0].guarantee, str)
    assert_type(caos.advise(30, alpha=0.1), caos.Advice)
    assert_type(caos.advise(30, alpha=[0.1, 0.2]), list[caos.Advice])
    assert_type(caos.coverage_law(30, 0.1).quantile(0.05), float)
    selection = assert_type(caos.conformal_selection([True, False], [0.5, 0.7], [0.9], q=0.5,
                                                     changed=["q"]), caos.Selection)
    assert_type(selection.accepted, npt.NDArray[np.bool_])
    assert_type(selection.p_values, npt.NDArray[np.float64])


def landmarks() -> None:
    images, points, names = caos.patches.draw_faces(16, seed=1)
    embedded = assert_type(caos.patches.embed(images), caos.patches.EmbeddedImages)
    labels = embedded.labels_of(points)
    calibration = caos.patches.calibrate(embedded[:12], labels[:12], landmarks=names)
    regions = calibration.predict_set(embedded[12:], alpha=0.2)
    assert_type(regions, caos.patches.Regions)
    assert_type(calibration.predict_set(embedded[12:], alpha=[0.2, 0.3]),
                list[caos.patches.Regions])
    assert_type(regions[0], caos.patches.ImageRegions)
    assert_type(regions[0]["chin"], npt.NDArray[np.int64])
    vectors = np.random.default_rng(3).random((8, 20, 6), dtype=np.float32)
    caos.patches.calibrate(vectors, np.zeros((8, 1), dtype=np.int64))


def texts() -> None:
    known = ["a parcel", "thank you", "my parcel", "many thanks to you"]
    calibration = caos.text.calibrate(known, ["late", "praise", "late", "praise"], k=1,
                                      label_names=["praise", "late"])
    assert_type(calibration, caos.text.TextCalibration)
    assert_type(calibration.predict_set(["the parcel"], alpha=0.4), caos.PredictionSets)
    assert_type(calibration.predict_p(["the parcel"]), npt.NDArray[np.float64])
    for reference in calibration.supporting_references(["the parcel"])[0]["late"]:
        assert_type(reference.text, str)


def own_scorers() -> None:
    def score(reference: caos.scorers.Reference, x: float) -> list[float]:
        return [abs(x - reference.x) if y == reference.y else np.inf for y in (0, 1)]

    predictors = caos.OneShotPredictors(score, [0.0, 0.1, 1.0, 1.1, 0.2], [0, 0, 1, 1, 0], k=1)
    assert_type(predictors.predict_set([0.3, 0.9], 0.3), caos.PredictionSets)
    assert_type(predictors.predict_set([0.3, 0.9], [0.3, 0.4]), list[caos.PredictionSets])
    assert_type(predictors.calibration, caos.Calibration)


if __name__ == "__main__":
    scores_and_labels()
    evaluations_and_advice()
    landmarks()
    texts()
    own_scorers()
