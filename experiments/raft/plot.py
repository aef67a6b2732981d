#!/usr/bin/env python3
"""Draws mean set sizes of `caos experiment raft` with and without an encoder, task by task.

    experiments/raft/plot.py REPORT_BUILTIN REPORT_ENCODER docs/images/raft.svg
"""

import csv
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

# What is drawn: which report, which method, how it is called.
SERIES = [(0, "caos", "builtin, CAOS", "o", "#9aa0a6"), (1, "caos", "encoder, CAOS", "D", "#5b8def"),
          (1, "full-kernel", "encoder, full-kernel", "s", "#d9480f")]


def sizes(report, method):
    with open(pathlib.Path(report, "results.csv"), encoding="utf-8", newline="") as file:
        return {row["task"]: (float(row["mean_set_size"]), int(row["labels"]))
                for row in csv.DictReader(file) if row["method"] == method and row["alpha"] == "0.1"}


def main():
    *reports, out = sys.argv[1:]
    plt.rcParams.update({"svg.hashsalt": "caos", "font.size": 9})
    figure, axes = plt.subplots(figsize=(7.5, 4.2), layout="constrained")
    for report, method, name, marker, color in SERIES:
        found = sizes(reports[report], method)
        tasks = sorted(found, reverse=True)
        axes.scatter([found[task][0] for task in tasks], range(len(tasks)), marker=marker,
                     color=color, label=name, zorder=2)
    axes.scatter([found[task][1] for task in tasks], range(len(tasks)), marker="|", color="black",
                 label="all labels", zorder=1)
    axes.set_yticks(range(len(tasks)), tasks)
    axes.set_xscale("log")
    axes.set_xticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
    axes.set_xlabel("mean set size at alpha = 0.1 (smaller is better)")
    axes.grid(axis="x", color="#dddddd")
    axes.legend(loc="lower center", bbox_to_anchor=(0.3, 1), ncol=4, frameon=False)
    figure.savefig(out, metadata={"Date": None})


if __name__ == "__main__":
    main()
