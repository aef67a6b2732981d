"""Texts: models, sets, stores and evaluations are those of the program, bit for bit."""

import contextlib
import json
import pickle
import warnings

import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caos
import caos.text
from text_data import MESSAGES, command, few, gguf, messages  # noqa: F401 (fixtures)


@pytest.fixture(params=["builtin", "gguf"])
def model(request):
    """Language models that need no network."""
    return "builtin" if request.param == "builtin" else request.getfixturevalue("gguf")


def rows_of(program, *arguments):
    result = program.run("text", "predict", *arguments, "--quiet")
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def calibrate_with_program(program, data, path, *more):
    return program.json("text", "calibrate", *data.options("--out", path), *more)


# Models.


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("groups", [None, "labels"])
def test_models_are_those_of_the_program(model, k, groups, few, program, tmp_path):
    said = calibrate_with_program(program, few, tmp_path / "theirs.caos", "--model", model, "--k",
                                  k, *(["--groups", "labels"] if groups else []))
    mine = few.calibrate(model=model, k=k, groups=groups)
    mine.save(tmp_path / "mine.caos")
    assert (tmp_path / "mine.caos").read_bytes() == (tmp_path / "theirs.caos").read_bytes()
    assert mine.scorer.identity == said["model_identity"]
    assert mine.scorer.description == said["model_description"]
    tally = mine.scorer.tally
    assert (tally.pairs, tally.pairs_computed, tally.tokens, tally.shortened) == (
        said["pairs"], said["pairs_computed"], said["tokens"], said["shortened"])
    assert mine.k == k and len(mine) == 12
    assert list(mine.label_names) == few.label_names
    assert mine.examples == list(zip(few.texts, few.labels))
    assert mine.ids == few.ids


@pytest.mark.parametrize("normalization", ["sum", "per-byte", "pmi", "softmax"])
def test_normalizations_are_those_of_the_program(normalization, few, program, tmp_path):
    calibrate_with_program(program, few, tmp_path / "theirs.caos", "--normalization", normalization)
    few.calibrate(normalization=normalization).save(tmp_path / "mine.caos")
    assert (tmp_path / "mine.caos").read_bytes() == (tmp_path / "theirs.caos").read_bytes()


def test_prompts_are_texts_or_files(few, gguf, program, tmp_path):
    text = "{reference_text} is {reference_label}.\n{text} is\n"
    file = tmp_path / "prompt.txt"
    file.write_text(text, encoding="utf-8")
    calibrate_with_program(program, few, tmp_path / "theirs.caos", "--model", gguf, "--template",
                           file)
    theirs = (tmp_path / "theirs.caos").read_bytes()
    for prompt in (text, file, str(file)):
        mine = few.calibrate(model=gguf, prompt=prompt)
        assert mine.scorer.prompt == text
        mine.save(tmp_path / "mine.caos")
        assert (tmp_path / "mine.caos").read_bytes() == theirs


def test_the_context_goes_to_the_model(few, gguf, program, tmp_path):
    calibrate_with_program(program, few, tmp_path / "theirs.caos", "--model", gguf,
                           "--context", 120)
    mine = few.calibrate(model=gguf, context=120)
    assert mine.scorer.tally.shortened > 0
    mine.save(tmp_path / "mine.caos")
    assert (tmp_path / "mine.caos").read_bytes() == (tmp_path / "theirs.caos").read_bytes()


@pytest.mark.parametrize("method", ["caos", "full-caos"])
def test_sets_p_values_and_support_are_those_of_the_program(model, method, few, program, tmp_path):
    path = tmp_path / "model.caos"
    mine = few.calibrate(model=model, groups="labels" if method == "caos" else None)
    mine.save(path)
    rows = rows_of(program, path, few.new_file, "--alpha", "0.2,0.4", "--method", method)
    with pytest.warns(UserWarning, match="needed") if method == "caos" else no_warning():
        sets = mine.predict_set(few.new, alpha=[0.2, 0.4], method=method)
    p_values = mine.predict_p(few.new, method=method)
    points = mine.predict(few.new)
    references = mine.supporting_references(few.new)
    for i, row in enumerate(rows):
        t, a = divmod(i, 2)
        assert sets[a][t] == row["set"]
        assert sets[a].alpha == row["alpha"] and sets[a].guarantee == row["guarantee"]
        assert points[t] == row["prediction"]
        for y, label in enumerate(mine.label_names):
            said = row["p_values"][label]
            assert said is None or said == p_values[t, y]
            assert said is None or (p_values[t, y] > row["alpha"]) == (label in row["set"])
            assert row["supporting_references"][label] == [
                {"id": one.id, "label": one.label, "score": one.score}
                for one in references[t][label]]
            assert [few.texts[one.example] for one in references[t][label]] == [
                one.text for one in references[t][label]]
    assert sets[0].label_names == tuple(few.label_names)
    assert sets[0].covers(points).dtype == bool


@contextlib.contextmanager
def no_warning():
    """In place of pytest.warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_all_messages_have_the_sets_of_the_program(program, tmp_path):
    task = caos.text.read_task(MESSAGES / "task.json")
    table = caos.text.read_table(MESSAGES / "messages.csv", text_columns=task.text_columns,
                                 label_column=task.label_column, id_column="id")
    new = caos.text.read_table(MESSAGES / "new.csv", id_column="id")
    mine = caos.text.calibrate(table.texts, table.labels, label_names=task.label_names,
                               ids=table.ids)
    program.json("text", "calibrate", "--train", MESSAGES / "messages.csv", "--id-column", "id",
                 "--out", tmp_path / "model.caos")
    rows = rows_of(program, tmp_path / "model.caos", MESSAGES / "new.csv", "--alpha", "0.1")
    assert list(mine.predict_set(new.texts, 0.1)) == [row["set"] for row in rows]


@pytest.mark.parametrize("load", [caos.text.load, caos.text.TextCalibration.load])
def test_models_go_both_ways_between_package_and_program(load, few, program, tmp_path):
    calibrate_with_program(program, few, tmp_path / "theirs.caos", "--groups", "labels")
    loaded = load(tmp_path / "theirs.caos")
    mine = few.calibrate(groups="labels")
    np.testing.assert_array_equal(loaded.scores, mine.scores)
    np.testing.assert_array_equal(loaded.predict_p(few.new), mine.predict_p(few.new))
    assert loaded.guarantee == "group-conditional"
    for label in few.label_names:
        assert loaded.threshold(0.4, label=label) == mine.threshold(0.4, label=label)
    loaded.save(tmp_path / "again.caos")
    assert (tmp_path / "again.caos").read_bytes() == (tmp_path / "theirs.caos").read_bytes()
    said = program.json("inspect", tmp_path / "again.caos")
    assert said["kind"] == "text model" and said["k"] == loaded.k


# Labels that merely occur.


def test_labels_that_merely_occur_are_a_risk_that_is_told(few, program, tmp_path):
    with pytest.warns(UserWarning, match="missed on top of alpha; name all of them"):
        mine = caos.text.calibrate(few.texts, few.labels, ids=few.ids)
    assert mine.labels_from_train
    assert list(mine.label_names) == sorted(set(few.labels))
    mine.save(tmp_path / "mine.caos")
    calibrate_with_program(program, few, tmp_path / "theirs.caos", "--labels-from", "train")
    assert (tmp_path / "mine.caos").read_bytes() == (tmp_path / "theirs.caos").read_bytes()
    with pytest.warns(UserWarning, match="missed on top of alpha"):
        assert caos.text.load(tmp_path / "mine.caos").labels_from_train
    assert not few.calibrate().labels_from_train
    words = "marginal for listed labels (1 - alpha - P(label not in the list))"
    assert mine.guarantee == words
    assert words in repr(mine)
    assert few.calibrate().guarantee == "marginal"
    sets = mine.predict_set(few.texts[:3], alpha=0.2)
    assert sets.guarantee == words
    assert pickle.loads(pickle.dumps(sets)).guarantee == words


# Stores.


def test_stores_are_shared_with_the_program(model, few, program, tmp_path):
    store = tmp_path / "scores"
    said = program.json("text", "score", *few.options("--model", model, "--out", store))
    scorer = caos.text.TextScorer(few.label_names, model, store=store)
    assert scorer.store_path == said["store"]
    scorer.score_labeled(few.texts, few.labels)
    assert scorer.tally.pairs == scorer.tally.pairs_from_store == said["pairs"]
    assert scorer.tally.tokens == 0
    scorer.score(few.texts, few.labels, few.new)
    calibrate_with_program(program, few, tmp_path / "model.caos", "--model", model)
    again = program.json("text", "predict", tmp_path / "model.caos", few.new_file, "--store", store,
                         "--out", tmp_path / "sets.csv")
    assert again["pairs_computed"] == 0


def test_a_second_run_evaluates_nothing(model, few, tmp_path):
    first = few.calibrate(model=model, store=tmp_path / "scores")
    p_values = first.predict_p(few.new, method="full-caos")
    second = few.calibrate(model=model, store=tmp_path / "scores")
    np.testing.assert_array_equal(second.predict_p(few.new, method="full-caos"), p_values)
    assert first.scorer.tally.pairs_computed == second.scorer.tally.pairs_from_store
    assert second.scorer.tally.tokens == second.scorer.tally.pairs_computed == 0


def test_what_is_in_memory_is_not_computed_again_either(few):
    scorer = caos.text.TextScorer(few.label_names)
    assert scorer.store_path is None
    scorer.score_labeled(few.texts, few.labels)
    caos.text.calibrate(few.texts, few.labels, model=scorer)
    caos.text.evaluate(few.texts, few.labels, model=scorer, test_size=3, alpha=0.4)
    assert scorer.tally.pairs_computed == 12 * 11
    assert scorer.tally.pairs == 3 * 12 * 11


def test_plans_say_what_a_dry_run_says(model, few, program, tmp_path):
    store = tmp_path / "scores"
    said = program.json("text", "score", *few.options("--model", model, "--out", store),
                        "--dry-run")
    scorer = caos.text.TextScorer(few.label_names, model, store=store)
    plan = scorer.plan(few.texts, few.labels)
    for key in ("pairs", "pairs_in_store", "pairs_to_compute", "prompts", "tokens",
                "tokens_separately", "shortened", "requests", "bytes_sent"):
        assert getattr(plan, key) == said[key], key
    assert plan.sends_texts_to is said["sent_to"] is None
    assert plan.estimated_seconds > 0
    scorer.score_labeled(few.texts[:5], few.labels[:5])
    assert scorer.plan(few.texts, few.labels).pairs_in_store == 20


# Scores as arrays.


def test_scores_are_those_that_calibrations_are_made_of(model, few):
    scorer = caos.text.TextScorer(few.label_names, model)
    labeled = scorer.score_labeled(few.texts, few.labels)
    n, num_labels = len(few.texts), len(few.label_names)
    assert labeled.shape == (n, num_labels, n) and labeled.dtype == np.float64
    assert np.isinf(labeled[range(n), :, range(n)]).all()
    arrays = caos.calibrate(labeled, few.numbers)
    texts = caos.text.calibrate(few.texts, few.labels, model=scorer)
    np.testing.assert_array_equal(arrays.scores, texts.scores)
    test = scorer.score(few.texts, few.labels, few.new)
    np.testing.assert_array_equal(arrays.predict_p(test), texts.predict_p(few.new))
    np.testing.assert_array_equal(arrays.predict_set(test, 0.3).mask,
                                  texts.predict_set(few.new, 0.3).mask)
    assert arrays.threshold(0.3) == texts.threshold(0.3)


def test_own_scores_are_the_reverse_scores_of_full_caos(few):
    scorer = caos.text.TextScorer(few.label_names)
    candidates = [(text, label) for text in few.new for label in few.label_names]
    reverse = scorer.score_own(*zip(*candidates), few.texts, few.labels)
    assert reverse.shape == (len(candidates), len(few.texts))
    arrays = caos.calibrate(scorer.score_labeled(few.texts, few.labels), few.numbers)
    expected = arrays.predict_p(scorer.score(few.texts, few.labels, few.new), method="full-caos",
                                reverse=reverse.reshape(len(few.new), len(few.label_names), -1))
    texts = caos.text.calibrate(few.texts, few.labels, model=scorer)
    np.testing.assert_array_equal(texts.predict_p(few.new, method="full-caos"), expected)


# Few words, so that texts are equal and scores are tied.
TEXTS = st.sampled_from(["", "red", "blue", "red blue", "blue red", "dark red", "a", "dark a"])
LABELS = ["red", "blue", "dark"]
LABELED = st.lists(st.tuples(TEXTS, st.sampled_from(LABELS)), min_size=4, max_size=9)
METHODS = st.sampled_from(["caos", "full-caos"])


@given(LABELED, st.lists(TEXTS, max_size=4), st.integers(1, 3), METHODS, st.booleans())
def test_texts_are_predicted_as_their_scores_are(labeled, new, k, method, by_label):
    texts, labels = zip(*labeled)
    groups = "labels" if by_label else None
    calibration = caos.text.calibrate(texts, labels, label_names=LABELS, k=k, groups=groups)
    scorer = calibration.scorer
    arrays = caos.calibrate(scorer.score_labeled(texts, labels),
                            [LABELS.index(label) for label in labels], k=k, groups=groups)
    np.testing.assert_array_equal(calibration.scores, arrays.scores)
    test = scorer.score(texts, labels, new)
    reverse = scorer.score_own([text for text in new for _ in LABELS], LABELS * len(new), texts,
                               labels).reshape(test.shape)
    np.testing.assert_array_equal(
        calibration.predict_p(new, method=method),
        arrays.predict_p(test, method=method, reverse=reverse))
    for alpha in (0.4, 0.2):
        np.testing.assert_array_equal(
            sets_of(calibration, new, alpha, method=method),
            sets_of(arrays, test, alpha, method=method, reverse=reverse))


def sets_of(calibration, inputs, alpha, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of infeasible alphas
        return calibration.predict_set(inputs, alpha, **more).mask


@given(LABELED, st.integers(1, 3), st.booleans())
def test_the_order_of_joining_does_not_matter(labeled, k, by_label):
    texts, labels = zip(*labeled)
    more = {"label_names": LABELS, "k": k, "groups": "labels" if by_label else None}
    hypothesis.assume(len(texts) >= k + 2)
    grown = caos.text.calibrate(texts[:-1], labels[:-1], **more)
    grown.add_example(texts[-1], labels[-1])
    again = caos.text.calibrate(texts, labels, **more)
    np.testing.assert_array_equal(grown.scores, again.scores)
    assert grown.examples == again.examples


# Texts that join.


@pytest.mark.parametrize("groups", [None, "labels"])
@pytest.mark.parametrize("saved", [False, True])
def test_texts_that_join_change_it_as_calibrating_from_scratch_does(groups, saved, few, tmp_path):
    path = tmp_path / "model.caos"
    grown = caos.text.calibrate(few.texts[:6], few.labels[:6], label_names=few.label_names,
                                ids=few.ids[:6], groups=groups)
    if saved:
        grown.save(path)
        grown = caos.text.load(path)
    for text, label, name in list(zip(few.texts, few.labels, few.ids))[6:]:
        grown.add_example(text, label, id=name)
    grown.save(path)
    few.calibrate(groups=groups).save(tmp_path / "again.caos")
    assert path.read_bytes() == (tmp_path / "again.caos").read_bytes()


def test_texts_that_join_without_a_name_are_called_by_their_number(few):
    calibration = caos.text.calibrate(few.texts, few.labels, label_names=few.label_names)
    calibration.add_example("where is it?", "delivery")
    assert calibration.ids == [str(i) for i in range(1, 14)]
    assert calibration.examples[-1] == ("where is it?", "delivery")


# Evaluations.


@pytest.mark.parametrize("more", [
    {}, {"seed": 5, "k": 2}, {"groups": "labels"}, {"clip_rank": True, "alpha": 0.01},
    {"methods": ["full-caos", "caos", "split-caos", "split-caos-cal", "split-caos-ref"], "k": 1}])
def test_evaluations_are_those_of_the_program(more, messages, program):
    with pytest.warns(UserWarning, match="needed"):
        found = caos.text.evaluate(messages.texts, messages.labels,
                                   label_names=messages.label_names, **more)
    methods = list(dict.fromkeys(result["method"] for result in found.to_dicts()))
    options = {"groups": ["--groups", "labels"], "clip_rank": ["--clip-rank"]}
    arguments = []
    for key, value in ({"alpha": ["0.05", "0.1", "0.2"], "methods": methods} | more).items():
        words = ",".join(value) if isinstance(value, list) else value
        arguments += options.get(key, [f"--{key}", words])
    said = program.json("text", "evaluate", *messages.options(*arguments))
    assert found.to_dicts() == said["results"]
    assert (found.n, found.num_test, found.k) == (said["n"], said["num_test"], said["k"])
    assert list(found.label_names) == said["labels"]


def test_evaluations_with_a_model_file_are_those_of_the_program(few, gguf, program):
    said = program.json("text", "evaluate", *few.options(
        "--model", gguf, "--test-size", 3, "--alpha", 0.4, "--k", 2, "--methods", "full-caos,scos"))
    found = caos.text.evaluate(few.texts, few.labels, label_names=few.label_names, model=gguf,
                               test_size=3, alpha=0.4, k=2, methods=["full-caos", "scos"])
    assert found.to_dicts() == said["results"]


def test_several_seeds_are_scored_once(messages):
    scorer = caos.text.TextScorer(messages.label_names)
    several = caos.text.evaluate(messages.texts, messages.labels, model=scorer, seed=range(3),
                                 alpha=0.3)
    assert scorer.tally.pairs == 40 * 39
    for seed, found in enumerate(several):
        alone = caos.text.evaluate(messages.texts, messages.labels, model=scorer, seed=seed,
                                   alpha=0.3)
        assert alone.to_dicts() == found.to_dicts()


# Tables.


def test_tables_are_read_as_the_program_reads_them(tmp_path):
    (tmp_path / "a.csv").write_text('title,body,kind\nA,"b, c",x\n"",d,y\n', encoding="utf-8")
    (tmp_path / "a.jsonl").write_text('{"text": "ä", "n": 7}\n', encoding="utf-8")
    texts, labels, ids = caos.text.read_table(tmp_path / "a.csv", text_columns=["body", "title"],
                                              label_column="kind")
    assert (texts, labels, ids) == (["body: b, c\ntitle: A", "body: d\ntitle: "], ["x", "y"],
                                    ["1", "2"])
    assert caos.text.read_table(str(tmp_path / "a.csv"), text_columns="body").labels is None
    assert caos.text.read_table(tmp_path / "a.jsonl", id_column="n") == (["ä"], None, ["7"])


def test_tasks_say_columns_and_labels(tmp_path):
    task = caos.text.read_task(MESSAGES / "task.json")
    assert (task.name, task.text_columns, task.label_column) == ("messages", ["text"], "label")
    assert len(task.label_names) == 6
    path = tmp_path / "task.json"
    path.write_text('{"label_columns": {"a": ["x", "y"], "b": ["u", "v"]}}', encoding="utf-8")
    assert caos.text.read_task(path, label_column="b") == (None, None, "b", ["u", "v"])
    path.write_text('{"labels": ["x", "y"]}', encoding="utf-8")
    assert caos.text.read_task(path) == (None, None, None, ["x", "y"])
