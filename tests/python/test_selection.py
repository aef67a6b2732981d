"""Conformal selection, of numbers and of landmarks, against its definition and the program."""

import json
import pickle
from fractions import Fraction

import numpy as np
import pytest

import caos
from face_support import fixture_embedded, fixture_faces  # noqa: F401


def by_definition(errors, confidence, new, q):
    """Jin and Candes' p-values and Benjamini and Hochberg's rule, slowly and exactly."""
    n, m = len(errors), len(new)
    p = [Fraction(1 + sum(bool(e) and t >= s for e, t in zip(errors, confidence)), n + 1)
         for s in new]
    for r in range(m, 0, -1):
        if sum(one <= q * r / m for one in p) >= r:
            return p, [one <= q * r / m for one in p]
    return p, [False] * m


class TestSelection:
    def test_is_that_of_the_definition_with_ties(self):
        rng = np.random.default_rng(3)
        for _ in range(200):
            n, m = rng.integers(19, 60), rng.integers(1, 30)
            errors = rng.random(n) < 0.2
            confidence, new = rng.integers(5, size=n), rng.integers(5, size=m)
            for text in ("0.05", "0.1", "0.15", "0.5"):
                found = caos.conformal_selection(errors, confidence, new, text)
                p, accepted = by_definition(errors, confidence, new, Fraction(text))
                np.testing.assert_array_equal(found.accepted, accepted)
                np.testing.assert_allclose(found.p_values, [float(one) for one in p])

    def test_takes_numbers_for_errors_and_says_what_it_is(self):
        found = caos.conformal_selection([0, 1, 0, 0], [0.9, 0.1, 0.8, 0.7], [0.95, 0.05], q=0.4)
        assert found.accepted.tolist() == [True, True]
        assert found.p_values.tolist() == [0.2, 0.4]
        assert (len(found), found.num_calibration, found.q, found.feasible) == (2, 4, 0.4, True)
        assert found.guarantee == "FDR"
        assert "fixed before results were seen" in found.assumption
        assert repr(found) == "Selection(2 of 2 accepted, q 0.4, guarantee FDR)"

    def test_survives_pickle(self):
        found = caos.conformal_selection([True, False], [0, 1], [2, 0], 0.5, reviewed=True)
        again = pickle.loads(pickle.dumps(found))
        assert repr(again) == repr(found)
        np.testing.assert_array_equal(again.p_values, found.p_values)
        np.testing.assert_array_equal(again.accepted, found.accepted)

    def test_warns_of_too_few_examples(self):
        with pytest.warns(UserWarning, match="at least 19 are needed"):
            found = caos.conformal_selection([False] * 18, np.ones(18), np.ones(3), 0.05)
        assert not found.feasible and not found.accepted.any()

    @pytest.mark.parametrize("changed, reviewed, why", [
        (["q"], False, "q was changed after results were seen"),
        (["tolerance"], False, "the tolerance was changed after results were seen"),
        (["candidates"], False, "the candidates were changed after results were seen"),
        (["examples"], False, "the labeled examples were changed after results were seen"),
        (["proposals"], False, "references or settings of the predictions were changed after "
         "results were seen"),
        ([], True, "a candidate was reviewed before the decision")])
    def test_has_no_guarantee_after_a_look(self, changed, reviewed, why):
        found = caos.conformal_selection([True, False], [0, 1], [2], 0.5, changed=changed,
                                         reviewed=reviewed)
        assert found.guarantee == f"none ({why})"

    @pytest.mark.parametrize("arguments, options, message", [
        (([2, 0], [0, 1], [2], 0.5), {}, "errors: element 0 is 2; expected True or False"),
        (([1], [0, 1], [2], 0.5), {}, "confidence_cal: there are 2; errors has 1"),
        (([1], [np.nan], [2], 0.5), {}, "the confidence of calibration example 0 is NaN"),
        (([1], [0], [np.nan], 0.5), {}, "the confidence of candidate 0 is NaN"),
        (([1], [0], [[1]], 0.5), {}, "confidence_new"),
        (([1], [0], [1], 1.5), {}, "q: is 1.5; expected a decimal between 0 and 1"),
        (([1], [0], [1], 0.5), {"changed": ["mind"]}, "changed: unknown item 'mind'")])
    def test_refuses_what_makes_no_sense(self, arguments, options, message):
        with pytest.raises(ValueError, match=message):
            caos.conformal_selection(*arguments, **options)


class TestAcceptance:
    def accept(self, faces, embedded, **more):
        new = caos.patches.embed(faces.folder / "new", cell=16)
        return caos.patches.accept(embedded, faces.points, new,
                                   **({"tolerance": 4, "q": 0.2, "landmarks": faces.names,
                                       "score": "cosine"} | more))

    def test_is_that_of_the_program(self, faces, embedded, program, tmp_path):
        file = tmp_path / "accepted.json"
        program.json("landmarks", "accept", "--images", faces.folder / "labeled", "--landmarks",
                     faces.folder / "labeled.csv", "--candidates", faces.folder / "new",
                     "--tolerance", "4px", "--fdr", "0.2", "--seed", "2", "--score", "cosine",
                     "--out", file)
        said = json.loads(file.read_text())
        found = self.accept(faces, embedded, seed=2)
        assert [embedded.names[i] for i in found.references] == said["references"]
        assert found.landmarks == [one["landmark"] for one in said["landmarks"]]
        points = [image["landmarks"] for image in said["candidates"]]
        np.testing.assert_array_equal(found.points,
                                      [[[p["x"], p["y"]] for p in row] for row in points])
        for key, values in (("accepted", found.accepted), ("p_value", found.p_values)):
            np.testing.assert_array_equal(values, [[p[key] for p in row] for row in points])
        np.testing.assert_array_equal(found.image_accepted,
                                      [image["accepted"] for image in said["candidates"]])
        np.testing.assert_array_equal(found.image_p_values,
                                      [image["p_value"] for image in said["candidates"]])
        assert (found.guarantee, found.assumption) == (said["guarantee"], said["assumption"])
        assert said["points_claim"] in str(found) and said["images_claim"] in str(found)
        assert (found.num_calibration, found.feasible) == (said["num_calibration"], True)
        assert (found.q, found.tolerance, found.left_out) == (0.2, "4px", [])

    def test_takes_references_and_tolerances_in_several_ways(self, faces, embedded):
        one = self.accept(faces, embedded, reference_indices=range(10))
        drawn = "division into references and calibration images was drawn at random"
        assert drawn in one.assumption
        assert one.assumption in str(one)
        assert one.references.tolist() == list(range(10))
        assert len(self.accept(faces, embedded, references=8).references) == 8
        scales = np.full(len(embedded), 0.5)
        other = self.accept(faces, embedded, reference_indices=range(10), tolerance="2mm",
                            scales=scales)
        np.testing.assert_array_equal(other.p_values, one.p_values)
        ends = f"{faces.names[0]}-{faces.names[1]}"
        assert self.accept(faces, embedded, tolerance=f"3%:{ends}").tolerance == f"3%:{ends}"

    def test_refuses_candidates_that_are_labeled(self, faces, embedded):
        new = caos.patches.embed([faces.folder / "new" / "face_0000.jpg",
                                  faces.folder / "labeled" / embedded.names[3]]
                                 if (faces.folder / "new" / "face_0000.jpg").exists()
                                 else [faces.folder / "labeled" / embedded.names[3]], cell=16)
        with pytest.raises(ValueError, match="is also labeled, as image 3"):
            caos.patches.accept(embedded, faces.points, new, 4, 0.2)

    def test_takes_subjects_of_all_images_or_none(self, faces, embedded):
        count = len(embedded) + len(caos.patches.embed(faces.folder / "new", cell=16))
        found = self.accept(faces, embedded, subjects=range(count))
        assert "every subject has one image" in found.assumption
        with pytest.raises(ValueError, match=f"image {len(embedded)} is not known"):
            self.accept(faces, embedded,
                        subjects=[*range(len(embedded)), *[None] * (count - len(embedded))])
        assert "subject" not in self.accept(faces, embedded, subjects=[None] * count).assumption

    def test_has_no_guarantee_after_a_review(self, faces, embedded):
        found = self.accept(faces, embedded, reviewed=True)
        assert found.guarantee == "none (a candidate was reviewed before the decision)"
        assert "Among the accepted" not in str(found)

    def test_counts_absent_landmarks_as_wrong(self, faces, embedded):
        points = faces.points.copy()
        points[10:, 0] = np.nan
        new = caos.patches.embed(faces.folder / "new", cell=16)
        found = caos.patches.accept(embedded, points, new, 50, 0.2, reference_indices=range(10))
        assert (found.p_values[:, 1] == 1 / 15).all() and found.accepted[:, 1].all()
        assert found.p_values[:, 0].max() > 0.2

    @pytest.mark.parametrize("changed, message", [
        ({"tolerance": "4"}, "expected a positive number with its unit"),
        ({"tolerance": -1}, "expected a positive number"),
        ({"tolerance": "2mm"}, "has no scale"),
        ({"references": 1.5}, "references: is 1.5"),
        ({"references": 24}, "24 references of 24 labeled images"),
        ({"scales": [1, 2]}, "scales: there are 2; expected 24"),
        ({"subjects": [0] * 30}, "subjects: a subject has several images; keep one of them at ")])
    def test_refuses_what_makes_no_sense(self, faces, embedded, changed, message):
        with pytest.raises(ValueError, match=message):
            self.accept(faces, embedded, **changed)

    def test_needs_embedded_images(self, faces, embedded):
        with pytest.raises(ValueError, match="labeled: expected what caos.patches.embed returns"):
            caos.patches.accept(embedded.embeddings, faces.points, embedded, 4, 0.2)
