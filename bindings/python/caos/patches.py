"""Landmarks in images, such as the left eye, from a few annotated images.

    embedded = caos.patches.embed("faces")                     # or your own vectors [n, P, D]
    labels = embedded.labels_of(points)                        # the cell of each landmark, [n, L]
    calibration = caos.patches.calibrate(embedded, labels)
    regions = calibration.predict_set(caos.patches.embed("new"), alpha=0.1)
    regions[0].sets                                            # where each landmark may be

Each marked patch alone is a predictor: the patches of a new image that are similar to it may hold
the landmark, too. CAOS adds the k smallest distances, calibrates by leaving each image out in turn,
and returns the patches that conform. evaluate() measures this, and other methods, on images whose
landmarks are known; draw_faces() gives images to try it with. Places are cells of 4 pixels, or
patches with embed(cell=16) and for arrays of your own:

    >>> import caos
    >>> images, points, names = caos.patches.draw_faces(20, seed=1)
    >>> embedded = caos.patches.embed(images)
    >>> labels = embedded.labels_of(points)
    >>> calibration = caos.patches.calibrate(embedded[:15], labels[:15], landmarks=names)
    >>> regions = calibration.predict_set(embedded[15:], alpha=0.2)
    >>> regions[0]["nose_tip"], labels[15, names.index("nose_tip")]
    (array([1701, 1702, 1749, 1750]), 1750)

read_landmarks() reads the landmark files of other tools: TPS, COCO, DeepLabCut, SLEAP and more.
"""

from __future__ import annotations

from typing import NamedTuple

from caos import _core
from caos._core import (
    Acceptance,
    EmbeddedImages,
    Grid,
    ImageRegions,
    LandmarkEvaluation,
    LandmarkMethodResult,
    PatchCalibration,
    PointErrors,
    Regions,
    SimultaneousResult,
)
from caos._core import patches_accept as accept
from caos._core import patches_calibrate as calibrate
from caos._core import patches_draw_faces as draw_faces
from caos._core import patches_embed as embed
from caos._core import patches_evaluate as evaluate
from caos._core import patches_load as load
from caos._typing import BoolArray, FloatArray, Path

__all__ = [
    "Acceptance",
    "Annotations",
    "EmbeddedImages",
    "Grid",
    "ImageRegions",
    "LandmarkEvaluation",
    "LandmarkMethodResult",
    "PatchCalibration",
    "PointErrors",
    "Regions",
    "SimultaneousResult",
    "accept",
    "calibrate",
    "draw_faces",
    "embed",
    "evaluate",
    "load",
    "read_landmarks",
]


class Annotations(NamedTuple):
    """The landmarks of some images, as read from a file."""

    images: list[str]
    landmarks: list[str]
    points: FloatArray
    hidden: BoolArray
    subjects: list[str | None]
    scales: FloatArray
    files: list[str] | None


# What help() says of the fields; the class has no other place for it.
Annotations.images.__doc__ = "The names of the images."
Annotations.landmarks.__doc__ = "The names of the landmarks."
Annotations.points.__doc__ = "(x, y) in pixels, [n, L, 2]; NaN where a landmark is missing."
Annotations.hidden.__doc__ = "Which landmarks are marked as hidden, [n, L]."
Annotations.subjects.__doc__ = "The subject of each image; None if the file does not name them."
Annotations.scales.__doc__ = "Millimeters per pixel of each image, [n]; NaN where not known."
Annotations.files.__doc__ = "The path of each image; None if no folder of images was given."


def read_landmarks(path: Path, images: Path | None = None, *, format: str | None = None,
                   tps_y: str | None = None, tps_curves: str = "skip", csv_y: str = "top",
                   image_extension: str = "", instances: str = "error",
                   instance_subjects: bool = False, missing_images: str = "error",
                   outside: str = "refuse", image_size: tuple[int, int] | None = None,
                   apply_orientation: bool = True) -> Annotations:
    """Read a landmark file of any tool, as the program does.

        found = caos.patches.read_landmarks("wings.tps", "wings", tps_y="bottom")
        embedded = caos.patches.embed(found.files)
        labels = embedded.labels_of(found.points)

    path: the file, or a folder of TPS, PTS, TEM, ASF, 3D Slicer, text or CSV files.
    images: the folder of the images. Names of the file are matched with those of the images,
        whatever folders, letter case and extension the file gives.
    format: csv, tps, pts, coco, dlib, label-studio, slicer, wide-csv, deeplabcut, deeplabcut-h5,
        sleap, tem, asf, points or regions; None: name and content tell.
    tps_y, csv_y: where y counts from in TPS files and in tables with a row per image, 'top' or
        'bottom'. TPS files count from the bottom, as tpsDig does, unless this says otherwise.
    tps_curves: curves in TPS files: 'skip', 'refuse', or read their points as 'landmarks'.
    image_extension: '.png' and the like, of images that the file names without one.
    instances: which instance to read of several in an image: 'largest', 'first', 'each' (as an
        image of its own), or one by its id; 'error' refuses several.
    instance_subjects: the name of the instance is the subject of the image.
    missing_images: images that are not in their folder: 'error' or 'skip'.
    outside: landmarks outside of their images: 'refuse', or make them 'missing'.
    image_size: (width, height) of every image, where that is needed and there are no images.
    apply_orientation: take JPEG files as EXIF turns them.

    What the reader decided is a UserWarning; what is wrong with a file is a ValueError with its
    line, and a missing image a FileNotFoundError.
    """
    return Annotations(*_core.read_landmark_file(
        path, images, format, tps_y, tps_curves, csv_y, image_extension, instances,
        instance_subjects, missing_images, outside, image_size, apply_orientation))
