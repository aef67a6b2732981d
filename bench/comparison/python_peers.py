#!/usr/bin/python3
"""W1 in NumPy and PyTorch, written plainly: one matrix product per landmark. bench/peers runs it.

    bench/comparison/python_peers.py versions
    bench/comparison/python_peers.py numpy|torch FOLDER THREADS LANDMARKS SETS.npy

Does `LANDMARKS` of them, calibration included, and prints what that took and how many times as much all
are. The sets go to a file as bits, as `caos landmarks evaluate --sets` writes them.
"""

import fractions
import json
import math
import sys
import time

import numpy as np

K = 3
ALPHAS = [fractions.Fraction(text) for text in ("0.05", "0.1", "0.2")]


def thresholds(scores):
    ordered = np.sort(scores)
    ranks = [math.ceil((1 - alpha) * (len(ordered) + 1)) for alpha in ALPHAS]
    return [ordered[rank - 1] if rank <= len(ordered) else np.inf for rank in ranks]


def with_numpy(references, queries):
    """Leave-one-out scores of the references, scores of the queries."""
    own = 1 - references @ references.T
    np.fill_diagonal(own, np.inf)
    other = 1 - queries @ references.T
    return [np.partition(scores, K - 1, axis=1)[:, :K].sum(axis=1) for scores in (own, other)]


def with_torch(references, queries):
    import torch
    with torch.no_grad():
        references, queries = torch.from_numpy(references), torch.from_numpy(queries)
        own = 1 - references @ references.T
        own.fill_diagonal_(torch.inf)
        other = 1 - queries @ references.T
        return [scores.topk(K, dim=1, largest=False, sorted=False).values.sum(dim=1).numpy()
                for scores in (own, other)]


def sets_of(scorer, labeled, labels, test, landmark):
    """[alphas, images, patches]: whether the patch is in the set."""
    references = labeled[np.arange(len(labeled)), labels[:, landmark]]
    own, other = scorer(references, test.reshape(-1, test.shape[2]))
    other = other.reshape(test.shape[:2])
    return np.stack([other <= limit for limit in thresholds(own)])


def run(name, folder, threads, landmarks, file):
    if name == "torch":
        import torch
        torch.set_num_threads(threads)
    scorer = {"numpy": with_numpy, "torch": with_torch}[name]
    labeled, labels, test = (np.load(f"{folder}/{part}.npy")
                             for part in ("embeddings", "labels", "test-embeddings"))
    count = labels.shape[1]
    some = [i * count // landmarks for i in range(landmarks)]
    sets_of(scorer, labeled, labels, test, 0)  # warms up
    wall, cpu = time.perf_counter(), time.process_time()
    sets = [sets_of(scorer, labeled, labels, test, landmark) for landmark in some]
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    np.save(file, np.packbits(np.stack(sets, axis=2), axis=-1, bitorder="little"))
    print(json.dumps({"name": name, "cpu_seconds": cpu, "wall_seconds": wall,
                      "scale": count / landmarks}))


def main():
    if sys.argv[1:] == ["versions"]:
        import torch
        print(json.dumps({"numpy": np.__version__, "torch": torch.__version__.split("+")[0]}))
    elif len(sys.argv) == 6 and sys.argv[1] in ("numpy", "torch"):
        run(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
    else:
        sys.exit(__doc__.split("\n\n")[1])


if __name__ == "__main__":
    main()
