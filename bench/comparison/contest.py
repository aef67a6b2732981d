"""Product and peers on the same work, in turn, and what each takes at its best."""

import hashlib
import pathlib
import sys
import tempfile
from dataclasses import dataclass, field

import numpy as np

from . import children
from .children import Failed

HERE = pathlib.Path(__file__).resolve().parent
THREADS = (1, 2)
# Float32 products round differently from the exact ones: a few memberships in ten million differ.
MOST_DIFFERENT = 1e-4


@dataclass
class Sizes:
    """How much of everything a run does."""

    images: int = 100
    landmarks: int = 478
    faiss_landmarks: int = 40   # of W1, the rest by proportion
    python_landmarks: int = 24
    rounds: int = 5
    kernel_tries: int = 7
    queries: int = 50_000
    dimensions: tuple = (384, 768)
    references: tuple = (1_000, 10_000)
    w2_rounds: int = 2


QUICK = Sizes(images=24, landmarks=60, faiss_landmarks=10, python_landmarks=4, rounds=1,
              kernel_tries=1, queries=1_680, dimensions=(384,), references=(300,), w2_rounds=1)


@dataclass
class Times:
    """The best usage of each contender by name and number of threads; shares that differed."""

    usage: dict = field(default_factory=dict)
    different: dict = field(default_factory=dict)
    digest: str = ""

    def add(self, name, threads, usage):
        self.usage[name, threads] = usage.best(self.usage.get((name, threads)))

    def cpu_ratio(self, name, other):
        return self.usage[name, 1].cpu / self.usage[other, 1].cpu

    def wall_ratio(self, name, other):
        if (name, 2) not in self.usage or (other, 2) not in self.usage:
            return None
        return self.usage[name, 2].wall / self.usage[other, 2].wall


def say(text):
    print(text, file=sys.stderr, flush=True)


@dataclass
class Programs:
    build: pathlib.Path

    def bench(self, name):
        return self.build / "bench" / "comparison" / name

    @property
    def caos(self):
        return self.build / "caos"

    def missing(self):
        """What has to be built or installed before anything can run."""
        paths = [self.caos, *map(self.bench, ("product_bench", "kernels_bench", "peers_bench"))]
        return [str(path) for path in paths if not path.exists()]

    def evaluate(self, folder, threads, methods, *more):
        return [self.caos, "landmarks", "evaluate", "--embeddings", folder / "embeddings.npy",
                "--labels", folder / "labels.npy", "--test-embeddings",
                folder / "test-embeddings.npy", "--test-labels", folder / "test-labels.npy",
                "--methods", methods, "--alpha", "0.05,0.1,0.2", "--threads", threads, "--quiet", *more]


def make_inputs(data, *what):
    """The folder of inputs. In a process of its own, whose matrix products use one thread."""
    command = [sys.executable, HERE / "inputs.py", data, *what]
    output, _ = children.finish(children.start(command, 1), command)
    return pathlib.Path(output.strip())


def digest(path):
    return hashlib.sha256(np.load(path).tobytes()).hexdigest()[:16]


def share_different(path, product):
    """The share of memberships in which a peer, on some landmarks, differs from the product."""
    theirs, ours = np.load(path), np.load(product)
    count, all_landmarks = theirs.shape[2], ours.shape[2]
    ours = ours[:, :, [i * all_landmarks // count for i in range(count)]]
    return float(np.unpackbits(ours ^ theirs).mean())


def require_agreement(name, share):
    if share > MOST_DIFFERENT:
        raise Failed(f"{name}: {share:.1e} of all memberships differ from the product's; "
                     f"at most {MOST_DIFFERENT:.0e} can be rounding")


class W1:
    """100 labeled and 100 test images, 478 landmarks."""

    METHODS = "caos,scos,scos-best,scos-oracle"

    def __init__(self, programs, data, sizes):
        self.programs, self.sizes = programs, sizes
        self.folder = make_inputs(data, "w1", sizes.images, sizes.landmarks)
        self.scratch = tempfile.TemporaryDirectory(prefix="caos-peers-")
        self.sets = pathlib.Path(self.scratch.name, "product.npy")
        self.theirs = pathlib.Path(self.scratch.name, "peer.npy")

    def ours(self, name, threads):
        p, folder = self.programs, self.folder
        commands = {"product": p.evaluate(folder, threads, "caos"),
                    "full": p.evaluate(folder, threads, "caos,full-caos"),
                    "library": [p.bench("product_bench"), "w1", folder, threads, "caos", 0],
                    "everything": [p.bench("product_bench"), "w1", folder, threads, self.METHODS,
                                   min(10, self.sizes.images // 2 - 1)]}
        return commands.get(name)

    def peer(self, name, threads):
        peers, folder, sizes = self.programs.bench("peers_bench"), self.folder, self.sizes
        python = [sys.executable, HERE / "python_peers.py"]
        return {"openblas": [peers, "openblas-w1", folder, threads, self.theirs],
                "faiss": [peers, "faiss-w1", folder, threads, sizes.faiss_landmarks, self.theirs],
                "numpy": [*python, "numpy", folder, threads, sizes.python_landmarks, self.theirs],
                "torch": [*python, "torch", folder, threads, sizes.python_landmarks, self.theirs],
                }[name]

    def write_sets(self):
        """The product's sets; their digest must not depend on the number of threads."""
        digests = set()
        for threads in THREADS:
            command = self.programs.evaluate(self.folder, threads, "caos", "--sets", self.sets)
            children.whole_usage(command, threads)
            digests.add(digest(self.sets))
        if len(digests) != 1:
            raise Failed(f"W1: the sets depend on the number of threads: {sorted(digests)}")
        return digests.pop()

    def run_one(self, name, threads, times):
        command = self.ours(name, threads)
        if command:
            times.add(name, threads, children.whole_usage(command, threads))
            return
        times.add(name, threads, children.own_usage(self.peer(name, threads), threads))
        share = share_different(self.theirs, self.sets)
        require_agreement(name, share)
        times.different[name] = max(share, times.different.get(name, 0))

    def run(self, names, threads=THREADS, rounds=None):
        """Everybody in turn, round by round."""
        times = Times(digest=self.write_sets())
        rounds = rounds or self.sizes.rounds
        for number in range(rounds):
            say(f"W1: round {number + 1} of {rounds}")
            for count in threads:
                for name in names:
                    self.run_one(name, count, times)
        return times

    def memory(self):
        """Bytes beyond the mapped input, with as many threads as there are."""
        mapped = sorted(self.folder.glob("*.npy"))
        return children.peak_memory(self.programs.evaluate(self.folder, THREADS[-1], "caos"),
                                    THREADS[-1], mapped)

    def kernels(self):
        command = [self.programs.bench("kernels_bench"), self.folder, self.sizes.kernel_tries]
        return {name: line["multiply_adds_per_second"]
                for name, line in children.json_lines(command, 1).items()}


@dataclass(frozen=True)
class W2:
    """One landmark, many references, many patches to compare with."""

    kind: str
    dimension: int
    references: int

    @property
    def name(self):
        return f"{self.kind}, D = {self.dimension}, n = {self.references:,}"

    def run(self, programs, data, sizes):
        folder = make_inputs(data, "w2", self.kind, self.dimension, max(sizes.references),
                             sizes.queries)
        times = Times()
        with tempfile.TemporaryDirectory(prefix="caos-peers-") as scratch:
            sets = {name: pathlib.Path(scratch, f"{name}.npy") for name in ("product", "faiss")}
            for number in range(sizes.w2_rounds):
                say(f"W2, {self.name}: round {number + 1} of {sizes.w2_rounds}")
                for threads in THREADS:
                    self.run_both(programs, folder, threads, sets, times)
        return times

    def run_both(self, programs, folder, threads, sets, times):
        commands = {"product": [programs.bench("product_bench"), "w2"],
                    "faiss": [programs.bench("peers_bench"), "faiss-w2"]}
        for name, command in commands.items():
            command = [*command, folder, threads, self.references, sets[name]]
            times.add(name, threads, children.own_usage(command, threads))
        found = digest(sets["product"])
        if times.digest not in ("", found):
            raise Failed(f"W2, {self.name}: the sets are not the same in every run")
        times.digest = found
        share = share_different(sets["faiss"], sets["product"])
        require_agreement(f"W2, {self.name}", share)
        times.different["faiss"] = max(share, times.different.get("faiss", 0))


def all_w2(sizes):
    return [W2(kind, dimension, references) for kind in ("structured", "isotropic")
            for dimension in sizes.dimensions for references in sizes.references]
