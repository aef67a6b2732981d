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


if __name__ == "__main__":
    scores_and_labels()
