"""What is shown of images: the right pixels, and nothing but pixels."""

import io
import unittest

import numpy as np

from PIL import Image

import dicom_files
import pixels
from studio_support import StudioTest


def photograph(width, height, seed):
    """Pixels that tell where they are, as a photograph does: smooth, with a little noise."""
    x = np.arange(width, dtype=np.uint32)[None, :]
    y = np.arange(height, dtype=np.uint32)[:, None]
    noise = np.random.default_rng(seed).integers(0, 4, (height, width), dtype=np.uint32)
    red, green, blue = x * 255 // width + 0 * y, y * 255 // height + 0 * x, (x // 64 + y // 64) % 2 * 200
    return np.stack([red, green, (blue + noise)], axis=2).astype(np.uint8)


class PictureTest(StudioTest):
    def setUp(self):
        super().setUp()
        self.project = self.new_project(landmarks=["nose"])

    def upload(self, data, name):
        return self.client.ask("POST", f"/v1/projects/{self.project}/images", data, 201,
                               name=name)["id"]

    def picture(self, image, what, status=200, **query):
        answer = self.client.request("GET", f"/v1/projects/{self.project}/images/{image}/{what}",
                                     **query)
        self.assertEqual(answer.status, status, answer.body[:300])
        return answer


class Exactness(PictureTest):
    def test_of_small_images_is_complete(self):
        original = pixels.noise(70, 50, 3)
        image = self.upload(pixels.png(original), "a.png")
        preview = self.picture(image, "preview")
        self.assertEqual(preview.type, "image/png")
        self.assertTrue(np.array_equal(pixels.read_png(preview.body), original))

    def test_of_tiles_of_a_photograph_of_12_megapixels_is_complete(self):
        original = photograph(4000, 3000, 1)
        image = self.upload(pixels.png(original), "big.png")
        for column, row in ((0, 0), (3, 2), (7, 0), (0, 5), (7, 5)):
            tile = self.picture(image, f"tiles/{column}/{row}")
            self.assertEqual(tile.type, "image/png")
            left, top = 512 * column, 512 * row
            expected = original[top:top + 512, left:left + 512]
            self.assertTrue(np.array_equal(pixels.read_png(tile.body), expected), (column, row))
        for place in ("8/0", "0/6", "-1/0", "x/0", "99999999999999999999/0"):
            self.picture(image, f"tiles/{place}", 404)
        preview = self.picture(image, "preview")
        self.assertEqual((preview.type, pixels.jpeg_size(preview.body)),
                         ("image/jpeg", (2048, 1536)))
        thumbnail = self.picture(image, "thumbnail")
        self.assertEqual(pixels.jpeg_size(thumbnail.body), (160, 120))

    def test_of_patches_goes_beyond_the_edges(self):
        original = pixels.noise(70, 50, 3)
        image = self.upload(pixels.png(original), "a.png")
        inside = pixels.read_png(self.picture(image, "patch", x=30, y=20, radius=5).body)
        self.assertTrue(np.array_equal(inside, original[15:25, 25:35]))
        corner = pixels.read_png(self.picture(image, "patch", x=0, y=0, radius=8).body)
        self.assertTrue(np.array_equal(corner, np.pad(original, ((8, 0), (8, 0), (0, 0)),
                                                      mode="edge")[:16, :16]))
        large = pixels.read_png(self.picture(image, "patch", x=30, y=20, radius=500).body)
        self.assertEqual(large.shape, (256, 256, 3))
        for query in ({"x": 1}, {"x": 1, "y": "a"}, {"x": 1, "y": 2, "radius": 0},
                      {"x": "nan", "y": 1}, {"x": 1, "y": 2, "radius": 1e9}):
            self.picture(image, "patch", 400, **query)


class Privacy(PictureTest):
    def kept(self):
        return [p for p in (self.folder / "data/cache/previews").rglob("*") if p.is_file()]

    def test_of_images_that_were_removed_is_kept_too(self):
        other = self.new_project(name="other")
        data = pixels.png(photograph(120, 80, 3))
        image = self.upload(data, "a.png")
        copy = self.client.ask("POST", f"/v1/projects/{other}/images", data, 201, name="b.png")
        for what in ("preview", "thumbnail"):
            self.picture(image, what)
        self.client.ask("DELETE", f"/v1/projects/{self.project}/images/{image}", status=204)
        self.assertEqual(len(self.kept()), 2, "another project has the same image")
        self.assertEqual(copy["name"], "b.png")
        self.client.ask("DELETE", f"/v1/projects/{other}", status=204)
        self.assertEqual(self.kept(), [])

    def test_of_photographs_is_kept_for_their_owner(self):
        secret = b"SECRET PLACE"
        plain = pixels.jpeg(photograph(120, 80, 2))
        data = pixels.with_exif(plain, orientation=6, secret=secret)
        self.assertIn(secret, data)
        image = self.upload(data, "a.jpg")
        shown = self.client.get(f"/v1/projects/{self.project}/images/{image}")
        self.assertEqual((shown["width"], shown["height"]), (80, 120), "not turned upright")
        for what, query in (("preview", {}), ("thumbnail", {}), ("tiles/0/0", {}),
                            ("patch", {"x": 9, "y": 9})):
            answer = self.picture(image, what, **query)
            self.assertNotIn(secret, answer.body)
            self.assertNotIn(b"Exif", answer.body)
            if answer.type == "image/jpeg":
                markers = {marker for marker, _ in pixels.jpeg_segments(answer.body)}
                self.assertLessEqual(markers & {0xE1, 0xE2, 0xED, 0xFE}, set())
            else:
                names = {name for name, _ in pixels.png_chunks(answer.body)}
                self.assertEqual(names, {b"IHDR", b"IDAT", b"IEND"})

    def test_of_texts_in_png_files_is_kept(self):
        extra = pixels.chunk(b"tEXt", b"Comment\0SECRET") + pixels.chunk(b"eXIf", b"II*\0\x08\0\0\0\0\0")
        data = pixels.png(pixels.noise(30, 30), extra)
        answer = self.client.request("POST", f"/v1/projects/{self.project}/images", data,
                                     name="a.png")
        if answer.status == 201:
            preview = self.picture(answer.json()["id"], "preview")
            self.assertNotIn(b"SECRET", preview.body)
            self.assertNotIn(b"eXIf", preview.body)
        else:
            self.assertEqual(answer.status, 400)


class Pages(PictureTest):
    def post(self, data, **query):
        return self.client.request("POST", f"/v1/projects/{self.project}/images", data, **query)

    def test_of_a_tiff_file_are_asked_for(self):
        pages = [Image.fromarray(pixels.noise(30, 20, seed)) for seed in range(3)]
        data = io.BytesIO()
        pages[0].save(data, "TIFF", save_all=True, append_images=pages[1:])
        asked = self.post(data.getvalue(), name="stack.tif")
        self.assertEqual((asked.status, asked.json()["pages"]), (409, 3))
        self.assertEqual(self.post(data.getvalue(), name="stack.tif", page=4).status, 400)
        for page in (2, 3):
            answer = self.post(data.getvalue(), name=f"stack-{page}.tif", page=page)
            self.assertEqual(answer.status, 201, answer.body)
            shown = pixels.read_png(self.picture(answer.json()["id"], "preview").body)
            self.assertTrue(np.array_equal(shown, np.asarray(pages[page - 1])))


class DeepPictures(PictureTest):
    """A radiograph with 12 of 16 bits: nearly black unless it is stretched."""

    def setUp(self):
        super().setUp()
        self.deep = np.linspace(100, 4095, 60 * 40).reshape(40, 60).astype(np.uint16)
        data = io.BytesIO()
        Image.fromarray(self.deep).save(data, "PNG")
        self.id = self.upload(data.getvalue(), "film.png")

    def test_are_stretched_by_default(self):
        shown = pixels.read_png(self.picture(self.id, "preview").body)[:, :, 0]
        self.assertEqual((shown.min(), shown.max()), (0, 255))
        values = self.client.get(f"/v1/projects/{self.project}/images/{self.id}/values")
        self.assertEqual((values["deep"], values["least"], values["most"]), (True, 100, 4095))
        self.assertTrue(100 < values["low"] < 150 and 4050 < values["high"] < 4095)
        thumbnail = np.asarray(Image.open(io.BytesIO(self.picture(self.id, "thumbnail").body)))
        self.assertGreater(thumbnail.max(), 240)

    def test_take_a_window(self):
        for what in ("preview", "tiles/0/0"):
            shown = pixels.read_png(self.picture(self.id, what, low=1000, high=2000).body)[:, :, 0]
            self.assertTrue(np.array_equal(shown == 0, self.deep <= 1001))
            self.assertTrue(np.array_equal(shown == 255, self.deep >= 1999))
        for query in ({"low": 5}, {"low": 7, "high": 7}, {"low": -1, "high": 9}, {"low": 0, "high": 70000}):
            self.picture(self.id, "preview", 400, **query)

    def test_others_take_none(self):
        plain = self.upload(pixels.png(pixels.noise(30, 30)), "plain.png")
        self.picture(plain, "preview", 400, low=0, high=9)
        self.assertEqual(self.client.get(f"/v1/projects/{self.project}/images/{plain}/values"), {"deep": False})


class Dicom(PictureTest):
    def setUp(self):
        super().setUp()
        self.film = np.linspace(0, 3000, 50 * 30).reshape(30, 50).astype(np.uint16)

    def stored(self):
        return b"".join(path.read_bytes() for path in (self.folder / "data").rglob("*") if path.is_file())

    def test_gives_pixels_and_scale_and_nothing_of_a_patient(self):
        data = dicom_files.dicom(self.film, spacing=(0.125, 0.125))
        image = self.client.get(f"/v1/projects/{self.project}/images/{self.upload(data, 'film.dcm')}")
        self.assertEqual((image["width"], image["height"], image["mm_per_pixel"]), (50, 30, 0.125))
        shown = pixels.read_png(self.picture(image["id"], "preview").body)[:, :, 0].astype(int)
        self.assertTrue((np.diff(shown.reshape(-1)) >= 0).all(), "not in the order of brightness")
        self.assertEqual((shown.min(), shown.max()), (0, 255))
        self.assertNotIn(b"SECRET", self.stored())

    def test_is_shown_bright_where_it_says_so(self):
        image = self.upload(dicom_files.dicom(self.film, inverted=True), "inverted.dcm")
        shown = pixels.read_png(self.picture(image, "preview").body)[:, :, 0].astype(int)
        self.assertTrue((np.diff(shown.reshape(-1)) <= 0).all())

    def test_may_be_jpeg(self):
        gray = (self.film // 12).astype(np.uint8)
        jpeg = io.BytesIO()
        Image.fromarray(gray).save(jpeg, "JPEG", quality=95)
        image = self.upload(dicom_files.dicom(self.film, jpeg=jpeg.getvalue()), "jpeg.dcm")
        shown = pixels.read_png(self.picture(image, "preview").body)[:, :, 0].astype(float)
        self.assertGreater(np.corrcoef(shown.reshape(-1), gray.reshape(-1))[0, 1], 0.999)

    def test_has_no_scale_where_pixels_are_not_square(self):
        image = self.upload(dicom_files.dicom(self.film, spacing=(0.1, 0.2)), "oblong.dcm")
        self.assertIsNone(self.client.get(f"/v1/projects/{self.project}/images/{image}")["mm_per_pixel"])

    def test_of_several_frames_asks_which(self):
        data = dicom_files.dicom(np.stack([self.film, self.film[::-1]]), frames=2)
        asked = self.client.request("POST", f"/v1/projects/{self.project}/images", data, name="two.dcm")
        self.assertEqual((asked.status, asked.json()["pages"]), (409, 2))
        second = self.client.ask("POST", f"/v1/projects/{self.project}/images", data, 201, name="two.dcm", page=2)
        shown = pixels.read_png(self.picture(second["id"], "preview").body)[:, :, 0].astype(int)
        self.assertGreater(shown[0].mean(), shown[-1].mean())

    def test_that_is_damaged_is_refused_by_name_and_the_server_goes_on(self):
        data = dicom_files.dicom(self.film)
        for end in (132, 140, 300, len(data) - 500):
            answer = self.client.request("POST", f"/v1/projects/{self.project}/images", data[:end],
                                         name="broken.dcm")
            self.assertEqual(answer.status, 400, answer.body)
            self.assertIn("broken.dcm", answer.json()["error"]["message"])
        self.upload(data, "whole.dcm")


class Caching(PictureTest):
    def test_asks_whether_what_a_browser_has_is_still_right(self):
        image = self.upload(pixels.png(pixels.noise(30, 30)), "a.png")
        first = self.picture(image, "thumbnail")
        self.assertEqual(first.headers["Cache-Control"], "private, no-cache")
        again = self.client.request("GET", f"/v1/projects/{self.project}/images/{image}/thumbnail",
                                    headers={"If-None-Match": first.headers["ETag"]})
        self.assertEqual((again.status, again.body), (304, b""))

    def test_survives_damage_and_loss_of_the_cache(self):
        image = self.upload(pixels.png(pixels.noise(300, 300)), "a.png")
        first = self.picture(image, "thumbnail").body
        kept = [path for path in (self.folder / "data/cache/previews").rglob("*") if path.is_file()]
        self.assertEqual(len(kept), 1)
        kept[0].write_bytes(first[:100])
        self.assertEqual(self.picture(image, "thumbnail").body, first)
        kept[0].unlink()
        self.assertEqual(self.picture(image, "thumbnail").body, first)


if __name__ == "__main__":
    unittest.main()
