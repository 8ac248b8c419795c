"""The same ten questions to assay, dp_accounting and prv_accountant, and the package's own speeds.

    python bench/python_speed.py

prv_accountant is asked for an error of 0.1 % of epsilon; dp_accounting with its default grid, which
has none. Times are processor times, the best of three (of one, above ten seconds), in one process.
"""

from __future__ import annotations

import math
import subprocess
import sys
import time
from typing import Any, Callable, Optional

import assay

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
        if best > 10:
            break
    return best, answer


def ours(sigma: float, q: float, steps: int, delta: float) -> Any:
    run = assay.Release("add-remove").poisson(
        noise_multiplier=sigma, sampling_probability=q, steps=steps
    )
    return run.epsilon(delta)


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


def own_speeds() -> None:
    code = "import time; t = time.perf_counter(); import assay; print(time.perf_counter() - t)"
    imports = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout)
        for _ in range(9)
    ]
    print(f"import: {min(imports) * 1e3:.1f} ms (best of 9)")
    seconds, _ = timed(lambda: [ours(*QUESTIONS[0]) for _ in range(20)])
    print(f"epsilon of the first question: {seconds / 20 * 1e3:.2f} ms")
    grid = [
        assay.Release("add-remove").poisson(
            noise_multiplier=0.7 + 0.05 * i, sampling_probability=0.0005 * (j + 1), steps=1000
        )
        for i in range(40)
        for j in range(25)
    ]
    ratios = []
    for _ in range(3):
        start = time.perf_counter()
        one = assay.epsilon(grid, 1e-5, threads=1)
        middle = time.perf_counter()
        two = assay.epsilon(grid, 1e-5, threads=2)
        end = time.perf_counter()
        assert one.upper.tolist() == two.upper.tolist()  # type: ignore[union-attr]
        ratios.append((middle - start) / (end - middle))
        print(f"1,000 epsilon: {middle - start:.1f} s on one thread, {end - middle:.1f} s on two")
    print(f"two threads: {max(ratios):.2f} times as fast (best of 3)")


if __name__ == "__main__":
    own_speeds()
    peers()
