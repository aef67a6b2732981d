"""From times to rows of a table, and a plot of them."""

from dataclasses import asdict, dataclass

PEERS = {"faiss": ("FAISS IndexFlatIP, C++", 12), "numpy": ("NumPy, plain", 18),
         "torch": ("PyTorch, plain", 18), "openblas": ("distinct patches + OpenBLAS, float", 1.6)}
W2_REQUIRED = {"structured": 3.0, "isotropic": 1.3}


@dataclass
class Row:
    work: str
    against: str
    ratio: float
    required: float
    wall_ratio: float = None   # at two threads, where that is another figure
    at_least: bool = True      # otherwise: at most
    unit: str = "x"            # "x", "%" or "MB"
    ours: str = ""
    theirs: str = ""
    different: float = None    # share of memberships

    def holds(self):
        return (self.ratio >= self.required) if self.at_least else (self.ratio <= self.required)

    def figure(self, value):
        if value is None:
            return ""
        return {"x": f"{value:.2f} x", "%": f"{value:.0f} %", "MB": f"{value:.0f} MB"}[self.unit]

    def cells(self):
        limit = f"{'≥' if self.at_least else '≤'} {self.required:g} {self.unit}"
        return [self.work, self.against, self.ours, self.theirs, self.figure(self.ratio),
                self.figure(self.wall_ratio), limit, "yes" if self.holds() else "**no**"]


def seconds(usage):
    return f"{usage.cpu:.2f} s"


def against_peer(work, name, required, times, peer):
    return Row(work, name, times.cpu_ratio(peer, "product"), required,
               wall_ratio=times.wall_ratio(peer, "product"), ours=seconds(times.usage["product", 1]),
               theirs=seconds(times.usage[peer, 1]), different=times.different.get(peer))


def against_self(work, name, required, times, more, less):
    return Row(work, name, times.cpu_ratio(more, less), required, at_least=False,
               wall_ratio=times.wall_ratio(more, less), ours=seconds(times.usage[more, 1]),
               theirs=seconds(times.usage[less, 1]))


def w1_rows(times):
    for peer, (name, required) in PEERS.items():
        yield against_peer("W1, CAOS", name, required, times, peer)
    yield against_self("W1, CAOS and Full CAOS", "W1, CAOS", 1.15, times, "full", "product")
    yield against_self("W1, CAOS, SCOS, Best, Oracle, k = 1…10", "W1, CAOS", 3, times, "everything",
                       "library")


def w2_row(work, times):
    return against_peer(f"W2, {work.name}", "FAISS IndexFlatIP, C++", W2_REQUIRED[work.kind], times,
                        "faiss")


def kernel_row(speeds):
    kernel, peak = speeds["similarity"], max(speeds["int16_peak"], speeds["vnni_peak"])
    return Row("similarities of W1 alone", "int16 multiply-add peak", 100 * kernel / peak, 85,
               unit="%", ours=f"{kernel / 1e9:.1f} G/s", theirs=f"{peak / 1e9:.1f} G/s")


def scaling_row(times):
    one, two = times.usage["product", 1].wall, times.usage["product", 2].wall
    return Row("W1, CAOS, two threads", "one thread", one / two, 1.85, ours=f"{two:.2f} s",
               theirs=f"{one:.2f} s")


def memory_row(peak):
    return Row("W1, CAOS: memory beyond the mapped input", "", peak / 1e6, 150, at_least=False,
               unit="MB")


def table(rows):
    head = ["work", "against", "ours", "theirs", "ratio", "wall, two threads", "required", "holds"]
    lines = [head, ["---"] * len(head), *(row.cells() for row in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def as_json(rows):
    return [asdict(row) | {"holds": row.holds()} for row in rows]


def write_plot(rows, title, path):
    """Bars of how many times as fast as each peer, and where they must reach."""
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "caos"
    from matplotlib import pyplot

    rows = [row for row in rows if row.unit == "x" and row.at_least and row.different is not None]
    rows = rows[::-1]  # bars are drawn upwards
    figure, axes = pyplot.subplots(figsize=(8.4, 0.42 * len(rows) + 1.5), layout="constrained")
    places = range(len(rows))
    colors = ["#2a6f97" if row.holds() else "#c8553d" for row in rows]
    # From 1 to the right: faster; to the left: slower.
    axes.barh(places, [row.ratio - 1 for row in rows], left=1, height=0.62, color=colors)
    for place, row in zip(places, rows):
        axes.plot([row.required] * 2, [place - 0.42, place + 0.42], color="black", linewidth=2)
        text = f"{row.ratio:.1f}" if row.ratio >= 10 else f"{row.ratio:.2f}"
        axes.annotate(text, (max(row.ratio, row.required), place), (5, 0),
                      textcoords="offset points", va="center", fontsize=9)
    axes.set_yticks(places, [f"{row.work}\n{row.against}" for row in rows], fontsize=8)
    axes.set_xscale("log")
    values = [value for row in rows for value in (row.ratio, row.required)]
    axes.set_xlim(min([1, *values]) / 1.15, 1.35 * max(values))
    axes.set_ylim(-0.7, len(rows) - 0.3)
    low, high = axes.get_xlim()
    ticks = [tick for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50) if low <= tick <= high]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel("times as fast as the peer, by processor time at one thread\n"
                    "black: required; red: not reached", fontsize=9)
    axes.set_title(title, fontsize=10)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
