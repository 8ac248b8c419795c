"""The same ten questions to assay, dp_accounting and prv_accountant, and the package's own speeds.

    python bench/python_speed.py [own] [threads] [peers]

`own` is the import, the first question beside the same in C++ (build/release/assay-bench), Opacus'
step and 1,000 answers on two threads (`threads`: those alone); `peers` is the table. In it assay is
asked for a gap of 0.1 % and prv_accountant for an error of 0.1 % of epsilon; dp_accounting has its
default grid. Times are processor times, the best of three (of one, above two seconds), in one
process.
"""

from __future__ import annotations

import json
import math
import pathlib
import statistics
import subprocess
import sys
import time
from typing import Any, Callable, Optional

import assay

BENCH = pathlib.Path(__file__).resolve().parents[1] / "build" / "release" / "assay-bench"
REPETITIONS = 5
TEXT: dict[str, Any] = {"capture_output": True, "text": True, "check": True}

# noise multiplier, sampling probability, steps, delta
QUESTIONS = [
    (1.1, 0.004, 10_000, 1e-6),
    (1.0, 0.01, 1_000, 1e-5),
    (0.8, 0.001, 20_000, 1e-7),
    (2.0, 0.02, 5_000, 1e-6),
    (0.6, 0.0005, 5_000, 1e-6),
    (4.0, 0.1, 2_000, 1e-5),
    (1.5, 0.05, 500, 1e-8),
    (0.9, 0.2, 50, 1e-5),
    (10.0, 0.5, 1_000, 1e-6),
    (1.3, 0.002, 100_000, 1e-8),
]


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    best = math.inf
    answer = None
    for _ in range(3):
        start = time.process_time()
        answer = call()
        best = min(best, time.process_time() - start)
        if best > 2:
            break
    return best, answer


def ours(
    sigma: float, q: float, steps: int, delta: float, relative_gap: Optional[float] = 1e-3
) -> Any:
    run = assay.Release("add-remove").poisson(
        noise_multiplier=sigma, sampling_probability=q, steps=steps
    )
    return run.epsilon(delta, relative_gap=relative_gap)


def of_dp_accounting(sigma: float, q: float, steps: int, delta: float) -> float:
    import dp_accounting as dp
    from dp_accounting.pld import PLDAccountant

    event = dp.SelfComposedDpEvent(dp.PoissonSampledDpEvent(q, dp.GaussianDpEvent(sigma)), steps)
    return float(PLDAccountant().compose(event).get_epsilon(delta))


def of_prv(sigma: float, q: float, steps: int, delta: float) -> tuple[float, float, float]:
    from prv_accountant.dpsgd import DPSGDAccountant

    error = 1e-3 * ours(sigma, q, steps, delta).upper
    accountant = DPSGDAccountant(
        noise_multiplier=sigma,
        sampling_probability=q,
        max_steps=steps,
        eps_error=error,
        delta_error=delta / 1000,
    )
    return tuple(accountant.compute_epsilon(delta=delta, num_steps=steps))  # type: ignore[return-value]


def attempt(call: Callable[[], Any]) -> tuple[Optional[float], Any]:
    try:
        return timed(call)
    except Exception as error:
        return None, f"{type(error).__name__}"


def peers() -> None:
    print(
        "| sigma, q, T, delta | assay | ms "
        "| dp_accounting PLD | ms | times | prv_accountant | ms | times |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for question in QUESTIONS:
        own, bracket = timed(lambda q=question: ours(*q))
        cells = []
        for other in (of_dp_accounting, of_prv):
            seconds, answer = attempt(lambda q=question, f=other: f(*q))
            if seconds is None:
                cells.append(f"{answer} | - | -")
                continue
            text = (
                f"{answer:.4f}"
                if isinstance(answer, float)
                else f"[{answer[0]:.4f}, {answer[2]:.4f}]"
            )
            cells.append(f"{text} | {seconds * 1e3:.0f} | {seconds / own:.0f}")
        asked = ", ".join(f"{x:g}" for x in question)
        row = [asked, f"[{bracket.lower:.4f}, {bracket.upper:.4f}]", f"{own * 1e3:.1f}", *cells]
        print(f"| {' | '.join(row)} |", flush=True)


def of_the_library() -> float:
    """Processor seconds of the first question in C++: examples/five_lines.cpp in a loop."""
    command = [BENCH, "--benchmark_filter=first_example", "--benchmark_min_time=0.3"]
    ran = subprocess.run([*command, "--benchmark_format=json"], **TEXT)
    (found,) = json.loads(ran.stdout)["benchmarks"]
    return float(found["cpu_time"]) * 1e-3


def beside_the_library() -> None:
    """Python and C++ by turns."""
    calls = 10
    own, library = [], []
    for _ in range(REPETITIONS):
        start = time.process_time()
        for _ in range(calls):
            ours(*QUESTIONS[0], relative_gap=None)
        own.append((time.process_time() - start) / calls)
        if BENCH.exists():
            library.append(of_the_library())
    print(f"epsilon of the first question: {min(own) * 1e3:.2f} ms")
    if library:
        ratios = [one / other for one, other in zip(own, library)]
        print(
            f"in C++: {min(library) * 1e3:.2f} ms; Python takes {min(own) / min(library):.2f} times"
            f" that (best by best), {statistics.median(ratios):.2f} (median of {len(ratios)})"
        )
    else:
        print(f"in C++: {BENCH} is not built (make build)")


def two_threads() -> None:
    """1,000 epsilon on one thread and on two, by turns: 25 rates of 40 noise multipliers."""
    grid = [
        assay.Release("add-remove").poisson(
            noise_multiplier=0.7 + 0.05 * i, sampling_probability=0.0005 * (j + 1), steps=1000
        )
        for i in range(40)
        for j in range(25)
    ]
    ratios = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        one = assay.epsilon(grid, 1e-5, threads=1)
        middle = time.perf_counter()
        two = assay.epsilon(grid, 1e-5, threads=2)
        end = time.perf_counter()
        assert one.upper.tolist() == two.upper.tolist()  # type: ignore[union-attr]
        ratios.append((middle - start) / (end - middle))
        print(
            f"1,000 epsilon: {middle - start:.1f} s on one thread, {end - middle:.1f} s on two",
            flush=True,
        )
    print(
        f"two threads: {max(ratios):.2f} times as fast (best), {statistics.median(ratios):.2f} "
        f"(median of {len(ratios)})"
    )


def steps_of_opacus() -> None:
    try:
        from assay.opacus import AssayAccountant
    except ImportError as error:
        print(f"AssayAccountant.step: left out, {error}")
        return
    accountant = AssayAccountant("add-remove", "poisson")
    calls = 100_000

    def step() -> None:
        for _ in range(calls):
            accountant.step(noise_multiplier=1.1, sample_rate=0.004)

    print(f"AssayAccountant.step: {timed(step)[0] / calls * 1e6:.2f} us")


def own_speeds() -> None:
    code = (
        "import time; w, p = time.perf_counter(), time.process_time(); import assay; "
        "print(time.perf_counter() - w, time.process_time() - p)"
    )
    imports = [
        [float(x) for x in subprocess.run([sys.executable, "-c", code], **TEXT).stdout.split()]
        for _ in range(15)
    ]
    by_clock, by_processor = (min(times) * 1e3 for times in zip(*imports))
    print(f"import: {by_clock:.1f} ms, {by_processor:.1f} ms of processor (best of 15)")
    beside_the_library()
    steps_of_opacus()
    two_threads()


if __name__ == "__main__":
    parts = {"own": own_speeds, "threads": two_threads, "peers": peers}
    for name in sys.argv[1:] or ["own", "peers"]:
        parts[name]()
