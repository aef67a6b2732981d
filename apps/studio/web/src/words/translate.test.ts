import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogs, german } from "./german";
import { Translator } from "./translate";

const translator = new Translator({
  Images: "Bilder",
  "{} images": "{} Bilder",
  "{} stored": "{} gespeichert",
  "{}; {} skipped:": "{}; {} übersprungen:",
  "{} of {}": "{} von {}",
});

test("texts of the catalog are exchanged, with the spaces around them", () => {
  assert.equal(translator.translate("Images"), "Bilder");
  assert.equal(translator.translate(" Images\n"), " Bilder\n");
});

test("what stands for a number or a name may be an entry itself", () => {
  assert.equal(translator.translate("12 images stored"), "12 Bilder gespeichert");
  assert.equal(
    translator.translate("3 images stored; 1 file skipped:"),
    "3 Bilder gespeichert; 1 file übersprungen:",
  );
  assert.equal(translator.translate("3 of 12"), "3 von 12");
});

test("parts of a sentence are sentences again, with the spaces between them", () => {
  const parts = new Translator({
    "A region contains its landmark.{}": "Eine Region enthält ihre Landmarke.{}",
    "It holds for {}.": "Das gilt für {}.",
    "a landmark that is present, in {}": "eine vorhandene Landmarke in {}",
    "an image": "einem Bild",
  });
  assert.equal(
    parts.translate("A region contains its landmark. It holds for a landmark that is present, in an image."),
    "Eine Region enthält ihre Landmarke. Das gilt für eine vorhandene Landmarke in einem Bild.",
  );
});

test("other texts stay as they are", () => {
  for (const text of ["", " ", "left_pupil", "face.jpg", "90 %"]) {
    assert.equal(translator.translate(text), text);
  }
});

test("a short pattern does not tear a sentence that is not in the catalog", () => {
  for (const text of ["Pairs of points that are apart", "The next of the order", "Sorted by images"]) {
    assert.equal(translator.translate(text), text);
  }
});

test("both languages of every entry have the same places, and neither is empty", () => {
  for (const [english, words] of Object.entries(german)) {
    assert.notEqual(words.trim(), "", english);
    assert.equal(english.split("{}").length, words.split("{}").length, english);
    assert.doesNotMatch(words, /\bthe\b|\band\b/, english);
  }
});

test("every text is in one catalog only", () => {
  const keys = catalogs.flatMap((catalog) => Object.keys(catalog));
  const twice = keys.filter((key, index) => keys.indexOf(key) !== index);
  assert.deepEqual(twice, []);
});
