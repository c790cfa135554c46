"""Play that is killed at random moments: everything acknowledged must be there afterwards, and the page must go on."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tests.vision.streams import free_port
from tests.web.live_game import SETUP, staged, until
from web.store import Store

ROOT = Path(__file__).parents[2]


@dataclass
class Acknowledged:
    """What the server said it has kept."""

    entries: set[int] = field(default_factory=set)
    photos: set[str] = field(default_factory=set)
    confirmed: int = 0


class Server:
    def __init__(self, database: Path) -> None:
        self.port, self.database = free_port(), f"sqlite:///{database}"
        command = [sys.executable, "-m", "tests.web.live_server", self.database, str(self.port)]
        self._process = subprocess.Popen(command, cwd=ROOT)
        until(self.answers, 90)

    def answers(self) -> bool:
        try:
            return bool(self.ask("GET", "/"))
        except OSError:
            return False

    def kill(self) -> None:
        self._process.kill()  # SIGKILL: no handler, no flush
        self._process.wait()

    def ask(self, verb: str, path: str, data: Any = None, kind: str = "application/json") -> Any:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        payload = data if isinstance(data, bytes) or data is None else json.dumps(data).encode()
        try:
            line.request(verb, path, payload, {"Content-Type": kind, "Accept": "application/json"})
            answer = line.getresponse()
            body = answer.read()
        except http.client.HTTPException as problem:  # cut off in the middle of an answer
            raise ConnectionError(str(problem)) from None
        finally:
            line.close()
        told = json.loads(body) if answer.headers.get_content_type() == "application/json" else body
        return told if answer.status < 400 else {"refused": answer.status, **(told if isinstance(told, dict) else {})}


def survived(database: Path, kills: int, seed: int, seconds: tuple[float, float] = (0.5, 4.0)) -> Acknowledged:
    """Plays and kills; fails where anything acknowledged is missing after a restart."""
    random = np.random.default_rng(seed)
    server = Server(database)
    game = str(server.ask("POST", "/games", {"game": "dungeon-drop"})["id"])
    kept = Acknowledged({int(server.ask("POST", f"/games/{game}/plays", {"lines": SETUP})["seq"])})
    for _ in range(kills):
        players = [threading.Thread(target=play, args=(server, game, kept)) for play in (film, meddle)]
        for player in players:
            player.start()
        time.sleep(float(random.uniform(*seconds)))
        server.kill()
        for player in players:
            player.join(30)
        server = Server(database)
        check(server, game, kept)
    server.kill()
    return kept


def check(server: Server, game: str, kept: Acknowledged) -> None:
    state = server.ask("GET", f"/games/{game}.json")
    store = Store(server.database)
    there = {entry.seq for entry in store.entries(game)}
    store.close()
    assert kept.entries <= there and max(there) >= state["seq"], "an acknowledged entry is gone"
    for photo in kept.photos:
        picture = server.ask("GET", f"/games/{game}/photos/{photo}.jpg?w=80")
        assert isinstance(picture, bytes) and picture.startswith(b"\xff\xd8"), "an acknowledged photo is gone"


def film(server: Server, game: str, kept: Acknowledged) -> None:
    """A phone shows the table, a room being looted, and the cubes put back, and taps whatever is proposed."""
    table, base = staged(), f"/games/{game}/live"
    try:
        server.ask("POST", f"{base}/start", {"source": "browser"})
        while True:
            for picture in (table.before, table.hand, table.after, table.hand):
                for _ in range(12):
                    server.ask("POST", f"{base}/frame", picture, "image/jpeg")
                    asked = server.ask("GET", f"{base}.json")["proposal"]
                    if asked is not None:
                        told = server.ask("POST", f"{base}/confirm", {"number": asked["number"], "choice": 0})
                        if "seq" in told:
                            kept.entries.add(int(told["seq"]))
                            kept.confirmed += 1
                    time.sleep(0.05)
    except OSError:
        return


def meddle(server: Server, game: str, kept: Acknowledged) -> None:
    """Another phone corrects pieces and sends photos meanwhile."""
    number = 0
    try:
        while True:
            number += 1
            table = server.ask("GET", f"/games/{game}.json")["table"]
            if table is not None:
                piece = table["pieces"][number % len(table["pieces"])]
                fix = {"photo": table["photo"]["id"], "op": "change", "piece": piece["id"], "type": piece["type"]}
                told = server.ask("POST", f"/games/{game}/fixes", fix)
                if "seq" in told:
                    kept.entries.add(int(told["seq"]))
            if number % 4 == 0:
                kept.photos |= sent(server, game, staged().before + bytes(number))
            time.sleep(0.05)
    except OSError:
        return


def sent(server: Server, game: str, jpeg: bytes) -> set[str]:
    """A photo of no hero's stash: it is kept, and does not disturb the table."""
    edge = "-----edge"
    fields = f'--{edge}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nteach\r\n'
    head = f'--{edge}\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    data = (fields + head).encode() + jpeg + f"\r\n--{edge}--\r\n".encode()
    told = server.ask("POST", f"/games/{game}/photos", data, f"multipart/form-data; boundary={edge}")
    return {str(told["photo"])} if "photo" in told else set()
