"""Calibration and prediction, against the program."""

import numpy as np
import pytest

import caos
from conftest import Task


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("method", ["caos", "full-caos"])
def test_sets_and_p_values_are_those_of_the_program(seed, method, program, tmp_path):
    task = Task(seed)
    files = task.save(tmp_path)
    model = tmp_path / "model.caos"
    program.json("calibrate", "--labeled", files["labeled"], "--labels", files["labels"], "--out",
                 model)
    said = program.json("predict", model, "--test", files["test"], "--alpha", "0.2", "--method",
                        method, "--reverse", files["reverse"])

    calibration = caos.calibrate(task.labeled, task.labels)
    sets = calibration.predict_set(task.test, alpha=0.2, method=method, reverse=task.reverse)

    assert [list(one) for one in sets] == said["sets"]
    assert sets.guarantee == said["guarantee"]
    assert sets.assumption == said["assumption"]
    p_values = calibration.predict_p(task.test, method=method, reverse=task.reverse)
    for mine, theirs in zip(p_values, said["p_values"]):
        for y, value in enumerate(theirs):
            assert value is None or mine[y] == value
    calibration.save(tmp_path / "mine.caos")
    assert (tmp_path / "mine.caos").read_bytes() == model.read_bytes()
    np.testing.assert_array_equal(caos.load(model).scores, calibration.scores)
