"""What the compiled module has. One section per topic; types of arguments are in caos._typing."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, overload
from collections.abc import Callable, Iterable
from typing import Any, Literal, overload

from caos._typing import (
    Alpha,
    Alphas,
    ArrayLike,
    BoolArray,
    Float32Array,
    FloatArray,
    IntArray,
    Path,
)

# The module itself.

__version__: str
assumption: str
default_alphas: tuple[float, ...]
default_k: int
default_method: str

# Where alpha is one number, results are one object; for a list of them, a list. Overloads say so:
# one with `alpha: Alpha`, one with `alpha: Alphas`.

# calibration

class Calibration:
    @property
    def k(self) -> int: ...
    @property
    def num_labels(self) -> int | None: ...
    @property
    def scores(self) -> FloatArray: ...
    @property
    def guarantee(self) -> str: ...
    @property
    def assumption(self) -> str: ...
    @overload
    def predict_set(
        self,
        test: ArrayLike,
        alpha: Alpha,
        *,
        method: str = ...,
        reverse: ArrayLike | None = ...,
        symmetric: bool = ...,
        groups: ArrayLike | None = ...,
        clip_rank: bool = ...,
        smoothing_seed: int | None = ...,
        threads: int = ...,
    ) -> PredictionSets: ...
    @overload
    def predict_set(
        self,
        test: ArrayLike,
        alpha: Alphas,
        *,
        method: str = ...,
        reverse: ArrayLike | None = ...,
        symmetric: bool = ...,
        groups: ArrayLike | None = ...,
        clip_rank: bool = ...,
        smoothing_seed: int | None = ...,
        threads: int = ...,
    ) -> list[PredictionSets]: ...
    def predict_p(
        self,
        test: ArrayLike,
        *,
        method: str = ...,
        reverse: ArrayLike | None = ...,
        symmetric: bool = ...,
        groups: ArrayLike | None = ...,
        smoothing_seed: int | None = ...,
        threads: int = ...,
    ) -> FloatArray: ...
    def label_scores(self, test: ArrayLike) -> FloatArray: ...
    def is_feasible(self, alpha: Alpha) -> bool: ...
    @overload
    def threshold(self, alpha: Alpha, *, group: int | None = ..., clip_rank: bool = ...) -> float: ...
    @overload
    def threshold(
        self, alpha: Alphas, *, group: int | None = ..., clip_rank: bool = ...
    ) -> FloatArray: ...
    def add_example(
        self, under_others: ArrayLike, of_others: ArrayLike, *, group: int | None = ...
    ) -> None: ...
    def remove_example(self, i: int) -> None: ...
    def save(self, path: Path) -> None: ...
    @staticmethod
    def load(path: Path) -> Calibration: ...
    def __len__(self) -> int: ...
    def __getstate__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: tuple[Any, ...]) -> None: ...

def calibrate(
    labeled: ArrayLike,
    labels: ArrayLike | None = ...,
    *,
    k: int = ...,
    num_labels: int | None = ...,
    groups: ArrayLike | None = ...,
    threads: int = ...,
) -> Calibration: ...
def load(path: Path) -> Calibration: ...

# distance

def distances(x: ArrayLike, references: ArrayLike, *, threads: int = ...) -> FloatArray: ...

# prediction_sets

class PredictionSets:
    @property
    def mask(self) -> BoolArray: ...
    @property
    def sizes(self) -> IntArray: ...
    @property
    def alpha(self) -> float: ...
    @property
    def method(self) -> str: ...
    @property
    def guarantee(self) -> str: ...
    @property
    def assumption(self) -> str: ...
    @property
    def feasible(self) -> bool: ...
    @property
    def label_names(self) -> tuple[Any, ...] | None: ...
    def covers(self, labels: ArrayLike) -> BoolArray: ...
    def with_names(self, names: Iterable[Any] | None) -> PredictionSets: ...
    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __array__(self, dtype: Any = ...) -> BoolArray: ...
    def __getstate__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: tuple[Any, ...]) -> None: ...

# scorers: what caos.scorers is made of

def check_score_rows(scores: ArrayLike, place: Callable[[int], str]) -> None: ...
def join_sets(blocks: list[PredictionSets]) -> PredictionSets: ...
def predict_block(calibration: Calibration, test: ArrayLike, alpha: Alpha | Alphas, *, method: str,
                  reverse: ArrayLike | None, symmetric: bool,
                  groups: ArrayLike | None) -> tuple[list[PredictionSets], list[str], bool]: ...
# text_calibration
class Support:
    @property
    def example(self) -> int: ...
    @property
    def id(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def score(self) -> float: ...
class TextCalibration:
    @property
    def k(self) -> int: ...
    @property
    def label_names(self) -> tuple[str, ...]: ...
    @property
    def labels_from_train(self) -> bool: ...
    @property
    def examples(self) -> list[tuple[str, str]]: ...
    @property
    def ids(self) -> list[str]: ...
    @property
    def text_columns(self) -> list[str]: ...
    @property
    def scores(self) -> FloatArray: ...
    @property
    def guarantee(self) -> str: ...
    @property
    def assumption(self) -> str: ...
    @property
    def scorer(self) -> Scorer: ...
    @overload
    def predict_set(
        self, texts: Iterable[str], alpha: Alpha, *, method: str = ..., clip_rank: bool = ...
    ) -> PredictionSets: ...
    @overload
    def predict_set(
        self, texts: Iterable[str], alpha: Alphas, *, method: str = ..., clip_rank: bool = ...
    ) -> list[PredictionSets]: ...
    def predict_p(self, texts: Iterable[str], *, method: str = ...) -> FloatArray: ...
    def predict(self, texts: Iterable[str]) -> list[str]: ...
    def support(self, texts: Iterable[str]) -> list[dict[str, list[Support]]]: ...
    @overload
    def threshold(
        self, alpha: Alpha, *, label: str | None = ..., clip_rank: bool = ...
    ) -> float: ...
    @overload
    def threshold(
        self, alpha: Alphas, *, label: str | None = ..., clip_rank: bool = ...
    ) -> FloatArray: ...
    def is_feasible(self, alpha: Alpha) -> bool: ...
    def add_example(self, text: str, label: str, *, id: str | None = ...) -> None: ...
    def save(self, path: Path) -> None: ...
    def __len__(self) -> int: ...
def text_calibrate(
    texts: Iterable[str],
    labels: Iterable[str],
    *,
    model: str | Scorer = ...,
    label_names: Iterable[str] | None = ...,
    k: int = ...,
    groups: Literal["labels"] | None = ...,
    ids: Iterable[str] | None = ...,
    text_columns: Iterable[str] | None = ...,
    prompt: Path | None = ...,
    normalization: str = ...,
    context: int = ...,
    chat: bool = ...,
    store: Path | None = ...,
    server_model: str | None = ...,
    key_variable: str | None = ...,
    key_file: Path | None = ...,
    timeout_seconds: float = ...,
    retries: int = ...,
    concurrency: int = ...,
    threads: int = ...,
    progress: Callable[[int, int], object] | None = ...,
) -> TextCalibration: ...
def text_load(
    path: Path,
    *,
    model: str | None = ...,
    store: Path | None = ...,
    server_model: str | None = ...,
    key_variable: str | None = ...,
    key_file: Path | None = ...,
    timeout_seconds: float = ...,
    retries: int = ...,
    concurrency: int = ...,
    threads: int = ...,
    progress: Callable[[int, int], object] | None = ...,
) -> TextCalibration: ...
# text_evaluate
# Without a seed it is the first: stubs have every default that there is.
@overload
def text_evaluate(  # type: ignore
    texts: Iterable[str],
    labels: Iterable[str],
    *,
    model: str | Scorer = ...,
    label_names: Iterable[str] | None = ...,
    test_size: int = ...,
    seed: int = ...,
    methods: Iterable[str] | None = ...,
    alpha: Alpha | Alphas = ...,
    k: int = ...,
    groups: Literal["labels"] | None = ...,
    clip_rank: bool = ...,
    prompt: Path | None = ...,
    normalization: str = ...,
    context: int = ...,
    chat: bool = ...,
    store: Path | None = ...,
    server_model: str | None = ...,
    key_variable: str | None = ...,
    key_file: Path | None = ...,
    timeout_seconds: float = ...,
    retries: int = ...,
    concurrency: int = ...,
    threads: int = ...,
    progress: Callable[[int, int], object] | None = ...,
) -> Evaluation: ...
@overload
def text_evaluate(
    texts: Iterable[str],
    labels: Iterable[str],
    *,
    model: str | Scorer = ...,
    label_names: Iterable[str] | None = ...,
    test_size: int = ...,
    seed: Iterable[int] = ...,
    methods: Iterable[str] | None = ...,
    alpha: Alpha | Alphas = ...,
    k: int = ...,
    groups: Literal["labels"] | None = ...,
    clip_rank: bool = ...,
    prompt: Path | None = ...,
    normalization: str = ...,
    context: int = ...,
    chat: bool = ...,
    store: Path | None = ...,
    server_model: str | None = ...,
    key_variable: str | None = ...,
    key_file: Path | None = ...,
    timeout_seconds: float = ...,
    retries: int = ...,
    concurrency: int = ...,
    threads: int = ...,
    progress: Callable[[int, int], object] | None = ...,
) -> list[Evaluation]: ...
# text_scorer
class Tally:
    @property
    def pairs(self) -> int: ...
    @property
    def pairs_from_store(self) -> int: ...
    @property
    def pairs_computed(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    @property
    def shortened(self) -> int: ...
class Plan:
    @property
    def pairs(self) -> int: ...
    @property
    def pairs_in_store(self) -> int: ...
    @property
    def pairs_to_compute(self) -> int: ...
    @property
    def prompts(self) -> int: ...
    @property
    def tokens(self) -> int | None: ...
    @property
    def tokens_separately(self) -> int | None: ...
    @property
    def shortened(self) -> int | None: ...
    @property
    def estimated_seconds(self) -> float | None: ...
    @property
    def sends_texts_to(self) -> str | None: ...
    @property
    def requests(self) -> int: ...
    @property
    def bytes_sent(self) -> int: ...
class Scorer:
    def __init__(
        self,
        labels: Iterable[str],
        model: str = ...,
        *,
        prompt: Path | None = ...,
        normalization: str = ...,
        context: int = ...,
        chat: bool = ...,
        store: Path | None = ...,
        server_model: str | None = ...,
        key_variable: str | None = ...,
        key_file: Path | None = ...,
        timeout_seconds: float = ...,
        retries: int = ...,
        concurrency: int = ...,
        threads: int = ...,
        progress: Callable[[int, int], object] | None = ...,
    ) -> None: ...
    @property
    def label_names(self) -> tuple[str, ...]: ...
    @property
    def model(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def identity(self) -> str: ...
    @property
    def normalization(self) -> str: ...
    @property
    def prompt(self) -> str: ...
    @property
    def store_path(self) -> str | None: ...
    @property
    def sends_texts_to(self) -> str | None: ...
    @property
    def tally(self) -> Tally: ...
    def score(
        self,
        reference_texts: Iterable[str],
        reference_labels: Iterable[str],
        texts: Iterable[str],
    ) -> FloatArray: ...
    def score_labeled(self, texts: Iterable[str], labels: Iterable[str]) -> FloatArray: ...
    def score_own(
        self,
        reference_texts: Iterable[str],
        reference_labels: Iterable[str],
        texts: Iterable[str],
        labels: Iterable[str],
    ) -> FloatArray: ...
    def plan(self, texts: Iterable[str], labels: Iterable[str]) -> Plan: ...
# text_tables
def read_text_table(
    path: Path,
    text_columns: str | Iterable[str] | None,
    label_column: str | None,
    id_column: str | None,
) -> tuple[list[str], list[str] | None, list[str]]: ...
def read_text_task(
    path: Path, label_column: str | None
) -> tuple[str | None, list[str] | None, str | None, list[str]]: ...
