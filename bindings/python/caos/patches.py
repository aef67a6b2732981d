"""Landmarks: which patch of an image holds the left eye, from a few images that are marked.

    embedded = caos.patches.embed("faces")                     # or your own vectors [n, P, D]
    labels = embedded.labels_of(points)                        # the patch of each landmark, [n, L]
    calibration = caos.patches.calibrate(embedded, labels)
    regions = calibration.predict_set(caos.patches.embed("new"), alpha=0.1)
    regions[0].sets                                            # where each landmark may be

Each marked patch alone is a predictor: the patches of a new image that are similar to it may hold
the landmark, too. CAOS adds the k smallest distances, calibrates by leaving each image out in turn,
and returns the patches that conform. evaluate() measures this, and other methods, on images whose
landmarks are known; draw_faces() gives images to try it with:

    >>> import caos
    >>> images, points, names = caos.patches.draw_faces(20, seed=1)
    >>> embedded = caos.patches.embed(images)
    >>> labels = embedded.labels_of(points)
    >>> calibration = caos.patches.calibrate(embedded[:15], labels[:15], landmarks=names)
    >>> regions = calibration.predict_set(embedded[15:], alpha=0.2)
    >>> regions[0]["right_ear_lobe"], labels[15, names.index("right_ear_lobe")]
    (array([ 92, 104]), 104)
"""

from caos._core import (
    Acceptance,
    EmbeddedImages,
    Grid,
    ImageRegions,
    LandmarkEvaluation,
    LandmarkMethodResult,
    PatchCalibration,
    Regions,
    SimultaneousResult,
)
from caos._core import patches_accept as accept
from caos._core import patches_calibrate as calibrate
from caos._core import patches_draw_faces as draw_faces
from caos._core import patches_embed as embed
from caos._core import patches_evaluate as evaluate
from caos._core import patches_load as load

__all__ = [
    "Acceptance",
    "EmbeddedImages",
    "Grid",
    "ImageRegions",
    "LandmarkEvaluation",
    "LandmarkMethodResult",
    "PatchCalibration",
    "Regions",
    "SimultaneousResult",
    "accept",
    "calibrate",
    "draw_faces",
    "embed",
    "evaluate",
    "load",
]
