"""Label sets for texts, with a language model or an encoder, from a few dozen labeled texts.

    calibration = caos.text.calibrate(texts, labels, label_names=["praise", "complaint"],
                                      model="llama:model.gguf", store="scores")
    sets = calibration.predict_set(new_texts, alpha=0.1)
    sets[0]                                    # the labels that text 0 may have, as names
    calibration.supporting_references(new_texts)[0]  # the labeled texts that support each label

Each labeled text alone makes a one-shot prompt; the language model says how likely every label is
after it, and CAOS adds the k best of these opinions. A TextScorer is the language model with its
prompt and the store of its answers: with a folder as the store no pair of texts is ever scored
twice, by this package or by the program `caos text`, which reads and writes the same files.

    >>> import caos
    >>> texts = ["the parcel is late", "thank you all", "my parcel never came", "thank you so much"]
    >>> labels = ["complaint", "praise", "complaint", "praise"]
    >>> calibration = caos.text.calibrate(texts, labels, label_names=["praise", "complaint"], k=1)
    >>> calibration.predict_set(["where is my parcel"], alpha=0.4)[0]
    ['complaint']

Texts stay in this process with the models 'builtin' and 'llama:FILE.gguf'. 'server:URL' and
'command:PROGRAM' get them; TextScorer.sends_texts_to says who does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from caos import _core
from caos._core import (
    Plan,
    SupportingReference,
    Tally,
    TextCalibration,
    TextScorer,
)
from caos._core import text_calibrate as calibrate
from caos._core import text_evaluate as evaluate
from caos._core import text_load as load
from caos._typing import Path

__all__ = [
    "Plan",
    "Support",
    "SupportingReference",
    "Table",
    "Tally",
    "Task",
    "TextCalibration",
    "TextScorer",
    "calibrate",
    "evaluate",
    "load",
    "read_table",
    "read_task",
]

Support = SupportingReference  # the old name, for one version


class Table(NamedTuple):
    """Rows of a table of texts: texts, labels, ids = read_table(...)."""

    texts: list[str]
    labels: list[str] | None
    ids: list[str]


# What help() says of the fields; the class has no other place for it.
Table.texts.__doc__ = "The text of each row."
Table.labels.__doc__ = "The label of each row; None if they were not read."
Table.ids.__doc__ = "The id of each row: its number, from 1, unless a column gives ids."


class Task(NamedTuple):
    """The contents of a task.json."""

    name: str | None
    text_columns: list[str] | None
    label_column: str | None
    label_names: list[str]


Task.name.__doc__ = "The name of the task; None if the file does not give it."
Task.text_columns.__doc__ = "The columns that are joined into a text; None if not in the file."
Task.label_column.__doc__ = "The column of the labels; None if the file does not name them."
Task.label_names.__doc__ = "All possible labels."


def read_table(path: Path, *, text_columns: str | Iterable[str] | None = None,
               label_column: str | None = None, id_column: str | None = None) -> Table:
    """Read a table of texts as the program does: CSV with a header, or JSON Lines.

    path: the file; *.csv is CSV, *.jsonl and *.ndjson are JSON Lines, others tell by their first
        character.
    text_columns: the column of the texts, None for 'text'; several are joined in this order, as
        lines 'column: value'.
    label_column: the column of the labels; None does not read them.
    id_column: the column that names the rows; None numbers them from 1.

    What is wrong with a file is a ValueError with its line.
    """
    return Table(*_core.read_text_table(path, text_columns, label_column, id_column))


def read_task(path: Path, *, label_column: str | None = None) -> Task:
    """Read a task.json, which says which columns a table has and which labels there are.

    path: the file, {"labels": [...]} or
        {"data_columns": [...], "label_columns": {"column": [...]}}.
    label_column: which of several label columns; None: there must be only one.
    """
    return Task(*_core.read_text_task(path, label_column))
