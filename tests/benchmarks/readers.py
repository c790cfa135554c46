"""The benchmark of the readers: accuracy, rooms, honesty, speed by stage and memory, over photos that nothing was
tuned on.

    companion bench [--quick] [--json]
"""

from __future__ import annotations

import itertools
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.cli.readers import learned, reader
from companion.cli.reading import Reading, Wishes
from companion.readings import DropReading
from tests.benchmarks.drop_score import DropScore, score_drop
from tests.benchmarks.hustle_score import WHAT, HustleScore, score_hustle
from tests.benchmarks.truth import Suite

Belief = tuple[float, bool]
BINS: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0001)


@dataclass(frozen=True)
class Result:
    suite: Suite
    scores: tuple[Any, ...]  # DropScore or HustleScore, one a photo
    readings: tuple[Reading, ...]
    times_decoding: tuple[
        float, ...
    ]  # processor time for all but decoding, in decodings; who else works here is no matter


def measured(suite: Suite, tick: Callable[[], None] = lambda: None) -> Result:
    """Teaches where the suite has taps, then reads and scores each photo."""
    cv2.setNumThreads(1)  # threads that wait for each other would count as work
    with tempfile.TemporaryDirectory() as folder:
        profile = None
        if suite.taps:
            profile = str(Path(folder) / "profile.json")
            Path(profile).write_text(json.dumps(learned(suite.game, tuple(map(str, suite.taps)))))
        read = reader(Wishes(suite.game, profile=profile))
    read(str(suite.photos[0]))  # start-up aside: networks are loaded by the first photo
    readings, scores, ratios = [], [], []
    for photo in suite.photos:
        start = time.process_time()
        reading, label = read(str(photo)), suite.label(photo)
        spent, decoding = time.process_time() - start, _decoding_s(photo)
        ratios.append((spent - decoding) / decoding)
        readings.append(reading)
        is_drop = isinstance(reading, DropReading)
        scores.append(score_drop(label, reading) if is_drop else score_hustle(label, reading))  # type: ignore[arg-type]
        tick()
    return Result(suite, tuple(scores), tuple(readings), tuple(ratios))


def _decoding_s(photo: Path) -> float:
    """Processor seconds of decoding it and nothing else, the best of three."""
    raw = np.frombuffer(photo.read_bytes(), np.uint8)
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        cv2.imdecode(raw, cv2.IMREAD_COLOR)
        best = min(best, time.process_time() - start)
    return best


def summary(result: Result) -> dict[str, Any]:
    """One suite's numbers; shares are of one."""
    scores, readings = result.scores, result.readings
    numbers: dict[str, Any] = {
        "suite": result.suite.name, "game": result.suite.game, "photos": len(scores),
        "perfect": sum(not score.faults for score in scores),
    }  # fmt: skip
    numbers |= _drop_numbers(scores) if result.suite.game == "dungeon-drop" else _hustle_numbers(scores)
    return numbers | {
        "confidence": reliability(belief for score in scores for belief in score.beliefs),
        "decode_ms": round(statistics.median(r.timings_ms["decode"] for r in readings), 1),
        "read_ms": round(statistics.median(r.timings_ms["read"] for r in readings), 1),
        "times_decoding": round(statistics.median(result.times_decoding), 1),
        "stages_ms": _stages(readings),
    }


def peak_memory_mb() -> float:
    """Of this process so far; Linux counts in kilobytes, macOS in bytes, Windows tells only what is used now."""
    try:
        import resource
    except ImportError:
        import psutil

        return float(psutil.Process().memory_info().rss / 1_000_000)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1_000_000 if sys.platform == "darwin" else 1_000)


def reliability(beliefs: Iterable[Belief]) -> list[dict[str, float]]:
    """Of the things reported with about this confidence, how many are right."""
    every = list(beliefs)
    rows = []
    for low, high in itertools.pairwise(BINS):
        here = [(said, right) for said, right in every if low <= said < high]
        if here:
            said, right = (statistics.fmean(column) for column in zip(*here, strict=True))
            rows.append({"from": low, "count": len(here), "said": round(said, 3), "right": round(right, 3)})
    return rows


def table(summaries: list[dict[str, Any]], memory_mb: float) -> str:
    """All of it for people, fit for a README."""
    return "\n".join([*_lines(summaries), f"Peak memory {memory_mb:.0f} MB."])


def faults(result: Result) -> Iterator[str]:
    for score in result.scores:
        yield from (f"{score.photo}: {fault}" for fault in score.faults)


def _drop_numbers(scores: tuple[DropScore, ...]) -> dict[str, Any]:
    asked, counts = sum(s.asked for s in scores), [s.rooms for s in scores if s.rooms is not None]
    rooms = sum(count.rooms for count in counts)
    placed = [s for s in scores if s.position_mm is not None]
    numbers: dict[str, Any] = {"cubes": asked}
    numbers |= {kind: sum(s.kinds[kind] for s in scores) for kind in ("missed", "extra", "type", "size")}
    numbers["wrong"] = round(sum(len(s.faults) for s in scores) / max(1, asked), 4)
    if placed:
        numbers["position_mm"] = round(statistics.median(s.position_mm or 0.0 for s in placed), 3)
        numbers["scale_off"] = round(max(abs((s.scale or 1.0) - 1) for s in placed), 4)
    if rooms:
        for name in ("right", "wrong_sure", "doubted"):
            numbers[f"rooms_{name}"] = round(sum(getattr(count, name) for count in counts) / rooms, 4)
    return numbers


def _hustle_numbers(scores: tuple[HustleScore, ...]) -> dict[str, Any]:
    numbers: dict[str, Any] = {"cards": sum(s.cards for s in scores), "spaces": sum(s.spaces for s in scores)}
    return numbers | {kind: sum(s.kinds[kind] for s in scores) for kind in WHAT}


def _stages(readings: tuple[Reading, ...]) -> dict[str, float]:
    stages = [stage for stage in readings[0].timings_ms if stage not in ("decode", "read")]
    return {stage: round(statistics.median(r.timings_ms.get(stage, 0.0) for r in readings), 1) for stage in stages}


def _lines(summaries: list[dict[str, Any]]) -> Iterator[str]:
    yield "| photos | perfect | wrong | position | scale off | rooms right | wrong and sure | time |"
    yield "|---|---|---|---|---|---|---|---|"
    for numbers in summaries:
        head = f"| {numbers['suite']} | {numbers['perfect']} of {numbers['photos']} | "
        tail = f" | {numbers['read_ms']:.0f} ms, {numbers['times_decoding']:.1f} decodings |"
        yield head + " | ".join(_drop_cells(numbers) if "cubes" in numbers else _hustle_cells(numbers)) + tail
    yield ""
    yield "| " + " | ".join(["confidence", *(f"from {low:g}" for low in BINS[:-1])]) + " |"
    yield "|---" * len(BINS) + "|"
    for numbers in summaries:
        rows = {row["from"]: f"{row['right']:.1%} of {row['count']}" for row in numbers["confidence"]}
        yield "| " + " | ".join([numbers["suite"], *(rows.get(low, "") for low in BINS[:-1])]) + " |"
    yield ""
    for numbers in summaries:
        stages = ", ".join(f"{stage} {ms:.0f}" for stage, ms in numbers["stages_ms"].items())
        yield f"{numbers['suite']}: decode {numbers['decode_ms']:.0f} ms; {stages}."


def _drop_cells(numbers: dict[str, Any]) -> list[str]:
    wrong = f"{numbers['wrong']:.1%} of {numbers['cubes']} cubes"
    if "position_mm" not in numbers:
        return [wrong, "", "", "", ""]
    place = [f"{numbers['position_mm']:.2f} mm", f"{numbers['scale_off']:.1%}"]
    rooms = [f"{numbers[name]:.1%}" if name in numbers else "" for name in ("rooms_right", "rooms_wrong_sure")]
    return [wrong, *place, *rooms]


def _hustle_cells(numbers: dict[str, Any]) -> list[str]:
    wrong = ", ".join(f"{kind} {numbers[kind]}" for kind in WHAT if numbers[kind]) or "nothing"
    return [f"{wrong} ({numbers['cards']} cards)", "", "", "", ""]
