"""What the benchmark's parts tell each other: a case, a job for a worker, and its sample."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

MIB = 1024 * 1024

# Enough keys that no client can profit from a cached one, few enough to fill quickly.
KEY_COUNT = {128: 1000, 16 * 1024: 200, MIB: 16}

# How many tasks keep a loopback connection busy without drowning it, by value size.
TASK_COUNT = {128: 200, 16 * 1024: 50, MIB: 16}


class BenchError(Exception):
    """Something that the user can put right; its text is all that is shown."""


@dataclass(frozen=True)
class Case:
    """One work done in one way; every client gets the same."""

    work: str
    face: str = "async"  # or "sync"
    loop: str = "asyncio"  # or "uvloop"; "" for the sync face
    workers: int = 200  # tasks, or threads
    size: int = 128
    delay_ms: float = 0.0
    pinned: bool = False

    @property
    def title(self) -> str:
        """The case in words: `mixed, 128 B, 200 tasks, uvloop`."""
        unit = "task" if self.face == "async" else "thread"
        parts = [
            self.work,
            format_size(self.size),
            f"{self.workers} {unit}{'' if self.workers == 1 else 's'}",
            self.loop if self.face == "async" else "sync",
        ]
        if self.delay_ms:
            parts.append(f"{self.delay_ms:g} ms added")
        if self.pinned:
            parts.append("pinned")
        return ", ".join(parts)


@dataclass(frozen=True)
class Job:
    """A case for one client in one process, as sent to the worker."""

    client: str
    case: Case
    url: str  # where the client connects to: the server, or the delay proxy before it
    control_url: str  # the server itself, for filling keys and reading its CPU time
    seconds: float = 1.0  # how long to measure, when `ops` is 0
    ops: int = 0  # how many operations to measure
    warm_ops: int = 0  # at least so many before
    cpu: int = -1  # the core to stay on, or -1

    def to_dict(self) -> dict[str, object]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, object]) -> Job:
        case = data["case"]
        assert isinstance(case, dict)
        rest = {key: value for key, value in data.items() if key != "case"}
        return cls(case=Case(**case), **rest)  # type: ignore[arg-type]


@dataclass
class Sample:
    """What one worker measured; times are microseconds per operation of the client process."""

    ops: int = 0
    wall_us: float = 0.0
    user_us: float = 0.0
    sys_us: float = 0.0
    server_us: float = 0.0
    rss_base_mib: float = 0.0
    rss_growth_mib: float = 0.0
    errors: int = 0
    error: str = ""  # the first of the errors
    failed: str = ""  # why there is no measurement

    @property
    def cpu_us(self) -> float:
        return self.user_us + self.sys_us


@dataclass
class ClientResult:
    """All rounds of one client in one case."""

    client: str
    samples: dict[int, Sample] = field(default_factory=dict)  # by round
    failed: str = ""

    @property
    def errors(self) -> int:
        return sum(sample.errors for sample in self.samples.values())

    @property
    def error(self) -> str:
        return next((sample.error for sample in self.samples.values() if sample.error), "")


@dataclass
class CaseResult:
    case: Case
    clients: dict[str, ClientResult] = field(default_factory=dict)


def format_size(size: int) -> str:
    """128 -> `128 B`, 16384 -> `16 KiB`."""
    for factor, unit in ((MIB, "MiB"), (1024, "KiB")):
        if size >= factor and size % factor == 0:
            return f"{size // factor} {unit}"
    return f"{size} B"


def parse_size(text: str) -> int:
    """`128`, `16k`, `1m` -> bytes. ValueError on anything else."""
    text = text.strip().lower().removesuffix("ib").removesuffix("b")
    factor = {"k": 1024, "m": MIB}.get(text[-1:], 1)
    number = int(text if factor == 1 else text[:-1])
    if number < 1:
        raise ValueError(f"a size must be positive: {text!r}")
    return number * factor
