"""What is shown of images: the right pixels, and nothing but pixels."""

import unittest

import numpy as np

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
