"""Full conformal classification as it is defined, in plain Python, and small tasks for it."""

import json
from fractions import Fraction
from math import exp, inf, sqrt

import numpy as np

import support


def nearest_sum(distances, k):
    """The sum of the k smallest, the last of fewer repeated; nothing without any."""
    found = sorted(distances)[:k]
    return sum(found + [found[-1]] * (k - len(found))) if found else None


def euclidean(a, b):
    return sqrt(sum((x - y) ** 2 for x, y in zip(a, b)))


def manhattan(a, b):
    return float(sum(abs(x - y) for x, y in zip(a, b)))


def ratio_score(rows, labels, i, k=1, distance=euclidean):
    others = [j for j in range(len(rows)) if j != i]
    same = nearest_sum([distance(rows[i], rows[j]) for j in others if labels[j] == labels[i]], k)
    other = nearest_sum([distance(rows[i], rows[j]) for j in others if labels[j] != labels[i]], k)
    if same is None:
        return inf
    if other is None:
        return 0.0
    if other == 0:
        return 1.0 if same == 0 else inf
    return same / other


def cosine(a, b):
    dot = sum(x * y for x, y in zip(a, b))
    return dot / sqrt(sum(x * x for x in a) * sum(y * y for y in b))


def priors(x, names, num_labels, temperature, weight):
    """b p0 of every label; names are the labels' vectors, or nothing."""
    if names is None:
        return [weight / num_labels] * num_labels
    terms = [exp(cosine(x, name) / temperature) for name in names]
    return [weight * term / sum(terms) for term in terms]


def kernel_score(rows, labels, i, num_labels, temperature=0.1, weight=0.001, names=None):
    own = priors(rows[i], names, num_labels, temperature, weight)[labels[i]]
    whole = weight
    for j, row in enumerate(rows):
        if j == i:
            continue
        vote = exp((cosine(rows[i], row) - 1) / temperature)
        whole += vote
        own += vote if labels[j] == labels[i] else 0
    return -own / whole


def p_value(rows, labels, x, y, score, is_peer=lambda i: True):
    """Of label y of x: it joins the examples, and each is scored given all others."""
    rows, labels = [*rows, x], [*labels, y]
    scores = [score(rows, labels, i) for i in range(len(rows))]
    peers = [i for i in range(len(rows) - 1) if is_peer(i)]
    return Fraction(1 + sum(scores[i] >= scores[-1] for i in peers), 1 + len(peers))


def whole_task(seed, n, m, num_labels=3, dimension=3):
    """Vectors of few whole numbers, so that distances tie, with labels that they depend on."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(num_labels, size=n + m)
    labels[:num_labels] = np.arange(num_labels)  # each label occurs
    rows = rng.integers(1, 4, size=(n + m, dimension)) + labels[:, None]
    return rows[:n].tolist(), labels[:n].tolist(), rows[n:].tolist(), labels[n:].tolist()


def real_task(seed, n, m, num_labels=3, dimension=4):
    rng = np.random.default_rng(seed)
    labels = np.arange(n + m) % num_labels
    rows = rng.normal(size=(n + m, dimension)).round(6) + np.eye(num_labels, dimension)[labels]
    return rows[:n].tolist(), labels[:n].tolist(), rows[n:].tolist(), labels[n:].tolist()


class ClassifyTest(support.ProgramTest):
    """A test with labeled vectors in train.npy and labels.npy, and others in new.npy."""

    def save_task(self, task, names=None):
        rows, labels, new, truths = task
        self.save("train", rows, float)
        self.save("labels", labels if names is None else [names[y] for y in labels])
        self.save("new", new, float)
        self.save("truths", truths if names is None else [names[y] for y in truths])

    def calibrate(self, *more, quiet=True):
        return self.json("classify", "calibrate", "--train", "train.npy", "--labels", "labels.npy",
                         "--out", "model.caos", *more, *(["--quiet"] if quiet else []))

    def predict(self, *more, alphas="0.1"):
        """The rows of the new vectors."""
        self.succeed("classify", "predict", "model.caos", "new.npy", "--alpha", alphas, "--out",
                     "sets.jsonl", *more, "--quiet")
        return [json.loads(line) for line in (self.folder / "sets.jsonl").read_text().splitlines()]

    def evaluate(self, *more):
        return self.json("classify", "evaluate", "--train", "train.npy", "--labels", "labels.npy",
                         "--test", "new.npy", "--test-labels", "truths.npy", *more, "--quiet")
