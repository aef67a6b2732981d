"""From arrays of scores to sets with a guarantee, an evaluation and a file. Needs NumPy only."""

import tempfile
from pathlib import Path

import numpy as np

import caos

rng = np.random.default_rng(0)
NUM_LABELS = 20


def draw(count):
    """Synthetic examples: the label is a place, x tells roughly which."""
    x = rng.uniform(0, NUM_LABELS - 1, count)
    return x, np.clip(np.rint(x + rng.normal(0, 0.7, count)), 0, NUM_LABELS - 1).astype(int)


def scores(x, reference_x, reference_y):
    """[inputs, labels, references]: how badly a label suits x, if it should lie from x as the
    reference's label lies from its x. A scorer of yours takes the place of this function."""
    labels = np.arange(NUM_LABELS)[None, :, None]
    return np.abs((labels - reference_y) - (x[:, None, None] - reference_x))


x, labels = draw(60)
labeled = scores(x, x, labels)
calibration = caos.calibrate(labeled, labels)
new_x, new_labels = draw(500)
test = scores(new_x, x, labels)

sets = calibration.predict_set(test, alpha=0.1)
print(f"input 0 is {sets[0]}, the truth {new_labels[0]}; {sets.guarantee}: {sets.assumption}")
print(caos.evaluate(labeled, labels, test, new_labels, symmetric=True, alpha=[0.05, 0.1]))

with tempfile.TemporaryDirectory() as folder:
    calibration.save(Path(folder) / "model.caos")  # the program reads it, too: caos predict
    again = caos.load(Path(folder) / "model.caos").predict_set(test, alpha=0.1)
print("the same sets from the file:", np.array_equal(again.mask, sets.mask))
