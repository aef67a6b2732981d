"""Every definition of the paper and of docs/reference/formats.md, slowly and obviously.

Written from the text alone, to be compared with the program. Scores are Python floats, sums are
added in ascending order, ranks and shares are fractions. Nothing here is shared with the library.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, inf


def minsum(pool, k):
    """Sum of the k smallest scores, added in ascending order (eqn. minsum)."""
    total = 0.0
    for score in sorted(float(s) for s in pool)[:k]:
        total += score
    return total


def rank(n, alpha):
    """ceil((1 - alpha)(n + 1)) of the decimal the user typed, in rational arithmetic."""
    exact = (1 - Fraction(alpha)) * (n + 1)
    return -(-exact.numerator // exact.denominator)


def feasible(n, alpha):
    return rank(n, alpha) <= n


def threshold(scores, alpha, clip=False):
    """The score at the conformal rank; +inf beyond the last, or the last where clipped."""
    position = rank(len(scores), alpha)
    if clip and scores:
        position = min(position, len(scores))
    return inf if position > len(scores) else sorted(scores)[position - 1]


def p_value(scores, score):
    return Fraction(1 + sum(s >= score for s in scores), len(scores) + 1)


@dataclass
class Problem:
    """One task. `own[i][j]` is the score of example i's own label under reference j."""

    own: list
    test: list
    test_labels: list
    k: int
    labels: list = None
    labeled: list = None
    reverse: list = None
    groups: object = None  # None, "labels", or one per labeled example
    test_groups: list = None
    references: list = field(default_factory=list)
    clip: bool = False

    @property
    def n(self):
        return len(self.own)

    @property
    def num_labels(self):
        return len(self.test[0])

    def calibrating(self):
        return [i for i in range(self.n) if i not in self.references]

    def peers(self, t, y, among=None):
        """The examples that (x_t, y) is compared with."""
        among = range(self.n) if among is None else among
        if self.groups is None:
            return list(among)
        if isinstance(self.groups, str):
            return [i for i in among if self.labels[i] == y]
        return [i for i in among if self.groups[i] == self.test_groups[t]]


@dataclass
class Sets:
    """What a method returns: for each test input one or (SCOS) several sets, and its threshold."""

    sets: list
    rank: int = None
    threshold: float = None
    feasible: bool = True


def own_score(p, i, references):
    """CAOS score of example i among `references`, its own left out."""
    return minsum([p.own[i][j] for j in references if j != i], p.k)


def aggregated(p, alpha, calibrating, references):
    """Split CAOS in general: `calibrating` examples calibrate, `references` are the pool."""
    calibration = {i: own_score(p, i, references) for i in calibrating}
    sets = []
    for t, pools in enumerate(p.test):
        chosen = set()
        for y, pool in enumerate(pools):
            score = minsum([pool[j] for j in references], p.k)
            peers = [calibration[i] for i in p.peers(t, y, calibrating)]
            if score <= threshold(peers, alpha, p.clip):
                chosen.add(y)
        sets.append([chosen])
    result = Sets(sets, feasible=all(feasible(n, alpha) for n in group_sizes(p, calibrating)))
    if p.groups is None:
        result.rank = rank(len(calibration), alpha)
        result.threshold = threshold(list(calibration.values()), alpha, p.clip)
    return result


def group_sizes(p, calibrating):
    if p.groups is None:
        return [len(calibrating)]
    if isinstance(p.groups, str):
        return [sum(p.labels[i] == y for i in calibrating) for y in range(p.num_labels)]
    known = sorted(set(p.groups))
    unknown = set(p.test_groups) - set(known)  # groups that only test examples are in
    return [sum(p.groups[i] == g for i in calibrating) for g in known] + [0] * len(unknown)


def caos(p, alpha):
    return aggregated(p, alpha, range(p.n), range(p.n))


def augmented_score(p, i, t, y):
    """Score of example i once (x_t, y) is a reference too (eqn. caos_full_scores)."""
    pool = [p.own[i][j] for j in range(p.n) if j != i]
    return minsum(pool + [p.reverse[t][y][i]], p.k)


def full_p_value(p, t, y):
    peers = [augmented_score(p, i, t, y) for i in p.peers(t, y)]
    return p_value(peers, minsum(p.test[t][y], p.k))


def full_caos(p, alpha):
    """Alg. 3 as it is written: every label, every calibration score computed again."""
    sets = []
    for t, pools in enumerate(p.test):
        chosen = set()
        for y, pool in enumerate(pools):
            scores = [augmented_score(p, i, t, y) for i in p.peers(t, y)]
            if minsum(pool, p.k) <= threshold(scores, alpha, p.clip):
                chosen.add(y)
        sets.append([chosen])
    result = caos(p, alpha)
    return Sets(sets, rank=result.rank, feasible=result.feasible)


def scos_threshold(p, alpha, reference):
    return threshold([float(p.own[i][reference]) for i in p.calibrating()], alpha, p.clip)


def scos_set(pools, reference, limit):
    return {y for y, pool in enumerate(pools) if float(pool[reference]) <= limit}


def scos_sets(p, alpha):
    limits = {j: scos_threshold(p, alpha, j) for j in p.references}
    return [{j: scos_set(pools, j, limits[j]) for j in p.references} for pools in p.test]


def scos(p, alpha):
    """Alg. 2 under every reference."""
    n = len(p.calibrating())
    sets = [list(of_reference.values()) for of_reference in scos_sets(p, alpha)]
    return Sets(sets, rank=rank(n, alpha), feasible=feasible(n, alpha))


def scos_best(p, alpha):
    """The reference with the smallest mean set over the calibration examples."""

    def total(j):
        limit = scos_threshold(p, alpha, j)
        return sum(len(scos_set(p.labeled[i], j, limit)) for i in p.calibrating())

    best = min(sorted(p.references), key=total)
    sets = [[of_reference[best]] for of_reference in scos_sets(p, alpha)]
    n = len(p.calibrating())
    limit = scos_threshold(p, alpha, best)
    return Sets(sets, rank=rank(n, alpha), threshold=limit, feasible=feasible(n, alpha))


def scos_oracle(p, alpha):
    """The smallest set that contains the truth, else the smallest set."""
    sets = []
    for truth, of_reference in zip(p.test_labels, scos_sets(p, alpha)):
        holding = [s for s in of_reference.values() if truth in s]
        sets.append([min(holding or of_reference.values(), key=len)])
    n = len(p.calibrating())
    return Sets(sets, rank=rank(n, alpha), feasible=feasible(n, alpha))


METHODS = {
    "caos": caos,
    "full-caos": full_caos,
    "scos": scos,
    "scos-best": scos_best,
    "scos-oracle": scos_oracle,
    "split-caos": lambda p, a: aggregated(p, a, p.calibrating(), sorted(p.references)),
    "split-caos-cal": lambda p, a: aggregated(p, a, p.calibrating(), range(p.n)),
    "split-caos-ref": lambda p, a: aggregated(p, a, range(p.n), sorted(p.references)),
}


def mean(values):
    values = [Fraction(v) for v in values]
    return sum(values, Fraction(0)) / len(values)


def median(values):
    values = sorted(Fraction(v) for v in values)
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


def outcomes(p, result):
    """(covered, size) of each test input, averaged over its sets."""
    return [
        (mean([truth in s for s in sets]), mean([len(s) for s in sets]))
        for truth, sets in zip(p.test_labels, result.sets)
    ]


def summary(p, result):
    """The numbers of one row of `caos evaluate`, as fractions."""
    measured = outcomes(p, result)
    return {
        "coverage": mean([covered for covered, _ in measured]),
        "mean_set_size": mean([size for _, size in measured]),
        "median_set_size": median([size for _, size in measured]),
        "singleton_rate": mean([mean([len(s) == 1 for s in sets]) for sets in result.sets]),
        "empty_rate": mean([mean([len(s) == 0 for s in sets]) for sets in result.sets]),
    }


def binomial_at_least(count, trials, p):
    return sum(comb(trials, c) * p**c * (1 - p) ** (trials - c) for c in range(count, trials + 1))


def binomial_at_most(count, trials, p):
    return sum(comb(trials, c) * p**c * (1 - p) ** (trials - c) for c in range(count + 1))


def beta_cdf(x, a, b):
    """Of Beta(a, b) for whole a and b: the a-th smallest of a + b - 1 uniforms is below x."""
    return binomial_at_least(a, a + b - 1, x)


def beta_binomial(count, trials, a, b):
    ways = comb(count + a - 1, count) * comb(trials - count + b - 1, trials - count)
    return Fraction(ways, comb(trials + a + b - 1, trials))
