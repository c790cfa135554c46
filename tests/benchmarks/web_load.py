"""Twelve phones, one photo a second, and corrections meanwhile: what the page answers, and what it keeps.

    python -m tests.benchmarks.web_load [SECONDS]

Starts the real server (`companion serve`) with the real readers. Twelve event streams stay open.
Prints, as JSON, how fast corrections were acknowledged, how soon the other phones were told, and whether anything was
lost or refused.
"""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

PHONES = 12
DEMO = Path(__file__).parents[2] / "web" / "demo" / "drop"


class Phone:
    """Keeps one connection, as a browser does."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method: str, path: str, body: bytes | None = None, kind: str = "application/json") -> tuple[int, Any]:
        self.connection.request(method, path, body, {"Content-Type": kind} if body is not None else {})
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())


def start(folder: str) -> tuple[subprocess.Popen[str], int]:
    command = [sys.executable, "-c", "from companion.cli import main; main()", "serve", "--port", "0"]
    database = f"sqlite:///{folder}/games.sqlite3"
    process = subprocess.Popen([*command, "--database", database], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"localhost:(\d+)", line):
            return process, int(found.group(1))
    raise SystemExit("the server did not start")


def listen(port: int, path: str, heard: dict[int, list[float]], stop: threading.Event) -> None:
    """Notes when each number was told."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    for line in connection.getresponse():
        if stop.is_set():
            return
        if line.startswith(b"id: "):
            heard.setdefault(int(line[4:]), []).append(time.monotonic())


def multipart(photo: bytes) -> tuple[bytes, str]:
    head = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
    return head + photo + b"\r\n--x--\r\n", "multipart/form-data; boundary=x"


def wait_for_table(phone: Phone, game: str) -> dict[str, Any]:
    for _ in range(600):
        _, state = phone.ask("GET", f"/games/{game}.json")
        if state["table"] is not None:
            return dict(state)
        time.sleep(0.1)
    raise SystemExit("the first photo was never read")


def photograph(port: int, game: str, seconds: int, errors: list[str]) -> list[str]:
    """One photo a second, each a little different, as a new photo is."""
    phone, sent = Phone(port), []
    photos = [file.read_bytes() for file in sorted(DEMO.glob("table-*.jpg"))]
    begin = time.monotonic()
    for second in range(seconds):
        body, kind = multipart(photos[second % len(photos)] + f"photo {second}".encode())
        status, answer = phone.ask("POST", f"/games/{game}/photos", body, kind)
        if status == 202:
            sent.append(answer["photo"])
        else:
            errors.append(f"photo {second}: {status} {answer}")
        time.sleep(max(0.0, begin + second + 1 - time.monotonic()))
    return sent


def measured(seconds: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        process, port = start(folder)
        try:
            return load(port, seconds)
        finally:
            process.terminate()
            process.wait(timeout=20)


def load(port: int, seconds: int) -> dict[str, Any]:
    phone = Phone(port)
    game = phone.ask("POST", "/demo/dungeon-drop", b"{}")[1]["id"]
    table = wait_for_table(phone, game)["table"]
    heard: dict[int, list[float]] = {}
    stop, errors, sent = threading.Event(), list[str](), list[str]()
    path = f"/games/{game}/stream?after=0"
    listeners = [threading.Thread(target=listen, args=(port, path, heard, stop), daemon=True) for _ in range(PHONES)]
    camera = threading.Thread(target=lambda: sent.extend(photograph(port, game, seconds, errors)))
    for thread in (*listeners, camera):
        thread.start()
    took_ms, kept, told_at = correct(phone, game, table, seconds, errors)
    camera.join()
    time.sleep(2)
    stop.set()
    _, history = phone.ask("GET", f"/games/{game}/history.json")
    numbers = {entry["seq"]: entry for entry in history["entries"]}
    lost = [seq for seq in kept if numbers.get(seq, {}).get("kind") != "fix"]
    lost_photos = set(sent) - {entry["photo"] for entry in history["entries"] if entry["kind"] == "photo"}
    delays = sorted(at - told_at[seq] for seq, times in heard.items() if seq in told_at for at in times)
    return {
        "seconds": seconds, "phones": PHONES, "photos": len(sent), "corrections": len(kept), "errors": errors,
        "lost_corrections": len(lost), "lost_photos": len(lost_photos),
        "read": sum(entry["kind"] == "reading" for entry in history["entries"]) - 1,
        "ack_p50_ms": quantile(took_ms, 0.5), "ack_p95_ms": quantile(took_ms, 0.95),
        "ack_max_ms": quantile(took_ms, 1.0),
        "told_p95_ms": quantile([delay * 1000 for delay in delays], 0.95),
    }  # fmt: skip


def correct(
    phone: Phone, game: str, table: dict[str, Any], seconds: int, errors: list[str]
) -> tuple[list[float], list[int], dict[int, float]]:
    """Four corrections a second on the first photo's pieces."""
    took_ms, kept, told_at = list[float](), list[int](), dict[int, float]()
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end:
        piece = table["pieces"][number % len(table["pieces"])]
        change = {"photo": table["photo"]["id"], "op": "change", "piece": piece["id"], "type": "gold", "size": "S"}
        begin = time.monotonic()
        status, answer = phone.ask("POST", f"/games/{game}/fixes", json.dumps(change).encode())
        took_ms.append((time.monotonic() - begin) * 1000)
        if status == 201:
            kept.append(answer["seq"])
            told_at[answer["seq"]] = time.monotonic()
        else:
            errors.append(f"correction {number}: {status} {answer}")
        number += 1
        time.sleep(0.25)
    return took_ms, kept, told_at


def quantile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1) if ordered else 0.0


if __name__ == "__main__":
    print(json.dumps(measured(int(sys.argv[1]) if len(sys.argv) > 1 else 60), indent=1))
