"""Landmark files of other tools, as arrays."""

import numpy as np
import pytest

import caos

WINGS = """LM=2
10 20
-1 -1
IMAGE=C:\\wings\\A.JPG
ID=0
SCALE=0.5
LM=2
11 21
30 40
IMAGE=b
ID=1
"""


@pytest.fixture
def wings(tmp_path):
    """A TPS file, and a folder with two images of 178 x 218 pixels."""
    images, _, _ = caos.patches.draw_faces(2, seed=1)
    folder = tmp_path / "wings"
    folder.mkdir()
    for image, name in zip(images, ("a.jpg", "b.jpg")):
        (folder / name).write_bytes(ppm_as_bmp(image))
    (tmp_path / "wings.tps").write_text(WINGS)
    return tmp_path


def ppm_as_bmp(image):
    """The bytes of a BMP file, which readers know by its content."""
    height, width, _ = image.shape
    row = (3 * width + 3) // 4 * 4
    pixels = np.zeros((height, row), np.uint8)
    pixels[:, :3 * width] = image[::-1, :, ::-1].reshape(height, -1)
    head = b"BM" + (54 + pixels.size).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")
    info = b"".join(n.to_bytes(size, "little") for n, size in (
        (40, 4), (width, 4), (height, 4), (1, 2), (24, 2), (0, 4), (pixels.size, 4), (2835, 4),
        (2835, 4), (0, 4), (0, 4)))
    return head + info + pixels.tobytes()


def test_gives_points_images_and_scales(wings):
    found = caos.patches.read_landmarks(wings / "wings.tps", wings / "wings", tps_y="bottom")
    assert found.images == ["a.jpg", "b.jpg"]
    assert found.landmarks == ["1", "2"]
    np.testing.assert_array_equal(found.points[:, 0], [[10, 198], [11, 197]])
    assert np.isnan(found.points[0, 1]).all()
    assert found.points.shape == (2, 2, 2)
    assert not found.hidden.any()
    assert found.subjects == [None, None]
    np.testing.assert_array_equal(found.scales, [0.5, np.nan])
    embedded = caos.patches.embed(found.files, cell=16)
    assert embedded.labels_of(found.points)[0, 1] == -1


def test_needs_no_images(wings):
    found = caos.patches.read_landmarks(wings / "wings.tps", tps_y="top", image_extension=".png")
    assert found.images == ["C:\\wings\\A.JPG", "b.png"]
    assert found.files is None
    flipped = caos.patches.read_landmarks(wings / "wings.tps", tps_y="bottom",
                                          image_size=(178, 100))
    assert flipped.points[1, 1, 1] == 60


def test_warns_of_what_it_decided(tmp_path):
    (tmp_path / "a.csv").write_text("id,species,X1,Y1\na.png,fly,1,2\n")
    with pytest.warns(UserWarning, match="columns that are not read: species"):
        caos.patches.read_landmarks(tmp_path / "a.csv")


def test_chooses_among_instances(tmp_path):
    (tmp_path / "dlc.csv").write_text(
        "scorer,me,me,me,me\nindividuals,fly1,fly1,fly2,fly2\nbodyparts,snout,snout,snout,snout\n"
        "coords,x,y,x,y\na.png,1,2,3,4\n")
    with pytest.raises(ValueError, match="fly1, fly2"):
        caos.patches.read_landmarks(tmp_path / "dlc.csv")
    found = caos.patches.read_landmarks(tmp_path / "dlc.csv", instances="fly2",
                                        instance_subjects=True)
    np.testing.assert_array_equal(found.points, [[[3, 4]]])
    assert found.subjects == ["fly2"]
    each = caos.patches.read_landmarks(tmp_path / "dlc.csv", instances="each")
    assert each.images == ["a.png#fly1", "a.png#fly2"]


def test_tps_files_count_from_the_bottom_unless_told_otherwise(wings):
    with pytest.warns(UserWarning, match="from the bottom"):
        found = caos.patches.read_landmarks(wings / "wings.tps", wings / "wings")
    said = caos.patches.read_landmarks(wings / "wings.tps", wings / "wings", tps_y="bottom")
    np.testing.assert_array_equal(found.points, said.points)


@pytest.mark.parametrize("how, error, said", [
    ({"tps_y": "left"}, ValueError, "tps_y: 'left' is not one of top, bottom"),
    ({"tps_y": "top", "format": "excel"}, ValueError, "'excel' is not a known format"),
    ({"tps_y": "top", "missing_images": "what"}, ValueError, "missing_images: 'what'"),
    ({"tps_y": "top", "outside": "what"}, ValueError,
     "outside: 'what' is not one of refuse, missing"),
    ({"tps_y": "top", "tps_curves": "what"}, ValueError, "tps_curves: 'what'"),
])
def test_refuses_what_it_does_not_know(how, error, said, wings):
    with pytest.raises(error, match=said):
        caos.patches.read_landmarks(wings / "wings.tps", wings / "wings", **how)


def test_names_missing_images_or_leaves_them_out(wings):
    (wings / "wings" / "b.jpg").unlink()
    arguments = (wings / "wings.tps", wings / "wings")
    with pytest.raises(FileNotFoundError, match="names the image 'b', which is not in"):
        caos.patches.read_landmarks(*arguments, tps_y="bottom")
    found = caos.patches.read_landmarks(*arguments, tps_y="bottom", missing_images="skip")
    assert found.images == ["a.jpg"]


def test_keeps_points_within_their_images(wings):
    with pytest.raises(ValueError, match="outside of its"):
        caos.patches.read_landmarks(wings / "wings.tps", tps_y="top", image_size=(20, 20))
    found = caos.patches.read_landmarks(wings / "wings.tps", tps_y="top", image_size=(20, 25),
                                        outside="missing")
    assert np.isnan(found.points[1, 1]).all()
    assert found.points[1, 0, 0] == 11
