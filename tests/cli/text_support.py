"""Tables of labeled texts for the program, with scores that an oracle knows too."""

import csv
import io
import json

import numpy as np

from support import TIED_SCORES, ProgramTest, Task

LABELS = ["praise", "complaint", "question"]

WORDS = {
    "praise": ["thanks", "great", "lovely", "fast", "friendly", "happy", "perfect"],
    "complaint": ["broken", "late", "refund", "angry", "wrong", "missing", "damaged"],
    "question": ["where", "when", "how", "which", "opening", "hours", "size"],
}
COMMON = ["the", "my", "order", "parcel", "shop", "was", "is", "and", "today", "shoes"]


def csv_text(header, rows):
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def synthetic_texts(count, seed):
    """(text, label) pairs whose words tell the label more or less."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(count):
        label = LABELS[rng.integers(len(LABELS))]
        words = [*rng.choice(WORDS[label], size=2), *rng.choice(COMMON, size=3)]
        rows.append((" ".join(rng.permutation(words)), label))
    return rows


class TextTest(ProgramTest):
    """A folder with `train.csv` (24 labeled texts), `new.csv` (7 texts) and `task.json`."""

    def setUp(self):
        super().setUp()
        self.train = synthetic_texts(24, seed=1)
        self.new = [text for text, _ in synthetic_texts(7, seed=2)]
        self.write("train.csv", csv_text(["text", "label"], self.train))
        self.write("new.csv", csv_text(["text"], [[text] for text in self.new]))
        self.write("task.json", json.dumps({"labels": LABELS}))

    def calibrate(self, *more, out="model.caos", train="train.csv"):
        self.succeed("text", "calibrate", "--train", train, "--out", out, *more)
        return out

    def predict(self, *more, model="model.caos", texts="new.csv", stdin=b""):
        """The rows that `text predict` prints as JSON Lines."""
        out = self.output("text", "predict", model, texts, *more, stdin=stdin)
        return [json.loads(line) for line in out.splitlines()]

    def csv_rows(self, text):
        return list(csv.DictReader(io.StringIO(text)))


class ScoredTextTest(TextTest):
    """The same, with scores of few distinct values in `scores.npy` and `reverse.npy`."""

    def draw(self, seed, *shape):
        return np.random.default_rng(seed).choice(TIED_SCORES, size=shape)

    def save_scores(self, seed):
        n, num_labels = len(self.train), len(LABELS)
        self.scores = self.draw(seed, n, num_labels, n)
        self.reverse = self.draw(seed + 1, n, num_labels, n)
        self.new_scores = self.draw(seed + 2, len(self.new), num_labels, n)
        self.new_reverse = self.draw(seed + 3, len(self.new), num_labels, n)
        # Own labels lean toward small scores, or sets would hold everything.
        for i, label in enumerate(self.numbers()):
            self.scores[i, label] = np.minimum(self.scores[i, label], self.draw(seed + 4 + i, n))
        for name in ("scores", "reverse", "new_scores", "new_reverse"):
            self.save(name, getattr(self, name))

    def numbers(self):
        return np.array([LABELS.index(label) for _, label in self.train])

    def split_task(self, labeled, test, k):
        """The arrays of `caos evaluate` for one split of the table."""
        labels = self.numbers()
        return Task(self.scores[np.ix_(labeled, range(len(LABELS)), labeled)], labels[labeled],
                    self.scores[np.ix_(test, range(len(LABELS)), labeled)], labels[test],
                    self.reverse[np.ix_(test, range(len(LABELS)), labeled)], k)

    def new_task(self, k):
        """The same for the new texts, whose truth is unknown."""
        return Task(self.scores, self.numbers(), self.new_scores,
                    np.zeros(len(self.new), dtype=int), self.new_reverse, k)
